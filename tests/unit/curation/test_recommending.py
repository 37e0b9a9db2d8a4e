"""From measures to one recommendation: limits, references, ranks, headlines."""

import pytest

from opilio.curation.assessment_sheets import sheet_of
from opilio.curation.indicators import BY_CODE, INDICATORS, Limit, Unit, limits_of, shown
from opilio.curation.judging import Measure, judged
from opilio.curation.models import Advice
from opilio.curation.recommending import Known, recommend
from opilio.curation.site_health import Finding, Trouble
from opilio.works.quality.values import (
    Checks,
    Completeness,
    Differential,
    Figures,
    Lines,
    Measured,
    MissingEmbed,
    NearDuplicates,
    PageCheck,
    RiskyPage,
)

MIB = 1 << 20
GOOD = {"bytes": 9 * MIB, "urls": 900, "pages": 300, "seconds": 600.0, "finished": True, "seeds": 1, "seeds_well": 1,
        "hosts": 1}  # fmt: skip
LIMITS = limits_of({}, delist_after=2)


def known(figures=None, **fields):
    """A sound harvest without a reference, but for what is told."""
    measured = {
        "figures": Figures(**(GOOD | (figures or {}))), "evidence": {}, "completeness": Completeness(),
        "duplicates": NearDuplicates(), "clusters": (), "clusters_total": 0, "risky": (), "hosts": (), "important": (),
    }  # fmt: skip
    own = {name: fields.pop(name) for name in ("findings", "unchanged", "reference", "sample") if name in fields}
    return Known(measured=Measured(**(measured | fields)), **own)


def advice(*args, limits=LIMITS, **fields):
    """What is recommended."""
    return recommend(known(*args, **fields), limits).advice


def test_sound_harvest():
    """Nothing odd: endorse, and the headline says that nothing was compared."""
    made = recommend(known(), LIMITS)
    assert made.advice == Advice.ENDORSE
    assert made.headline == "Endorse: nothing unusual was found. There is no earlier harvest to compare."
    assert not made.ranked


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        ({"bytes": MIB - 1, "finished": False}, Advice.REJECT),
        ({"bytes": MIB}, Advice.ENDORSE),
        ({"bytes": MIB - 1}, Advice.LOOK),
        ({"urls": 0, "seeds_well": 0}, Advice.REJECT),
        ({"seconds": 59.0, "seeds_well": 0}, Advice.REJECT),
        ({"seconds": 7 * 3_600.0}, Advice.ENDORSE),
        ({"seconds": 7 * 3_600.0 + 1}, Advice.REJECT),
        ({"errors": 1}, Advice.ENDORSE),
        ({"errors": 2}, Advice.LOOK),
        ({"blocked": 1}, Advice.LOOK),
        ({"blocked": 301}, Advice.REJECT),
        ({"sign_in": 1}, Advice.LOOK),
        ({"soft_404": 10}, Advice.ENDORSE),
        ({"soft_404": 30}, Advice.LOOK),
        ({"repeating": 101}, Advice.LOOK),
    ],
)
def test_limits_without_a_reference(figures, expected):
    """Below the lower limit: reject, or look at what is small but whole; above the upper: look, or reject."""
    assert advice(figures) == expected


@pytest.mark.parametrize(
    ("value", "reference", "expected"),
    [
        (100, 100, Advice.ENDORSE), (110, 100, Advice.ENDORSE), (111, 100, Advice.LOOK), (89, 100, Advice.LOOK),
        (5, 5, Advice.ENDORSE), (0, 0, Advice.ENDORSE), (1, 0, Advice.LOOK),
    ],
)  # fmt: skip
def test_tolerance_of_the_reference(value, reference, expected):
    """What is within the tolerance of a harvest that people accepted is as expected, even below the lower limit."""
    made = judged(BY_CODE["content"], BY_CODE["content"].limit, Measure(value=value, reference=reference))
    assert made.advice == expected


def test_fewer_errors_are_no_reason():
    """An indicator of which less is better does not mind less."""
    declared = BY_CODE["errors"]
    assert judged(declared, declared.limit, Measure(value=0, reference=90)).advice == Advice.ENDORSE
    assert judged(declared, declared.limit, Measure(value=95, reference=90)).advice == Advice.ENDORSE
    assert judged(declared, declared.limit, Measure(value=100, reference=90)).advice == Advice.LOOK


@pytest.mark.parametrize(
    ("matching", "missing", "new", "expected"),
    [(95, 5, 0, Advice.ENDORSE), (94, 6, 0, Advice.LOOK), (100, 0, 10, Advice.ENDORSE), (100, 0, 11, Advice.LOOK)],
)
def test_differential(matching, missing, new, expected):
    """More than 5 % missing or 10 % new: look."""
    found = Differential(matching=matching, changed=0, missing=Lines(total=missing), new=Lines(total=new))
    assert advice(differential=found) == expected


def test_patch():
    """Embedded files that lack are to be patched, and the headline says how many."""
    missing = (MissingEmbed(url="http://a/x", page="http://a/", why="gone"),)
    found = Completeness(wanted=10, captured=9, incomplete=1, missing=missing, missing_total=1)
    made = recommend(known(completeness=found), LIMITS)
    assert made.advice == Advice.PATCH
    assert made.headline.startswith("Patch 1 URL. Completeness: 90.0 %, less than the limit of 95.0 %.")
    assert made.ranked[0].lines == ["http://a/x on http://a/ (gone)"]


@pytest.mark.parametrize(("rows", "expected"), [(1, Advice.ENDORSE), (2, Advice.DELIST), (9, Advice.DELIST)])
def test_delist(rows, expected):
    """A site that did not change so often in a row is to be delisted."""
    assert advice(unchanged=rows) == expected


def test_delisting_switched_off():
    """An agency that sets 0 is never told to delist."""
    assert advice(unchanged=99, limits=limits_of({}, delist_after=0)) == Advice.ENDORSE


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [(Trouble.PARKED, Advice.REJECT), (Trouble.DEAD, Advice.REJECT), (Trouble.CLOSED, Advice.REJECT),
     (Trouble.MOVED, Advice.LOOK)],
)  # fmt: skip
def test_site(trouble, expected):
    """A parked, dead or closed site is rejected; one that moved is looked at."""
    assert advice(findings=(Finding(trouble=trouble, evidence=["it says so"]),)) == expected


def test_replay_checks():
    """What replay misses is to be patched; a page that looks otherwise is looked at."""
    failed = PageCheck(url="http://a/", failed=Lines(total=1, listed=("http://a/x",)))
    assert advice(checks=Checks(pages=(failed,))) == Advice.PATCH
    assert advice(checks=Checks(pages=(PageCheck(url="http://a/", picture=0.9),))) == Advice.LOOK
    assert advice(checks=Checks(pages=(PageCheck(url="http://a/", live_text=0.1),))) == Advice.LOOK
    assert advice(checks=Checks(pages=(PageCheck(url="http://a/", live_picture=0.9),))) == Advice.LOOK
    assert advice(checks=Checks(why_not="no browser")) == Advice.ENDORSE


def test_near_duplicates():
    """Half of the pages saying the same is too much."""
    assert advice(duplicates=NearDuplicates(looked_at=100, alike=51)) == Advice.LOOK


def test_gravest_wins_and_reasons_are_ranked():
    """Reject outweighs patch, patch outweighs look; of equal advice the weightier reason is first."""
    figures = {"errors": 9, "blocked": 2, "seconds": 9 * 3_600.0}
    found = Completeness(wanted=10, captured=1, missing_total=9)
    made = recommend(known(figures, completeness=found), LIMITS)
    assert made.advice == Advice.REJECT
    assert [row.code for row in made.ranked] == ["runtime", "completeness", "blocked", "errors"]


def test_own_limits_of_an_agency():
    """An agency's limits replace the usual ones as a whole; a switched-off indicator does not count."""
    own = {"errors": Limit(upper=100), "content": Limit(active=False)}
    limits = limits_of(own, delist_after=2)
    made = recommend(known({"errors": 50, "bytes": 1, "finished": False}), limits)
    assert made.advice == Advice.ENDORSE
    assert "content" not in {row.code for row in made.judged}


def test_every_indicator_is_measured_somewhere():
    """No indicator stands in the table in vain."""
    pages = (PageCheck(url="http://a/", picture=0.1, live_text=0.9, live_picture=0.1),)
    found = Differential(matching=1, changed=0, missing=Lines(), new=Lines())
    whole = known(checks=Checks(pages=pages), differential=found, completeness=Completeness(wanted=1, captured=1))
    assert {row.code for row in recommend(whole, LIMITS).judged} == {one.code for one in INDICATORS}


def test_long_headline_is_cut():
    """However many reasons there are, the headline fits its column."""
    figures = dict.fromkeys(("errors", "blocked", "sign_in", "soft_404", "repeating", "robots_denied"), 10**9)
    assert len(recommend(known(figures, reference="x" * 900), LIMITS).headline) <= 500


def test_sheet_is_bounded():
    """Texts are cut, and URLs that are longer are neither offered to be looked at nor to be patched."""
    long = f"http://a/{'x' * 9_000}"
    missing = (MissingEmbed(url=long, page=long, why="gone"), MissingEmbed(url="http://a/y", page=long, why="gone"))
    found = Completeness(wanted=9, captured=7, missing=missing, missing_total=2)
    sample = (RiskyPage(url=long, title="", cluster="k", risk=1.0, why=""),)
    whole = known(completeness=found, sample=sample, not_compared="w" * 9_000)
    sheet = sheet_of(whole, recommend(whole, LIMITS))
    assert [one["url"] for one in sheet["patch"]] == ["http://a/y"]
    assert sheet["look"] == []
    assert len(sheet["not_compared"]) == len(sheet["patch"][0]["page"]) == 2_000
    assert sheet["patch_total"] == 2


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [(None, Unit.NUMBER, "–"), (1234, Unit.NUMBER, "1,234"), (1.5, Unit.NUMBER, "1.50"), (59, Unit.SECONDS, "59 s"),
     (7_260, Unit.SECONDS, "2 h 1 min"), (25_200, Unit.SECONDS, "7 h"),
     (61, Unit.SECONDS, "1 min 1 s"), (1_500_000, Unit.BYTES, "1.5 MB"),
     (12, Unit.BYTES, "12 B"), (99.95, Unit.PERCENT, "100.0 %")],
)  # fmt: skip
def test_shown(value, unit, words):
    """Measures read as people say them."""
    assert shown(value, unit) == words

"""From what was measured to one recommendation with ranked reasons. Pure.

`measures` turns what `works.quality` found into the numbers of the indicators; `recommend` puts their advice together:
the gravest wins, and all that speak for it are told, the weightiest first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from opilio.curation.indicators import BY_CODE, INDICATORS, Declared, Limit
from opilio.curation.judging import Judged, Measure, judged
from opilio.curation.models import Advice
from opilio.curation.site_health import Finding, Trouble
from opilio.works.quality.values import Figures, Lines, Measured, RiskyPage

_SIMPLE = (
    ("content", "bytes"), ("urls", "urls"), ("runtime", "seconds"), ("errors", "errors"), ("long-urls", "long_urls"),
    ("off-scope", "off_scope"), ("robots", "robots_denied"), ("unknown-types", "unknown_types"),
    ("sub-domains", "hosts"), ("repeating", "repeating"), ("blocked", "blocked"), ("sign-in", "sign_in"),
)  # fmt: skip
_HEADLINE = 500
_TOLD = 1  # reasons in the headline; the list of all stands below it


@dataclass(frozen=True, kw_only=True)
class Known:
    """All that a recommendation rests on."""

    measured: Measured
    sample: Sequence[RiskyPage] = ()
    findings: Sequence[Finding] = ()  # about the seeds
    unchanged: int = 0  # harvests in a row
    reference: str = ""  # the harvest it was compared with, in words


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """One advice, explained."""

    advice: Advice
    headline: str
    judged: Sequence[Judged]  # in the order of the table
    ranked: Sequence[Judged]  # those that ask for something, the gravest first


def measures(known: Known) -> dict[str, Measure]:
    """The numbers of the indicators; those that could not be measured are left out."""
    found = known.measured
    result = {
        **_simple(found), **_differential(found), **_pages(found), **_checks(found),
        "unchanged": Measure(value=known.unchanged),
        "site": Measure(value=len(known.findings), lines=[line for one in known.findings for line in one.evidence]),
    }  # fmt: skip
    return {code: result[code] for code in BY_CODE if code in result}


def recommend(known: Known, limits: Mapping[str, Limit]) -> Recommendation:
    """The advice of all indicators that count."""
    figures = known.measured.figures
    whole = figures.finished and figures.seeds > 0 and figures.seeds == figures.seeds_well
    found = measures(known)
    rows = [
        judged(_graver(one, known), limits[one.code], found[one.code], whole=whole)
        for one in INDICATORS
        if one.code in found and limits[one.code].active
    ]
    ranked = sorted((row for row in rows if row.advice > Advice.ENDORSE), key=_rank)
    advice = ranked[0].advice if ranked else Advice.ENDORSE
    return Recommendation(advice=advice, headline=_headline(advice, ranked, known), judged=rows, ranked=ranked)


def _graver(one: Declared, known: Known) -> Declared:
    """A site that only moved is looked at; one of which walls answered more often than pages is rejected."""
    if one.code == "site" and all(finding.trouble is Trouble.MOVED for finding in known.findings):
        return replace(one, over=Advice.LOOK)
    if one.code in ("blocked", "sign-in"):
        figures = known.measured.figures
        if figures.blocked + figures.sign_in > figures.pages:
            return replace(one, over=Advice.REJECT)
    return one


def _rank(row: Judged) -> tuple[int, int, float]:
    return -row.advice, -BY_CODE[row.code].weight, -row.excess


def _headline(advice: Advice, ranked: Sequence[Judged], known: Known) -> str:
    reasons = " ".join(row.reason for row in ranked[:_TOLD])
    compared = f" Compared with {known.reference}." if known.reference else " There is no earlier harvest to compare."
    return f"{_opening(advice, known)}{f' {reasons}' if reasons else compared}"[:_HEADLINE]


def _opening(advice: Advice, known: Known) -> str:
    patch = known.measured.completeness.missing_total
    return {
        Advice.ENDORSE: "Endorse: nothing unusual was found.",
        Advice.LOOK: f"Look at {_counted(len(known.sample), 'page')} before you decide.",
        Advice.PATCH: f"Patch {_counted(patch, 'URL')}." if patch else "Patch what replay misses.",
        Advice.DELIST: "Delist: the site does not change.",
        Advice.REJECT: "Reject.",
    }.get(advice, advice.label)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _simple(found: Measured) -> dict[str, Measure]:
    evidence = found.evidence
    return {
        code: Measure(
            value=getattr(found.figures, name), reference=_before(found.before, name),
            lines=evidence.get(name, Lines()).listed,
        )
        for code, name in _SIMPLE
    }  # fmt: skip


def _before(before: Figures | None, name: str) -> float | None:
    return getattr(before, name) if before is not None else None


def _differential(found: Measured) -> dict[str, Measure]:
    difference = found.differential
    if difference is None or not difference.before:
        return {}
    share = 100 / difference.before
    return {
        "matching": Measure(value=difference.matching * share),
        "missing": Measure(value=difference.missing.total * share, lines=difference.missing.listed),
        "new": Measure(value=difference.new.total * share, lines=difference.new.listed),
    }


def _pages(found: Measured) -> dict[str, Measure]:
    pages = found.figures.pages + found.figures.soft_404
    complete = found.completeness
    rows = {
        "soft-404": Measure(
            value=100 * found.figures.soft_404 / pages if pages else 0.0,
            lines=found.evidence.get("soft_404", Lines()).listed,
        ),
        "near-duplicates": Measure(value=found.duplicates.percent, lines=found.duplicates.largest.listed),
    }
    if complete.share is not None:
        lines = [f"{one.url} on {one.page} ({one.why})" for one in complete.missing]
        rows["completeness"] = Measure(value=100 * complete.share, lines=lines)
    return rows


def _checks(found: Measured) -> dict[str, Measure]:
    pages = found.checks.pages
    if not pages:
        return {}
    failed = [f"{url} on {page.url}" for page in pages for url in page.failed.listed]
    broken = [f"{page.url}: {page.problem}" for page in pages if page.problem]
    rows = {"replay": Measure(value=sum(page.failed.total for page in pages) + len(broken), lines=[*broken, *failed])}
    looks = {
        "pictures": [(page.picture, page.url) for page in pages if page.picture is not None],
        "live-pictures": [(page.live_picture, page.url) for page in pages if page.live_picture is not None],
    }
    for code, shares in looks.items():
        if shares:
            lines = [f"{url}: {share:.0%} differ" for share, url in sorted(shares, reverse=True)]
            rows[code] = Measure(value=100 * max(shares)[0], lines=lines)
    texts = [(page.live_text, page.url) for page in pages if page.live_text is not None]
    if texts:
        lines = [f"{url}: {share:.0%} alike" for share, url in sorted(texts)]
        rows["live-text"] = Measure(value=100 * min(texts)[0], lines=lines)
    return rows

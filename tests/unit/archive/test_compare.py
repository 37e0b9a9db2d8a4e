"""Two results side by side: what came, went and changed, and how texts differ."""

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.compare import text_diff as module
from opilio.archive.compare.differences import Difference, Kind, Totals, differences
from opilio.archive.compare.text_diff import Unit, text_diff
from opilio.kernel.errors import InvalidInput, Missing
from opilio.kernel.surt import surt
from opilio.works.compare_results import Named, Wanted, compare
from tests.unit.archive.derived import Page, derived, first_result, resource

URLS = ("http://a.example/", "https://a.example/", "http://a.example/x", "http://b.example/X", "http://b.example/x")
PAGES = st.builds(
    Page,
    url=st.sampled_from(URLS),
    title=st.sampled_from(["Owls", "Larks"]),
    text=st.sampled_from(["one", "two"]),
    status=st.sampled_from([200, 404]),
)
SIDES = st.lists(PAGES, max_size=5, unique_by=lambda page: page.url)


class Side:
    """Pages in the order in which a result gives them."""

    def __init__(self, pages):
        rows = [(surt(page.url), resource(page, number)) for number, page in enumerate(pages)]
        self.rows = sorted(rows, key=lambda row: (row[0], row[1].id))

    def with_surt(self, prefix=""):
        return iter([row for row in self.rows if row[0].startswith(prefix)])


def between(first, second, **more):
    return list(differences(Side(first), Side(second), **more))


@settings(max_examples=60)
@given(SIDES, SIDES)
def test_mirrored(first, second):
    """From B to A, what was added is removed and what changed is changed back; nothing else differs."""
    turned = {Kind.ADDED: Kind.REMOVED, Kind.REMOVED: Kind.ADDED}
    there, back = between(first, second), between(second, first)
    assert [(row.url, turned.get(row.kind, row.kind), row.fields) for row in there] == [
        (row.url, row.kind, row.fields) for row in back
    ]
    assert [(row.before, row.after) for row in there] == [(row.after, row.before) for row in back]


@settings(max_examples=60)
@given(SIDES, SIDES)
def test_every_url_once(first, second):
    """Each URL of either side comes once, with what a plain comparison finds."""
    before, after = ({page.url: page for page in side} for side in (first, second))
    found = {row.url: row for row in between(first, second)}
    assert len(found) == len(between(first, second))
    assert found.keys() == before.keys() | after.keys()
    for url, row in found.items():
        one, two = before.get(url), after.get(url)
        if one and two:
            same = {
                "digest": one.digest == two.digest,
                "status": one.status == two.status,
                "title": one.title == two.title,
            }
            assert set(row.fields) == {name for name, equal in same.items() if not equal}
        else:
            assert row.kind is (Kind.ADDED if two else Kind.REMOVED)


def test_order_and_prefix():
    """Differences come in the order of SURT keys; a prefix leaves the others out."""
    pages = [Page(url, "t") for url in URLS]
    assert [row.url for row in between(pages, [])] == sorted(URLS, key=lambda url: (surt(url), url))
    assert {row.url for row in between(pages, [], prefix="example,b)")} == {URLS[3], URLS[4]}


def test_only_what_was_captured():
    """What was denied or failed is not there, unless every resource is asked for."""
    side = Side([Page(URLS[0], "t")])
    never = [(key, dataclasses.replace(row, place=None, status=None)) for key, row in side.rows]
    side.rows = never
    empty = Side([])
    assert list(differences(empty, side)) == []
    assert [row.kind for row in differences(empty, side, every=True)] == [Kind.ADDED]


def test_totals():
    """Everything is counted, also the kinds and fields that never come."""
    totals = Totals()
    one, two = resource(Page(URLS[0], "a")), resource(Page(URLS[0], "b"))
    rows = [
        Difference(url=URLS[0], before=one, after=two, fields=("title",)),
        Difference(url=URLS[1], after=two),
    ]
    assert list(totals.counted(rows)) == rows
    assert totals.document() == {
        "kinds": {"added": 1, "removed": 0, "changed": 1, "unchanged": 0},
        "fields": {"digest": 0, "status": 0, "type": 0, "title": 1},
    }
    assert rows[0].document()["before"]["title"] == "a"


def test_text_by_lines():
    """A changed line is shown with its neighbours, and places count from the beginning."""
    before = "\n".join(map(str, range(100)))
    found = text_diff(before, before.replace("\n50\n", "\nfifty\n"), names=("old", "new"))
    assert list(found.lines) == [
        "--- old", "+++ new", "@@ -48,7 +48,7 @@", " 47", " 48", " 49", "-50", "+fifty", " 51", " 52", " 53",
    ]  # fmt: skip
    assert found.notes == ()


def test_text_by_words():
    """One word among many is found, however the lines are broken."""
    found = text_diff("the owl\nsat still", "the owl sat up", unit=Unit.WORDS)
    assert [line for line in found.lines if line[0] in "+-"][2:] == ["-still", "+up"]


@pytest.mark.parametrize(("before", "after"), [("", ""), ("a\nb", "a\nb")])
def test_same_text(before, after):
    """Equal texts have no difference."""
    assert text_diff(before, after).same


@settings(max_examples=60)
@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_the_diff_leads_from_one_to_the_other(first, second):
    """Lines without a plus are parts of the first text in order, those without a minus of the second."""
    found = text_diff("\n".join(first), "\n".join(second))
    shown = found.lines[2:]
    assert (not shown) is (first == second or "\n".join(first) == "\n".join(second))
    assert is_part([line[1:] for line in shown if line[0] in " -"], "\n".join(first).split("\n"))
    assert is_part([line[1:] for line in shown if line[0] in " +"], "\n".join(second).split("\n"))


def is_part(some, all_of_them):
    rest = iter(all_of_them)
    return all(any(each == other for other in rest) for each in some)


def test_long_texts_are_cut(monkeypatch):
    """Of very long changes the beginning is compared, and the answer says so."""
    monkeypatch.setattr(module, "LONGEST", 10)
    found = text_diff("same\n" + "a\n" * 50, "same\n" + "b\n" * 60)
    assert "first 10 lines" in found.notes[0]
    assert len(found.lines) < 30


def test_long_texts_that_hardly_differ():
    """What both begin and end with costs nothing, however long it is."""
    before = "".join(f"line {number}\n" for number in range(100_000))
    found = text_diff(before, before.replace("line 70000\n", ""))
    assert [line for line in found.lines if line.startswith("-l")] == ["-line 70000"]
    assert found.notes == ()


@pytest.fixture
def crawls(tmp_path):
    """Two crawls; the second has two results."""
    first_result(tmp_path / "a", [Page(URLS[0], "A", (), "one"), Page(URLS[2], "X", (), "x")])
    results = first_result(tmp_path / "b", [Page(URLS[0], "A", (), "two"), Page(URLS[2], "X", (), "x")])
    derived(results, urls=(URLS[2],))
    return tmp_path


def test_results_by_name(crawls):
    """DIR is the newest result, DIR@1 the first; a folder whose own name looks so is that folder."""
    one, newest, first = (Named.parse(str(crawls / name)) for name in ("a", "b", "b@1"))
    assert compare(one, newest, Wanted()).totals.kinds == {"changed": 1, "removed": 1}
    assert compare(one, first, Wanted()).totals.kinds == {"changed": 1, "unchanged": 1}
    (crawls / "c@3").mkdir()
    assert Named.parse(str(crawls / "c@3")).number is None


def test_rows_are_written(crawls, tmp_path):
    """All rows go into a file as JSON lines, as many as are wanted into the answer."""
    names = Named(folder=crawls / "a"), Named(folder=crawls / "b")
    found = compare(*names, Wanted(most=1, rows=tmp_path / "rows"))
    assert (len(found.rows), found.more) == (1, 1)
    rows = [json.loads(line) for line in (tmp_path / "rows").read_text().splitlines()]
    assert [(row["url"], row["kind"]) for row in rows] == [(URLS[0], "changed"), (URLS[2], "removed")]
    assert compare(*names, Wanted(only=Kind.REMOVED)).rows[0].url == URLS[2]
    below = compare(*names, Wanted(url="http://a.example/x"))
    assert (dict(below.totals.kinds), below.rows[0].url) == ({"removed": 1}, URLS[2])


def test_missing_folders(tmp_path):
    """A folder that is not there, or is no crawl, is told."""
    for name in ("none", "none@2", "."):
        with pytest.raises((Missing, InvalidInput)):
            Named.parse(str(tmp_path / name)).open()

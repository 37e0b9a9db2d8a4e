"""A chain of results reads as one: lineage, branches, what took the place of what; chains that are broken are told."""

import shutil

import pytest

from opilio.archive.results.errors import DamagedResult, NoResult
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.archive.results.writer import ResultWriter
from tests.unit.archive.derived import Page, derived, first_result

PAIR = (Page("http://a.example/", "A", ("http://a.example/x",), "text of a"), Page("http://a.example/x", "X", (), "x"))


@pytest.fixture
def results(tmp_path):
    return first_result(tmp_path / "crawl", PAIR)


def test_lineage(results):
    """Each result says from which it came, who made it, why, and what was done, in order."""
    derived(results, urls=("http://a.example/x",), note="Not ours.")
    derived(results, pages=[Page("http://b.example/", "B")], note="It was missing.")
    with ResultView(results) as view:
        lineage = view.lineage()
    assert [(each.number, each.parent, each.by, each.note) for each in lineage] == [
        (1, None, "", ""),
        (2, 1, "curator", "Not ours."),
        (3, 2, "curator", "It was missing."),
    ]
    assert lineage[1].changes == (
        "remove URL http://a.example/x",
        "1 removed, 0 added, 0 of these in place of others",
    )
    assert lineage[2].changes[0] == "add new.warc.gz (replace)"
    assert [(each.removed, each.added) for each in lineage] == [(0, 2), (1, 0), (0, 1)]


def test_branches(results):
    """Two results may be derived from one; neither sees what the other did."""
    derived(results, urls=("http://a.example/x",))
    derived(results, urls=("http://a.example/",), parent=1)
    with ResultView(results, 2) as second, ResultView(results, 3) as third:
        assert [page.url for page in second.resources()] == ["http://a.example/"]
        assert [page.url for page in third.resources()] == ["http://a.example/x"]


def test_what_took_a_place_was_reached_as_the_other(results):
    """A patched page keeps seed, depth and way of the one it replaces, and is linked from where that was."""
    derived(results, pages=[Page("http://a.example/x", "X2")])
    with ResultView(results, 1) as before, ResultView(results, 2) as after:
        old, new = before.resource("http://a.example/x"), after.resource("http://a.example/x")
        assert (new.seed, new.depth, new.parent) == (old.seed, old.depth, old.parent)
        assert new.id == 2
        assert after.inlinks(new.id) == [0]
        assert after.ways(new) == before.ways(old)
        assert after.parents(new) == ()
        assert [warc.file for warc in after.warcs()] == ["one.warc.gz", "result-2-new.warc.gz"]


def test_the_text_of_a_pruned_page_is_not_listed(results):
    """Whoever indexes a result does not find what was pruned from it."""
    derived(results, urls=("http://a.example/x",))
    with ResultView(results) as view:
        assert [text for *_, text in view.texts()] == ["text of a"]
        assert view.extractors() == {"2"}


def test_no_such_result(results, tmp_path):
    """A result that is not there is named with those that are."""
    with pytest.raises(NoResult) as caught:
        ResultView(results, 7)
    assert "There are: 1." in caught.value.remedy
    with pytest.raises(NoResult):
        ResultView(ResultsFolder(tmp_path / "nowhere"))


def test_a_parent_that_is_no_parent(results):
    """A result that claims to be derived from itself or a later one is damaged, not followed for ever."""
    derived(results, urls=("http://a.example/x",))
    with ResultView(results) as view:
        head = view.head
    for name in ("result-2.db", "result-2.sha256"):
        (results.path / name).unlink()
    with ResultWriter(results.file(2)) as writer:
        writer.arrange()
        writer.finish(type(head)(number=2, sealed="", software="", plan="", parent=2))
    shutil.copy(results.manifest(1), results.manifest(2))
    with pytest.raises(DamagedResult):
        ResultView(results, 2)


def test_a_lost_parent(results):
    """Without its parent, a derived result cannot be read, and says which one is missing."""
    derived(results, urls=("http://a.example/x",))
    results.manifest(1).unlink()
    with pytest.raises(NoResult) as caught:
        ResultView(results, 2)
    assert "result 1" in caught.value.what


def test_another_parent(results):
    """When the parent is not the file any more from which a result was derived, that is told."""
    derived(results, urls=("http://a.example/x",))
    text = results.manifest(1).read_text()
    results.manifest(1).unlink()
    results.manifest(1).write_text("0" * 64 + text[64:])
    with pytest.raises(DamagedResult) as caught:
        ResultView(results, 2)
    assert "not the one" in caught.value.what

"""Writing an index."""

import copy
import dataclasses
import json
import math

import pytest

from opilio.search.access_filter import OPEN
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings, StopRule
from opilio.search.index.build import IndexBuild
from opilio.search.index.clone import clone
from opilio.search.index.entry import Preparer
from opilio.search.index.errors import (
    BadSearchDocument,
    BuildEnded,
    IndexCountWrong,
    IndexNotWritten,
    IndexUnreadable,
    OtherAnalysis,
)
from opilio.search.request import Request
from opilio.search.search_index import SearchIndex
from tests.unit.search.made_index import MEMORY, document, made_index


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index"


def build(folder, analyzer=None):
    return IndexBuild(folder, analyzer or Analyzer(), threads=1, memory=MEMORY)


def pages(folder, query="*"):
    return sorted(SearchIndex(folder, Analyzer()).pages(query, OPEN))


def test_a_page_replaces_the_earlier_one_of_its_id(folder):
    """The same id twice is one page, before and after a commit, and the later text counts."""
    with build(folder) as made:
        made.add(3, document("harbour"))
        made.add(3, document("lighthouse"))
        assert (len(made), made.commit()) == (1, 1)
        made.add(3, document("bridge"))
    assert (pages(folder), pages(folder, "lighthouse"), pages(folder, "bridge")) == ([3], [], [3])


def test_pages_prepared_elsewhere_are_the_same(folder, tmp_path):
    """What another process prepared gives the same index as the document itself."""
    page = document("harbour ships", title="Ports", metas=(("author", "Ann"),), target="7")
    sent = copy.deepcopy(Preparer(Analyzer())).prepared(page)
    with build(folder) as made:
        made.add(1, sent, rank=0.5)
    made_index(tmp_path / "other", [document("ferry"), page])
    for query in ("ship", "title:port", "meta:author=ann target:7", "site:example.org harbour"):
        assert pages(folder, query) == pages(tmp_path / "other", query) == [1]
    with pytest.raises(BadSearchDocument):
        Preparer(Analyzer()).prepared(dataclasses.replace(page, text=None))


def test_deleted_pages_are_gone(folder):
    """A page that was deleted is not found after the next commit; deleting what is not there does nothing."""
    with build(folder) as made:
        made.add(1, document("harbour"))
        made.add(2, document("harbour"))
        made.commit()
        assert made.delete(1)
        assert not made.delete(1)
        assert not made.delete(77)
    assert pages(folder, "harbour") == [2]


def test_an_error_throws_away_what_was_not_committed(folder):
    """A build that ends with an error leaves the last commit."""
    made = build(folder)
    made.add(1, document("harbour"))
    made.commit()
    made.add(2, document("bridge"))
    with pytest.raises(KeyError), made:
        raise KeyError
    assert pages(folder) == [1]
    with pytest.raises(BuildEnded) as caught:
        made.add(3, document("ship"))
    assert "Open the folder again" in str(caught.value)


WRONG = [
    ("text", 7), ("text", None), ("text", b"bytes"), ("url", 1), ("title", ["x"]), ("captured", "now"),
    ("captured", math.nan), ("captured", math.inf), ("captured", -1.0), ("captured", 1e300), ("captured", True),
    ("size", -1), ("size", 2**70), ("size", 1.5), ("fingerprint", 2**64), ("boilerplate_from", "3"),
    ("headings", "one"), ("headings", (1,)), ("anchors", None), ("metas", (("a",),)), ("metas", (("a", 1),)),
    ("metas", (["a", "b"],)), ("language", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_page_is_refused_and_harms_no_other(folder, name, value):
    """A value of a wrong type or size is named, and the pages before and after it are all there."""
    with build(folder) as made:
        made.add(1, document("harbour"))
        with pytest.raises(BadSearchDocument) as caught:
            made.add(2, dataclasses.replace(document("bridge"), **{name: value}))
        made.add(3, document("ship"))
        assert made.commit() == 2
    assert f", {name})" in str(caught.value)
    assert pages(folder) == [1, 3]


@pytest.mark.parametrize(
    "wrong", [{"page": -1}, {"page": "1"}, {"page": 2**63}, {"rank": 1.5}, {"rank": math.nan}, {"group": -1}]
)
def test_wrong_numbers_are_refused(folder, wrong):
    """Ids and ranks out of range are refused too."""
    with build(folder) as made, pytest.raises(BadSearchDocument):
        made.add(**({"page": 1, "document": document("x")} | wrong))


def test_what_is_no_document_is_refused(folder):
    """A dictionary is no search document."""
    with build(folder) as made, pytest.raises(BadSearchDocument):
        made.add(1, {"url": "https://example.org/"})


def test_huge_pages_are_cut_and_say_so(folder):
    """Of an endless text the beginning is indexed, and the hit says that the rest is not."""
    text = "harbour " + "word " * 10_000_000 + " lighthouse"  # 50 MB
    index = made_index(folder, [document(text)])
    found = index.search(Request(query="harbour"), OPEN)
    assert found.hits[0].notes == (f"Only the first 4,000,000 of {len(text):,} characters are indexed.",)
    assert index.count("lighthouse", OPEN) == 0


def test_odd_characters_are_taken(folder):
    """Halves of characters, zeros and endless addresses spoil nothing."""
    odd = document("har\ud800bour bridge\0ship", title="\udfff", url="https://example.org/" + "x" * 70_000)
    index = made_index(folder, [odd, document("ferry", url="no url at all")])
    assert index.count("bridge", OPEN) == index.count("ferry", OPEN) == 1
    assert "\ufffd" in index.search(Request(query="bridge"), OPEN).hits[0].snippet.text


def test_another_analysis_is_refused(folder):
    """Terms of other stop words cannot be mixed into an index, nor read from it."""
    made_index(folder, [document("harbour")])
    other = Analyzer(AnalysisSettings(stop_rules=(StopRule("", "harbour", True),)))
    with pytest.raises(OtherAnalysis):
        SearchIndex(folder, other)
    with pytest.raises(OtherAnalysis):
        build(folder, other)


def test_what_is_no_index_is_refused(folder):
    """An empty folder, and one whose files are damaged, are named with what to do."""
    with pytest.raises(IndexUnreadable) as caught:
        SearchIndex(folder, Analyzer())
    assert str(folder) in str(caught.value)
    made_index(folder, [document("harbour")])
    (folder / "meta.json").write_text("{")
    with pytest.raises(IndexUnreadable):
        SearchIndex(folder, Analyzer())


def test_two_writers_exclude_each_other(folder):
    """While one writes, another is told that it cannot."""
    with build(folder), pytest.raises(IndexNotWritten):
        build(folder)


def test_counts_are_checked_after_a_commit(folder):
    """An index that holds other pages than were given to it is reported, and the writer is gone."""
    made = build(folder)
    made.add(1, document("harbour"))
    made._pages.add(2)
    with pytest.raises(IndexCountWrong) as caught:
        made.commit()
    assert "holds 1 pages after a commit, not 2" in str(caught.value)
    with pytest.raises(BuildEnded):
        made.commit()


def test_a_clone_leaves_the_first_alone(folder, tmp_path):
    """Pages added to and deleted from a clone are not seen in the index it was made of, which shares its files."""
    made_index(folder, [document("harbour"), document("bridge")])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    clone(folder, tmp_path / "clone")
    shared = [path for path in (tmp_path / "clone").iterdir() if path.stat().st_nlink > 1]
    with build(tmp_path / "clone") as made:
        assert 1 in made
        made.delete(0)
        made.add(2, document("lighthouse"))
    assert pages(tmp_path / "clone") == [1, 2]
    assert pages(folder) == [0, 1]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert shared


def test_far_ids_are_taken(folder):
    """Ids need not be dense."""
    with build(folder) as made:
        made.add(2**62, document("harbour"))
        made.add(5, document("harbour"))
        assert 2**62 in made
    assert pages(folder) == [5, 2**62]
    with build(folder) as made:
        assert made.delete(2**62)
    assert pages(folder) == [5]


def test_about_file_names_the_analysis(folder):
    """Beside the engine's files lies what the terms come from."""
    made_index(folder, [])
    assert json.loads((folder / "opilio.json").read_bytes()) == {"format": 1, "analysis": Analyzer().fingerprint}

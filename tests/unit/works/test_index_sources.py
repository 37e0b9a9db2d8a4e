"""The list of sources of an index."""

import pytest

from opilio.kernel.errors import Damaged, InvalidInput, Missing
from opilio.works.index_sources import IndexSource, SourcesFile, named_after, opened
from tests.unit.archive.derived import Page, derived, first_result


@pytest.fixture
def sources(tmp_path):
    return SourcesFile(tmp_path / "index" / "sources.json")


def source(name="owls", **fields):
    return IndexSource(name=name, folder="/crawls/owls", **fields)


def test_sources_come_back(sources):
    """In the order in which they were named; the last word about one counts."""
    assert sources.all() == []
    sources.add([source("one", agency="a1"), source("two", result=2)])
    sources.add([source("one", agency="a2")])
    assert sources.all() == [source("one", agency="a2"), source("two", result=2)]
    assert sources.one("two").result == 2


def test_a_source_is_dropped(sources):
    """The others stay; an unknown one is told."""
    sources.add([source("one"), source("two")])
    assert sources.drop("one") == [source("two")] == sources.all()
    with pytest.raises(Missing, match="no such source"):
        sources.drop("one")


@pytest.mark.parametrize("name", ["", "../x", "a b", "ä", "x" * 101, "-a"])
def test_a_bad_name(sources, name):
    """Is refused before anything is written."""
    with pytest.raises(InvalidInput, match="cannot be the name"):
        sources.add([source("good"), source(name)])
    assert sources.all() == []


@pytest.mark.parametrize(
    "body", ["", "{", "{}", "[1]", '[{"name": "a"}]', '[{"name": 1, "folder": "f"}]', '[{"x": "y"}]']
)
def test_a_broken_file(sources, tmp_path, body):
    """Is told with its place, and stays as it is."""
    path = tmp_path / "index" / "sources.json"
    path.parent.mkdir()
    path.write_text(body)
    with pytest.raises(Damaged, match=r"sources\.json"):
        sources.all()
    assert path.read_text() == body


def test_names(tmp_path):
    """A folder keeps its name; another folder of the same name gets a number."""
    one, two = tmp_path / "a" / "my crawl", tmp_path / "b" / "my crawl"
    assert named_after(one, {}) == "my-crawl"
    assert named_after(two, {"my-crawl": str(one.resolve())}) == "my-crawl-2"
    assert named_after(one, {"other": str(one.resolve())}) == "other"


def test_a_changed_result_has_another_fingerprint(tmp_path):
    """So has one about which something else is said."""
    results = first_result(tmp_path / "owls", [Page("https://a.example/", "A", text="x")])
    named = IndexSource(name="owls", folder=str(tmp_path / "owls"))
    first, second = named.fingerprint(), IndexSource(name="owls", folder=named.folder, agency="a").fingerprint()
    derived(results, pages=[Page("https://a.example/b", "B")])
    assert len({first, second, named.fingerprint()}) == 3


def test_a_crawl_that_is_gone(tmp_path):
    """The message names the folder and what to do."""
    with (
        pytest.raises(Missing, match="gone") as caught,
        opened([IndexSource(name="owls", folder=str(tmp_path / "no"))]),
    ):
        pass
    assert "opilio index forget owls" in caught.value.remedy

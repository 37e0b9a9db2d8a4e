"""Each of seed B's nine tables against an independent count of a small site."""

import io
import re
from collections import Counter, defaultdict

import pytest

from opilio.search.views.dump import TABLES, dump, time_text, write_dump
from opilio.search.views.errors import UnknownTable
from opilio.search.views.reader import Views
from tests.unit.search.views import brute

_HOME, _NEWS, _FAR = "https://a.example/", "https://a.example/news", "https://far.example/"
_PAGES = {_HOME: "The cat and the dog. The cat!", _NEWS: "Opilio harvest of cats and cat"}
_LINKS = {_HOME: {_NEWS: 2, _HOME: 1}, _NEWS: {_HOME: 1, _FAR: 3}}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """All tables: name → key → value, as text."""
    path = tmp_path_factory.mktemp("views") / "views.db"
    brute.build(path, _PAGES, _LINKS)
    with Views(path) as views:
        return {name: dict(line.split("\t") for line in dump(views, name)) for name in TABLES}


def _pairs(value):
    return [tuple(map(int, pair.split(" "))) for pair in value.removesuffix(";").split(";")]


def test_there_are_the_nine_tables_of_the_seed():
    """Under the seed's names."""
    assert list(TABLES) == [
        "PageIDtoURL", "URLtoPageID", "PageIDtoTime", "WordIDtoWord", "WordtoWordID", "ParenttoChild", "ChildtoParent",
        "PageIDtoWordID", "WordIDtoPageID",
    ]  # fmt: skip


def test_pages_have_ids_from_0(tables):
    """Both directions say the same, for fetched pages and for those that are only linked to."""
    assert sorted(map(int, tables["PageIDtoURL"])) == [0, 1, 2]
    assert set(tables["PageIDtoURL"].values()) == {_HOME, _NEWS, _FAR}
    assert tables["URLtoPageID"] == {url: number for number, url in tables["PageIDtoURL"].items()}


def test_times_have_the_form_of_the_seed(tables):
    """A page that was never fetched was modified in 1970."""
    by_url = {tables["PageIDtoURL"][number]: time for number, time in tables["PageIDtoTime"].items()}
    assert by_url[_FAR] == "Thu Jan 01 00:00:00 UTC 1970"
    assert by_url[_HOME] == "Thu Jan 01 00:17:09 UTC 1970"


def test_words_have_ids_from_1(tables):
    """Both directions say the same; stop words have id 0."""
    words = {word for text in _PAGES.values() for word in brute.split(text)}
    numbers = tables["WordtoWordID"]
    assert set(numbers) == words
    assert {word for word, number in numbers.items() if number == "0"} == words & brute.STOPS
    others = {number: word for word, number in numbers.items() if number != "0"}
    assert sorted(map(int, others)) == list(range(1, len(words - brute.STOPS) + 1))
    assert tables["WordIDtoWord"] == {"0": "(stop words)", **others}


def test_links_both_ways(tables):
    """Each child with its parents and each parent with its children."""
    urls = tables["PageIDtoURL"]
    children = {
        urls[key]: {urls[item] for item in value.split(";") if item} for key, value in tables["ParenttoChild"].items()
    }
    parents = {
        urls[key]: {urls[item] for item in value.split(";") if item} for key, value in tables["ChildtoParent"].items()
    }
    assert children == {parent: set(found) for parent, found in _LINKS.items()}
    turned = defaultdict(set)
    for parent, found in _LINKS.items():
        for child in found:
            turned[child].add(parent)
    assert parents == turned


def test_words_of_pages_both_ways(tables):
    """Frequencies are those of a count by hand, stop words under 0, in the form `id freq;id freq;`."""
    urls, words = tables["PageIDtoURL"], tables["WordIDtoWord"]
    expected = {}
    for url, text in _PAGES.items():
        counts = Counter("(stop words)" if word in brute.STOPS else word for word in brute.split(text))
        expected.update({(url, word): count for word, count in counts.items()})
    forward = {
        (urls[page], words[str(word)]): count
        for page, value in tables["PageIDtoWordID"].items() for word, count in _pairs(value)
    }  # fmt: skip
    inverted = {
        (urls[str(page)], words[word]): count
        for word, value in tables["WordIDtoPageID"].items() for page, count in _pairs(value)
    }  # fmt: skip
    assert forward == inverted == expected
    assert all(re.fullmatch(r"(\d+ \d+;)+", value) for value in tables["PageIDtoWordID"].values())


def test_dump_goes_to_a_stream_under_any_spelling(tmp_path):
    """The number of lines is told; a table that there is not is named with those that there are."""
    brute.build(tmp_path / "views.db", _PAGES, _LINKS)
    stream = io.StringIO()
    with Views(tmp_path / "views.db") as views:
        assert write_dump(views, "pageidtourl", stream) == 3
        with pytest.raises(UnknownTable) as caught:
            dump(views, "WordToPage")
    assert stream.getvalue().endswith("\n")
    assert "WordIDtoPageID" in caught.value.remedy


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1_655_398_059, "Thu Jun 16 16:47:39 UTC 2022"),
        (0, "Thu Jan 01 00:00:00 UTC 1970"),
        (-5, "Thu Jan 01 00:00:00 UTC 1970"),
        (1e18, "Fri Dec 31 23:59:59 UTC 9999"),
    ],
)
def test_times_as_text(seconds, text):
    """Also of times that nobody can have meant."""
    assert time_text(seconds) == text

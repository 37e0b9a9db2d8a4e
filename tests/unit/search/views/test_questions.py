"""The stories of pages, words and links."""

import pytest

from opilio.search.views.errors import BadWord, NoSuchPage, NoSuchWord
from opilio.search.views.questions import Link, PageCount, WordCount, links_of, page, word
from opilio.search.views.reader import Views
from tests.unit.search.views import brute

_SITE = [f"https://a.example/{number}" for number in range(250)]


@pytest.fixture(scope="module")
def views(tmp_path_factory):
    """250 pages that all link to the first; every page has the cat, the third has more."""
    path = tmp_path_factory.mktemp("views") / "views.db"
    pages = dict.fromkeys(_SITE, "the cat") | {_SITE[3]: "Dogs of the cat: dogs, the dogs"}
    brute.build(path, pages, {url: {_SITE[0]: 2, "https://never.example/": 1} for url in _SITE})
    with Views(path) as views:
        yield views


def test_story_of_a_page(views):
    """Its words by frequency without stop words, its links, when it was modified; by URL and by id alike."""
    found = page(views, _SITE[3])
    assert found == page(views, found.id)
    assert found.top_words == (
        WordCount(views.word("dogs").id, "dogs", 3, (0, 4, 6)),
        WordCount(views.word("cat").id, "cat", 1, (3,)),
    )
    assert (found.fetched, found.last_modified, found.words, found.stop_words) == (True, 1_031.0, 7, 3)
    assert [link.url for link in found.links.children] == [_SITE[0], "https://never.example/"]


def test_story_of_a_page_never_fetched(views):
    """It has links to it, no words and no time."""
    found = page(views, "https://never.example/", links=2)
    assert (found.fetched, found.last_modified, found.top_words, found.words) == (False, None, (), 0)
    assert (found.links.backlinks, found.links.backlink_pages, len(found.links.parents)) == (250, 250, 2)


def test_links_go_on_where_they_were_cut(views):
    """Occurrences and pages are counted apart; asking on gives the rest, once each."""
    first = links_of(views, _SITE[0], first=100)
    assert (first.backlinks, first.backlink_pages, first.children_count) == (500, 250, 2)
    assert first.parents[0] == Link(0, _SITE[0], 2)
    seen, answer = list(first.parents), first
    while answer.more_parents is not None:
        answer = links_of(views, _SITE[0], first=100, after=answer.more_parents)
        seen += answer.parents
    assert sorted(link.url for link in seen) == sorted(_SITE)


def test_story_of_a_word(views):
    """Found in any case, with its stem, frequencies, and its pages with positions; the rest by asking on."""
    found = word(views, "CAT", first=3)
    assert (found.stem, found.pages, found.occurrences) == ("cat", 250, 250)
    assert found.first[1:] == (PageCount(1, _SITE[1], 1, (1,)), PageCount(2, _SITE[2], 1, (1,)))
    seen, answer = list(found.first), found
    while answer.more is not None:
        answer = word(views, "cat", first=97, after=answer.more)
        seen += answer.first
    assert [entry.url for entry in seen] == _SITE
    assert word(views, "Dogs").first == (PageCount(3, _SITE[3], 3, (0, 4, 6)),)


def test_story_of_a_stop_word(views):
    """It tells of all stop words together, whose places are those that no other word has."""
    found = word(views, "The", first=200)
    assert (found.id, found.pages, found.occurrences) == (0, 250, 252)
    assert {entry.url: entry.positions for entry in found.first}[_SITE[3]] == (1, 2, 5)
    assert len(word(views, "the", first=200, after=found.more).first) == 50


@pytest.mark.parametrize("asked", ["", "two words", "--", "e-mail"])
def test_what_is_not_one_word(views, asked):
    """Is refused."""
    with pytest.raises(BadWord):
        word(views, asked)


@pytest.mark.parametrize("asked", ["unheard", "x" * 199])
def test_words_that_no_page_has(views, asked):
    """Are missing."""
    with pytest.raises(NoSuchWord):
        word(views, asked)


@pytest.mark.parametrize("asked", ["https://b.example/", "", "\ud800", -1, 10_000, 1 << 70])
def test_pages_that_nobody_knows(views, asked):
    """Are missing, whatever was asked for."""
    with pytest.raises(NoSuchPage):
        page(views, asked)


@pytest.mark.parametrize("count", [-1, 0, 1 << 40])
def test_odd_sizes_are_bounded(views, count):
    """An answer has at least one entry and not without end."""
    assert 1 <= len(word(views, "cat", first=count).first) <= 250

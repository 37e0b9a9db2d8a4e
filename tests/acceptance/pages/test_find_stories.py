"""The stories that the search pages tell: of a page, of a word, of links; and the status of the index."""

import pytest

from opilio.people.privileges import Privilege, Scope
from opilio.works.search_values import IndexStatus
from tests.acceptance.fake_search import URL
from tests.acceptance.pages.test_find import home, links

pytestmark = pytest.mark.only_on("sqlite")  # the index is the same whatever holds the catalogue

__all__ = ["home"]  # a fixture
PUBLISHES = {Privilege.PUBLISH_INDEX: Scope.AGENCY}


def test_the_story_of_a_page(visitor, db, home):
    """Title, meta tags, type, size, dates, generations, words, links, captures, rank and near-duplicates."""
    text = visitor.see("/find/page", url=URL)
    for words in (
        "Regatta results of the harbour", "regatta, harbour", "text/html", "48.2 kB", "13 Nov 2025", "never told",
        "20261001T080000Z-1", "Link rank", "0.421", "Captures over time", "<circle", "Nearly the same",
        "harbour.example/news/regatta.html", "9 links, each occurrence counted",
    ):  # fmt: skip
        assert words in text, words
    found = links(text)
    assert found["boats"] == "/find/word?w=boats"
    assert found["All links"].startswith("/find/links?url=")
    assert found["www.harbour.example/news"].startswith("/find/page?url=")
    assert "Why it ranks" not in text


def test_why_a_page_ranks(visitor, db, home):
    """With a query the story shows the parts of the score, and the way back to the hits."""
    text = visitor.see("/find/page", url=URL, q="regatta")
    assert "Why it ranks for “regatta”" in text
    assert "<td>title</td>" in text
    assert links(text)["Hits for “regatta”"] == "/find?q=regatta"
    assert "This query does not find the page" in visitor.see("/find/page", url=URL, q="nothing")


def test_curators_read_stories_inside_their_pages(enter, home):
    """And stay there."""
    text = enter().see("/search/pages/page", url=URL)
    assert "Account of curator" in text
    assert links(text)["boats"] == "/search/pages/word?w=boats"


@pytest.mark.parametrize("path", ["/find/page", "/find/links", "/search/pages/page"])
@pytest.mark.parametrize(
    "url", ["", "https://unknown.example/", "\x00", "x" * 100_000, "javascript:alert(1)", "é\ud800"]
)
def test_a_page_that_is_not_there(enter, home, path, url):
    """A page says so, with the way to the search."""
    answer = enter().get(path, {"url": url.encode("utf-8", "surrogatepass")})
    assert answer.status_code == 404
    assert "Not in the archive" in answer.text


def test_the_story_of_a_word(visitor, db, home):
    """Pages with frequency and positions, and the next portion."""
    text = visitor.see("/find/word", w="regatta")
    for words in ("500", "2,000", "0 2 4 6", "and 10 more"):
        assert words in text
    assert links(text)["Next pages"] == "/find/word?w=regatta&after=2"
    visitor.see("/find/word", w="regatta", after="2")
    assert home.service.calls[-1][1] == ("regatta", 2)


def test_a_stop_word(visitor, db, home):
    """It is said to be one."""
    assert "stop word" in visitor.see("/find/word", w="the")


@pytest.mark.parametrize("query", ["", "w=%00", "w=%FF", "w=" + "x" * 100_000, "w=a&after=x", "w=a&after=" + "9" * 99])
def test_odd_words(visitor, db, home, query):
    """Whatever is looked up gets a page."""
    assert visitor.get(f"/find/word?{query}").status_code == 200


def test_links_of_a_page(visitor, db, home):
    """Both sides with how often."""
    text = visitor.see("/find/links", url=URL)
    assert "8 times" in text
    assert links(text)["museum.example/archive/tides.pdf"].startswith("/find/page?url=")


@pytest.mark.parametrize("query", ["", "url=a", "page=7", "page=-1&url=a", "page=x&url=a"])
def test_similar_without_a_page(visitor, db, home, query):
    """Nothing is guessed."""
    assert visitor.get(f"/find/similar?{query}").status_code == 404


def test_the_working_index_tells_no_stories(enter, home, monkeypatch):
    """A page says so; hits of it do not lead to stories."""
    browser = enter(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
    assert "About this page" not in browser.see("/search/pages", q="a", **{"in": "working"})
    monkeypatch.setattr("opilio.web.find_face.WorkingSearch", type(home.live))
    answer = browser.get("/search/pages/page", {"url": URL, "in": "working"})
    assert answer.status_code == 404
    assert "tells no stories" in answer.text


def test_the_status_of_the_index(enter, home):
    """Generations, nodes with lag and trouble, changed results, followed crawls."""
    text = enter(privileges=PUBLISHES).see("/index")
    for words in ("35,123", "812 MB", "1 behind", "It does not answer.", "1 of 2 changed", "museum-2026", "321"):
        assert words in text, words


def test_the_status_of_an_empty_index(enter, home):
    """Each part says what would fill it."""
    home.told = IndexStatus()
    text = enter(privileges=PUBLISHES).see("/index")
    for words in ("No node", "No generation yet", "No result is searched", "No crawl is followed"):
        assert words in text, words


def test_the_status_of_the_real_home(enter):
    """Without any index the page stands."""
    assert "No generation yet" in enter(privileges=PUBLISHES).see("/index")


def test_the_status_is_for_those_who_publish(enter, home):
    """Others are refused and do not see the entry."""
    browser = enter()
    assert browser.get("/index").status_code == 403
    assert 'href="/index"' not in browser.see("/search/pages")

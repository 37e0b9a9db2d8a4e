"""The search page for readers, and the same for curators: hits, narrowing, paging, empty states, bad input."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from opilio.kernel.access import Reader
from opilio.kernel.errors import Missing
from opilio.people.privileges import Privilege, Scope
from opilio.search.request import Sort
from tests.acceptance.fake_search import EVIL, URL, FakeHome

pytestmark = pytest.mark.only_on("sqlite")  # the index is the same whatever holds the catalogue

REVIEWS = {Privilege.ENDORSE_HARVEST: Scope.AGENCY}


@pytest.fixture
def home(monkeypatch):
    """A home with a published generation and a working index, both made up."""
    home = FakeHome()
    monkeypatch.setattr("opilio.web.find_face.search_home", lambda: home)
    monkeypatch.setattr("opilio.web.views.index_status.search_home", lambda: home)
    return home


def asked(home):
    """The last request, and who asked."""
    _, request, reader = home.service.calls[-1]
    return request, reader


def links(text):
    """The links of a page by their words."""
    found = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', text, re.DOTALL)
    return {" ".join(re.sub(r"<[^>]+>", " ", words).split()): unescape(path) for path, words in found}


def test_strangers_search_without_signing_in(visitor, db, home):
    """The page is open, and asks as the public at its address."""
    text = visitor.see("/find", q="regatta harbour")
    assert "1,234</b> pages" in text
    assert "<mark>Regatta</mark> results of the <mark>harbour</mark>" in text
    assert asked(home)[1] == Reader(address="127.0.0.1")


def test_a_reader_behind_a_trusted_proxy(visitor, db, home, settings):
    """The address is the one that the trusted proxy saw."""
    settings.OPILIO = replace(settings.OPILIO, server_trusted_proxies=1)
    visitor.get("/find", {"q": "a"}, headers={"X-Forwarded-For": "198.51.100.9, 192.0.2.7"})
    assert asked(home)[1] == Reader(address="192.0.2.7")


def test_a_hit_tells_all(visitor, db, home):
    """Readable address, site, type, language, day, notice, near-duplicates, and ways onward."""
    text = visitor.see("/find", q="regatta")
    for words in ("museum.example/archive/tides.pdf", "French", "PDF", "Harbour Museum. Used by permission", "48.2 kB"):
        assert words in text, words
    found = links(text)
    assert found["3 more pages nearly the same"] == "/find?q=regatta&duplicates=1"
    assert found["Tide tables 1900–1950"] == "https://museum.example/archive/tides.pdf"
    assert "/find/page?url=" in found["About this page"]
    assert "/find/similar?page=" in found["Similar pages"]
    assert "Archived copy" not in text
    assert "reading-room" not in text


def test_an_archived_copy_is_linked_where_replay_is_known(visitor, db, home, settings):
    """The setting names the address; the title leads there too."""
    settings.OPILIO = replace(settings.OPILIO, search_replay_url="https://replay.example/{timestamp}/{url}")
    found = links(visitor.see("/find", q="regatta"))
    assert found["Archived copy"].startswith("https://replay.example/2025")
    assert found["Tide tables 1900–1950"].endswith("/https://museum.example/archive/tides.pdf")


def test_what_pages_wrote_stays_text(visitor, db, home):
    """Scripts in titles, snippets and meta tags are shown, not run; a link never leads to a script."""
    for path, query in (
        ("/find", {"q": "a"}),
        ("/find/page", {"url": URL}),
        ("/find/similar", {"page": 7, "url": EVIL}),
    ):
        text = visitor.see(path, **query)
        assert EVIL not in text, path
        assert 'href="javascript' not in text, path


def test_facets_narrow(visitor, db, home):
    """Each value adds its filter to the query and goes back to the first hits."""
    text = visitor.see("/find", q="a OR b", sort="date", **{"from": "20"})
    found = links(text)
    assert found["German 234 pages"] == "/find?q=a+OR+b+lang%3Ade&sort=date"
    assert found["2024 524 pages"] == "/find?q=a+OR+b+since%3A2024+until%3A2024&sort=date"
    assert "<summary>3 more</summary>" in text


def test_what_every_hit_has_is_no_choice(visitor, db, home):
    """A value of all hits does not narrow them, and is not offered."""
    home.service.total = 1_200
    found = links(visitor.see("/find", q="a"))
    assert "PDF 34 pages" in found
    assert "Web page 1,200 pages" not in found


def test_filters_can_be_taken_away(visitor, db, home):
    """Each filter of the query stands as a chip that leads to the query without it."""
    found = links(visitor.see("/find", q="boats site:site1.example since:2024 until:2024"))
    assert found["Site: site1.example , take away"] == "/find?q=boats+since%3A2024+until%3A2024"
    assert found["Date: 2024 , take away"] == "/find?q=boats+site%3Asite1.example"


def test_switches_and_order(visitor, db, home):
    """All words, near-duplicates and the order are links, and reach the index."""
    found = links(visitor.see("/find", q="boats"))
    assert found["date"] == "/find?q=boats&sort=date"
    visitor.see("/find", q="boats", sort="date", every="1", duplicates="1", limit="25", **{"from": "50"})
    request, _ = asked(home)
    assert (request.sort, request.every, request.collapse) == (Sort.DATE, True, False)
    assert (request.offset, request.limit) == (50, 25)


def test_paging_and_permanent_link(visitor, db, home):
    """Previous and next keep the rest of the address; the permanent link has the canonical query."""
    found = links(visitor.see("/find", q="boats   (tide", sort="date", **{"from": "10"}))
    assert found["Previous"] == "/find?q=boats+++%28tide&sort=date"
    assert found["Next"].endswith("sort=date&from=20")
    assert found["permanent link"] == "/find?q=boats+tide&sort=date&from=10"


def test_how_the_query_was_read_and_what_may_be_meant(visitor, db, home):
    """Notes and another spelling stand above the hits."""
    home.service.meant = "regatta"
    text = visitor.see("/find", q='regata "boats')
    assert "A quotation mark was not closed" in text
    assert links(text)["regatta"] == "/find?q=regatta"


def test_without_a_query(visitor, db, home):
    """Examples of the query language say what can be asked; the index is not."""
    text = visitor.see("/find")
    assert "How to ask" in text
    assert "since:2024" in text
    assert home.service.calls == []


def test_no_hits(visitor, db, home):
    """The page says what to try next."""
    text = visitor.see("/find", q="nothing site:site1.example", every="1")
    assert "Nothing found" in text
    assert links(text)["Look everywhere"] == "/find?q=nothing&every=1"
    assert links(text)["Be content with some of the words"] == "/find?q=nothing+site%3Asite1.example"


def test_nothing_published(visitor, db, home, enter):
    """Readers are told to come back, curators what to do; suggestions are empty."""
    home.service.generation = ""
    assert "Please come back later" in visitor.see("/find", q="a")
    assert "opilio index publish" in enter().see("/search/pages", q="a")
    assert json.loads(visitor.see("/find/suggest", q="a"))[1] == []


def test_the_real_home_has_nothing_published(visitor, db):
    """Without any index the page stands."""
    assert "Nothing is published yet" in visitor.see("/find", q="a")
    assert "Nothing is published yet" in visitor.see("/find/word", w="a")


def test_suggestions(visitor, db, home):
    """They have the form of OpenSearch: typed, texts, notes, addresses."""
    answer = visitor.get("/find/suggest", {"q": "regat"})
    assert answer.headers["Content-Type"] == "application/x-suggestions+json"
    typed, texts, notes, paths = answer.json()
    assert (typed, texts) == ("regat", ["regatta", "regattas", "Regatta results of the harbour"])
    assert notes[:2] == ["", ""]
    assert paths[0] == "/find?q=regatta"
    assert paths[2].startswith("/find/page?url=https")


def test_opensearch_description(visitor, db):
    """Browsers are told how to search here; the page leads to it."""
    answer = visitor.get("/find/opensearch.xml")
    assert answer.headers["Content-Type"] == "application/opensearchdescription+xml"
    assert 'template="http://testserver/find?q={searchTerms}&amp;from={startIndex?}&amp;limit={count?}"' in answer.text
    assert 'href="/find/opensearch.xml"' in visitor.see("/find")


def test_curators_search_inside_their_pages(enter, home, town):
    """With navigation, access classes, and as the person that signed in."""
    browser = enter(privileges=REVIEWS)
    text = browser.see("/search/pages", q="regatta")
    assert "Account of curator" in text
    assert "reading-room" in text
    reader = asked(home)[1]
    assert (reader.user, reader.agency) == (str(browser.user.id), str(town.library.id))
    assert reader.staff_of == {str(town.library.id)}
    assert len(reader.roles) == 1


def test_staff_of_everything(enter, home, town):
    """A privilege over everything makes staff of every agency."""
    enter(privileges={Privilege.TAKEDOWN: Scope.ALL}).see("/search/pages", q="a")
    assert asked(home)[1].staff_of == {str(town.library.id), str(town.museum.id)}


def test_the_working_index_is_for_reviewers(enter, home):
    """Who handles harvests may switch to it; others do not see the switch and are refused."""
    browser = enter(privileges=REVIEWS)
    text = browser.see("/search/pages", q="regatta", **{"in": "working"})
    assert home.service.calls == []
    assert home.live.calls
    found = links(text)
    assert found["Published"] == "/search/pages?q=regatta"
    assert found["date"] == "/search/pages?q=regatta&sort=date&in=working"
    other = enter("reader")
    assert "Working index" not in other.see("/search/pages", q="regatta")
    assert other.get("/search/pages", {"q": "a", "in": "working"}).status_code == 403


def test_readers_never_reach_the_working_index(visitor, db, home):
    """On the readers' page the parameter means nothing."""
    visitor.see("/find", q="a", **{"in": "working"})
    assert home.live.calls == []


def test_no_working_index_yet(enter, home):
    """The page says what it would hold."""
    home.live = None
    assert "The working index is empty" in enter(privileges=REVIEWS).see("/search/pages", q="a", **{"in": "working"})


def test_curators_who_look_at_the_readers_page(enter, home):
    """They see there what readers see."""
    enter(privileges=REVIEWS).see("/find", q="a")
    assert asked(home)[1] == Reader(address="127.0.0.1")


@pytest.mark.parametrize(
    "query",
    [
        "q=", "q=%20%20", "q=%00", "q=a%00b", "q=%FF%FE", "q=%ED%A0%80", "q=" + "word+" * 10_000, "q=" + "x" * 2**20,
        "q=a&from=-1", "q=a&from=abc", "q=a&from=%C2%B2", "q=a&from=" + "9" * 5_000, "q=a&from=1e3", "q=a&limit=0",
        "q=a&limit=-5", "q=a&limit=99999999999", "q=a&limit=x", "q=a&sort=size", "q=a&sort=%00", "q=a&every=maybe",
        "q=a&in=other", "q=a&q=b", "q=((((((", "q=%22", "q=AND", "q=site%3A", "q=*", "q=a&unknown=1", "sort=date",
        "q=%3Cscript%3E", "q=" + "%28" * 3_000,
    ],
)  # fmt: skip
def test_odd_addresses(visitor, db, home, query):
    """Whatever stands behind the question mark gets a page, of reasonable size, with what was asked as text."""
    answer = visitor.get(f"/find?{query}")
    assert answer.status_code == 200
    assert len(answer.content) < 2_000_000
    assert "<script>" not in answer.text.replace("<script src", "")


def test_a_long_query_is_cut_with_a_note(visitor, db, home):
    """It is read as far as it stands in every link."""
    text = visitor.see("/find", q="word " * 10_000)
    assert "The query is too long; its first 4,000 characters were read." in text
    assert len(asked(home)[0].query) <= 4_000


def test_an_unknown_order_is_told(visitor, db, home):
    """And the hits come by relevance."""
    assert "sorted by relevance" in visitor.see("/find", q="a", sort="size")


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_searching_changes_nothing(visitor, db, home, method):
    """Only looking is possible."""
    assert getattr(visitor, method)("/find?q=a").status_code in (403, 405)


def test_a_fault_of_the_index_is_calm(visitor, db, home, monkeypatch):
    """An error of the engine is told without its words."""

    def broken(*_):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(home.service, "ask", broken)
    visitor.raise_request_exception = False
    answer = visitor.get("/find?q=a")
    assert answer.status_code == 500
    assert "a secret detail" not in answer.text


def test_a_publish_meanwhile(visitor, db, home, monkeypatch):
    """What is gone between two looks is told as absent."""

    def gone(*_):
        raise Missing("no generation is published yet", where="node")

    monkeypatch.setattr(home.service, "ask", gone)
    assert visitor.get("/find?q=a").status_code == 404

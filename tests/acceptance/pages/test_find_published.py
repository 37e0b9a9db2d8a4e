"""The search pages and the API over a real generation: built from a crawl, published, asked."""

from dataclasses import replace

import pytest

from opilio.crawl.plan_json import to_json
from opilio.people.privileges import Privilege, Scope
from opilio.works.build_index import working_index
from opilio.works.followed_crawls import FollowedCrawl
from opilio.works.search_home import SearchHome
from tests.acceptance.crawl.crawls import plan_for
from tests.acceptance.pages.test_find import links
from tests.acceptance.published import PAGES, ROOT, publish
from tests.unit.archive.derived import first_result

pytestmark = pytest.mark.only_on("sqlite")  # the index is the same whatever holds the catalogue


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A home with a published generation, and the generation's id."""
    home = tmp_path_factory.mktemp("published")
    return home, publish(home)


@pytest.fixture
def generation(published, settings):
    """The generation, in force for this test."""
    settings.OPILIO = replace(settings.OPILIO, home=published[0])
    return published[1]


def test_readers_find_pages(visitor, db, generation):
    """With marks, the notice that a permission demands, facets and paging."""
    text = visitor.see("/find", q="regatta")
    assert "3</b> pages" in text
    assert "<mark>Regatta</mark> results" in text
    assert "© Harbour Museum" in text
    assert links(text)["Regatta results"] == f"{ROOT}/regatta"
    first = visitor.see("/find", q="regatta", limit="1")
    assert links(first)["Next"] == "/find?q=regatta&limit=1&from=1"
    assert "Hits 3–3" in visitor.see("/find", q="regatta", limit="1", **{"from": "2"})


def test_far_beyond_the_last_hit(visitor, db, generation):
    """The page leads back to the first hits."""
    assert "To the first hits" in visitor.see("/find", q="regatta", **{"from": "5000"})


def test_a_misspelt_word(visitor, db, generation):
    """Another spelling is offered."""
    assert links(visitor.see("/find", q="regata"))["regatta"] == "/find?q=regatta"


def test_suggestions_come_from_the_index(visitor, db, generation):
    """Words and titles that begin so."""
    _, texts, _, paths = visitor.get("/find/suggest?q=rega").json()
    assert "regatta" in texts
    assert "Regatta results" in texts
    assert paths[texts.index("regatta")] == "/find?q=regatta"


def test_stories_come_from_the_index(visitor, db, generation):
    """Of a page that is found, of one that is gone, of one that nobody fetched, of a word, of links."""
    text = visitor.see("/find/page", url=f"{ROOT}/regatta", q="regatta")
    assert generation in text
    assert "Why it ranks" in text
    assert "<td>title</td>" in text
    assert links(text)["museum.example/tides"].startswith("/find/page?url=")
    assert "It cannot be found" in visitor.see("/find/page", url=f"{ROOT}/gone")
    assert "It was never captured" in visitor.see("/find/page", url=f"{ROOT}/never")
    assert visitor.get("/find/page", {"url": f"{ROOT}/unknown"}).status_code == 404
    word = visitor.see("/find/word", w="regatta")
    assert "museum.example/regatta" in word
    assert visitor.get("/find/word", {"w": "zeppelin"}).status_code == 404
    assert "museum.example/tides" in visitor.see("/find/links", url=f"{ROOT}/regatta")


@pytest.mark.parametrize("word", ["🐙", "two words", "...", "\u200b", "\ufffd"])
def test_what_is_no_word(visitor, db, generation, word):
    """The readers' own page says so, not the curators' one."""
    answer = visitor.get("/find/word", {"w": word})
    assert answer.status_code in (404, 422)
    assert 'action="/find"' in answer.text


def test_similar_pages_come_from_the_index(visitor, db, generation):
    """A hit leads to them."""
    found = links(visitor.see("/find", q="regatta"))
    assert visitor.get(found["Similar pages"]).status_code == 200
    assert visitor.get("/find/similar?page=999999&url=x").status_code == 404


@pytest.mark.parametrize(
    "query", ["(" * 3_000, "word " * 10_000, '"' * 999, "*", "AND", "site:", "\x00", "a~9", "-" * 99]
)
def test_odd_queries_of_the_real_index(visitor, db, generation, query):
    """None is refused."""
    assert visitor.get("/find", {"q": query}).status_code == 200
    assert visitor.get("/find/suggest", {"q": query}).status_code == 200


def test_the_api_asks_the_same_index(visitor, db, generation):
    """Search, suggestions, similar pages, explanations and stories."""
    base = "/api/v1"
    found = visitor.get(f"{base}/search?q=regatta").json()
    assert found["total"] == 3
    page = found["hits"][0]["page"]
    for path in (
        "/search/suggest?q=rega", f"/search/similar?page={page}", f"/search/explain?page={page}&q=regatta",
        f"/pages?url={ROOT}/regatta", "/words/regatta", f"/links?url={ROOT}/regatta",
    ):  # fmt: skip
        assert visitor.get(f"{base}{path}").status_code == 200, path
    for path in ("/words/zeppelin", f"/pages?url={ROOT}/unknown", "/search/similar?page=999999", "/pages?url=%20"):
        assert visitor.get(f"{base}{path}").status_code == 404, path


def test_the_status_of_a_published_index(enter, generation):
    """The generation with its nodes, and its one source."""
    text = enter(privileges={Privilege.PUBLISH_INDEX: Scope.AGENCY}).see("/index")
    assert text.count(generation) >= 4
    assert "The newest generation holds all of them as they are." in text


@pytest.fixture
def followed(tmp_path, settings, town):
    """A home whose working index follows a crawl of the library."""
    folder = tmp_path / "museum"
    first_result(folder, PAGES, plan=to_json(plan_for(f"{ROOT}/")))
    index = SearchHome(tmp_path / "index")
    with working_index(index) as working:
        working.followed.put([FollowedCrawl(name="museum", folder=str(folder), agency=str(town.library.id))])
        working.update()
    settings.OPILIO = replace(settings.OPILIO, home=tmp_path)


def test_reviewers_find_what_is_not_published(enter, town, visitor, followed):
    """Those of the agency find its pages in the working index; others, and readers, find nothing."""
    reviews = {Privilege.ENDORSE_HARVEST: Scope.AGENCY}
    working = {"in": "working"}
    ours, theirs = enter("ours", privileges=reviews), enter("theirs", privileges=reviews, agency=town.museum)
    text = ours.see("/search/pages", q="regatta", **working)
    assert "3</b> pages" in text
    assert ours.get(links(text)["Similar pages"]).status_code == 200
    assert "Nothing found" in theirs.see("/search/pages", q="regatta", **working)
    assert ours.get("/search/pages/suggest?q=rega&in=working").json()[1]
    assert theirs.get("/search/pages/suggest?q=rega&in=working").json()[1] == []
    assert "Nothing is published yet" in visitor.see("/find", q="regatta")
    assert "museum" in enter("publisher", privileges={Privilege.PUBLISH_INDEX: Scope.AGENCY}).see("/index")

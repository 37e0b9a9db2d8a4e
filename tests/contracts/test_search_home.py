"""The index of an installation: what readers are told, and what rules of access keep from them on every way."""

import pytest

from opilio.archive.results.folder import ResultsFolder
from opilio.kernel.access import PUBLIC, Default, Reach, Reader, Rule, Rules, Says, Where
from opilio.kernel.errors import Missing
from opilio.search.request import Request
from opilio.works.build_index import build_generation
from opilio.works.index_sources import IndexSource
from opilio.works.search_home import SearchHome
from tests.unit.archive.derived import Page, derived, first_result

A, B, C = (f"https://a.example/{name}" for name in "abc")
STAFF = Reader(agency="a1", staff_of=frozenset({"a1"}))
SHARED = "The valley has many birds and each of them sings another song in the early morning of a day in spring"
PAGES = [
    Page(A, "Owls", links=(B, C), text=f"Owls hunt at night. {SHARED}."),
    Page(B, "Secret larks", links=(A,), text=f"Larks betray the hidden nest. {SHARED}."),
    Page(C, "Wrens", links=(A, B), text="Wrens are small."),
]
TAKEN = Rule(id="r1", where=Where(reach=Reach.URL, value=B), says=Says.TAKEN_HIDE)


class Book:
    """Rules that can be changed while they are in force."""

    def __init__(self):
        self.rules = Rules(default=Default.OPEN)

    def __call__(self, now):
        return self.rules

    def take_down(self):
        self.rules = Rules([TAKEN], default=Default.OPEN)


@pytest.fixture
def book():
    return Book()


@pytest.fixture
def home(tmp_path, book):
    first_result(tmp_path / "birds", PAGES)
    place = SearchHome(tmp_path / "index", rules=book)
    place.sources.add([IndexSource(name="birds", folder=str(tmp_path / "birds"), agency="a1")])
    build_generation(place, processes=1)
    place.publishing.publish()
    yield place
    place.published().close()


def urls(answer):
    return sorted(hit.url for hit in answer.hits)


def test_everything_is_open_without_rules(home):
    """Each way tells of every page."""
    search = home.published()
    assert urls(search.ask(Request(query="valley"), PUBLIC)) == [A, B]
    assert search.word("larks", PUBLIC).pages == 1
    assert [each.url for each in search.links(A, PUBLIC).parents] == [B, C]
    assert search.page(B, PUBLIC).indexed


def test_a_takedown_counts_at_once(home, book):
    """Without a new generation, and for each way: hits, totals, facets, suggestions, similar pages, scores, stories."""
    search = home.published()
    page = search.page(B, PUBLIC).page
    book.take_down()
    answer = search.ask(Request(query="valley OR larks"), PUBLIC)
    assert (urls(answer), answer.total, answer.facets.sites[0].count) == ([A], 1, 1)
    assert search.ask(Request(query="betray"), PUBLIC).did_you_mean == ""
    assert search.suggest("lar", PUBLIC).queries == ()
    assert search.suggest("secret", PUBLIC).titles == ()
    with pytest.raises(Missing):
        search.similar(page, PUBLIC)
    with pytest.raises(Missing):
        search.explain(page, "larks", PUBLIC)
    with pytest.raises(Missing, match="no such page"):
        search.page(B, PUBLIC)
    with pytest.raises(Missing, match="no page has the word"):
        search.word("larks", PUBLIC)
    assert search.word("valley", PUBLIC).pages == 1
    links = search.links(A, PUBLIC)
    assert [each.url for each in links.parents] == [C]
    assert (links.backlinks, links.linking_pages, [each.url for each in links.children]) == (1, 1, [C])


def test_staff_of_its_agency_still_find_it(home, book):
    """A page that is hidden from the public is theirs to review."""
    book.take_down()
    search = home.published()
    assert urls(search.ask(Request(query="valley"), STAFF)) == [A, B]
    assert search.page(B, STAFF).indexed
    assert search.word("larks", STAFF).pages == 1


def test_rules_that_cannot_be_used_close_everything(home, book):
    """Nothing is told, not even that there is something."""
    book.rules = Rules.closed("The rules are too old.")
    search = home.published()
    assert search.ask(Request(query="valley"), STAFF).total == 0
    with pytest.raises(Missing):
        search.page(A, STAFF)


def test_another_generation_is_followed(home, tmp_path):
    """Whoever asks next gets it; the stories tell of both captures."""
    search = home.published()
    before = search.generation
    first_result(
        tmp_path / "later", [Page(C, "Wrens", text="Wrens are small, still."), Page(A, "Owls", text="New owls.")]
    )
    home.sources.add([IndexSource(name="later", folder=str(tmp_path / "later"), agency="a1")])
    build_generation(home, processes=1)
    home.publishing.publish()
    search._looked = None  # a second later
    assert search.generation > before
    assert urls(search.ask(Request(query="new"), PUBLIC)) == [A]
    captures = search.page(A, PUBLIC).captures
    assert [(each.crawl, each.indexed) for each in captures] == [("later", True), ("birds", False)]


def test_the_status_tells_what_changed(home, tmp_path):
    """Sources that are not indexed as they are now, and since when."""
    status = home.status()
    assert [(each.name, each.change) for each in status.sources] == [("birds", "")]
    assert [(node.role, node.behind) for node in status.nodes] == [("content", 0), ("primary", 0), ("backup", 0)]
    derived(ResultsFolder(tmp_path / "birds"), urls=(C,))
    (source,) = home.status().sources
    assert (source.change, source.since > 0) == ("changed", True)
    build_generation(home, processes=1)
    status = home.status()
    assert [each.change for each in status.sources] == [""]
    assert [node.behind for node in status.nodes] == [1, 1, 1]


def test_nothing_is_published(tmp_path):
    """The message says what to do."""
    search = SearchHome(tmp_path / "index").published()
    assert search.generation == ""
    with pytest.raises(Missing, match="no generation is published") as caught:
        search.ask(Request(query="owls"), PUBLIC)
    assert "opilio index build" in caught.value.remedy


def test_word_lists_of_the_installation(home):
    """Stop words and synonyms of its files are in force from the next generation on."""
    (home.folder / "synonyms.txt").write_text("jenny => wrens\n")
    (home.folder / "stop-words.txt").write_text("valley\n")
    assert home.published().ask(Request(query="jenny"), PUBLIC).total == 0
    build_generation(home, processes=1)
    home.publishing.publish()
    home.published()._looked = None
    assert urls(home.published().ask(Request(query="jenny"), PUBLIC)) == [C]
    assert home.published().ask(Request(query="valley"), PUBLIC).total == 0

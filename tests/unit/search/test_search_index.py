"""Asking an index."""

import dataclasses

import pytest

from opilio.kernel.errors import Missing
from opilio.search.access_filter import OPEN
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.analysis.settings import AnalysisSettings, Synonym
from opilio.search.index.build import IndexBuild
from opilio.search.query.profile import PLAIN
from opilio.search.request import FARTHEST, Request, Sort
from opilio.search.search_index import SearchIndex
from tests.unit.search.made_index import CAPTURED, MEMORY, document, made_index

YEAR = 365 * 86_400


def ask(index, query, **values):
    return index.search(Request(query=query, **values), OPEN)


def found(index, query, **values):
    return [hit.page for hit in ask(index, query, **values).hits]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "index"


def test_titles_count_more_than_text_and_text_more_than_navigation(folder):
    """The same word ranks a page by where it stands."""
    aside = document("ships and boats. harbour", boilerplate_from=16, title="Ship")
    body, title = document("the harbour and boats", title="Boat"), document("ships and boats", title="Harbour")
    index = made_index(folder, [aside, body, title])
    assert found(index, "harbour") == [2, 1, 0]


def test_snippets_come_from_the_text_and_not_from_navigation(folder):
    """Navigation is shown only where what was asked stands nowhere else."""
    own = "Long prose. " * 60 + "The harbour sleeps."
    page = document(f"{own}\nharbour harbour menu", boilerplate_from=len(own) + 1)
    index = made_index(folder, [page, document("Prose.\nharbour imprint", boilerplate_from=7, url="https://b.org/")])
    first, second = sorted(index.search(Request(query="harbour"), OPEN).hits, key=lambda hit: hit.page)
    assert first.snippet.text.endswith("The harbour sleeps.")
    assert second.snippet.text == "harbour imprint"


def test_a_word_that_is_typed_twice_counts_twice(folder):
    """How often a word is typed weighs it, also when it is typed in two forms."""
    index = made_index(folder, [document("harbour"), document("bridges"), document("ferry")])
    parts = ask(index, "harbour bridges").hits
    assert parts[0].score == pytest.approx(parts[1].score)
    assert found(index, "harbour bridge bridges") == [1, 0]
    assert ask(index, "harbour harbour").hits[0].score == pytest.approx(2 * ask(index, "harbour").hits[0].score)


def test_plain_scores_are_bm25(folder):
    """The plain profile gives exactly BM25 over the text, with the usual parameters."""
    index = made_index(folder, [document("harbour harbour ship"), document("ship ferry bridge light")])
    hit = ask(index, "harbour", profile=PLAIN).hits[0]
    rarity, length, mean = 0.6931472, 3, 3.5
    assert hit.score == pytest.approx(rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * length / mean)), rel=1e-4)


def test_link_rank_and_freshness_are_gentle(folder):
    """Of equal pages the better linked comes first, then the newer; neither outweighs the text."""
    pages = [
        document("harbour", captured=CAPTURED - 3 * YEAR), document("harbour"), document("harbour"),
        document("harbour ship", title="Harbour", captured=CAPTURED - 3 * YEAR),
    ]  # fmt: skip
    assert found(made_index(folder, pages, ranks={2: 1.0}), "harbour") == [3, 2, 1, 0]


def test_date_order(folder):
    """The newest first, by when a page changed where that is credible, else by its capture."""
    index = made_index(
        folder,
        [
            document("harbour", captured=CAPTURED),
            document("harbour", captured=CAPTURED + 9, last_modified=CAPTURED - 9),
            document("harbour", captured=CAPTURED + 5, last_modified=CAPTURED + 99_999),
            document("harbour", captured=CAPTURED + 1, last_modified=86_400.0),
        ],
    )
    assert found(index, "harbour", sort=Sort.DATE) == [2, 3, 0, 1]
    assert found(index, "site:example.org") == [2, 3, 0, 1]


def test_paging_shows_every_hit_once(folder):
    """Page by page every hit comes once, whatever the scores."""
    index = made_index(folder, [document(f"harbour {'ship ' * (page % 3)}") for page in range(450)])
    pages = [found(index, "harbour", offset=offset, limit=70) for offset in range(0, 490, 70)]
    assert sorted(page for each in pages for page in each) == list(range(450))
    assert [ask(index, "harbour", offset=offset, limit=70).further for offset in (0, 350, 420)] == [True, True, False]


def test_numbers_out_of_range_are_brought_into_it(folder):
    """Huge and negative offsets and limits are read leniently, and said so."""
    index = made_index(folder, [document("harbour")])
    for values in ({"offset": 10**12}, {"offset": -5}, {"limit": 0}, {"limit": 10**9}):
        answer = ask(index, "harbour", **values)
        assert len(answer.notes) == 1
        assert 0 <= answer.offset <= FARTHEST
        assert 1 <= answer.limit <= 100


def test_permalinks_ask_the_same(folder):
    """The address of an answer holds the query in its one form and all that changes the hits."""
    index = made_index(folder, [document("harbour")])
    answer = ask(index, '  harbour   "old ship', sort=Sort.DATE, offset=20, limit=20, every=True, collapse=False)
    assert answer.permalink == "q=harbour+%22old+ship%22&sort=date&every=1&duplicates=1&limit=20&from=20"


def test_near_duplicates_stand_behind_one_hit(folder):
    """Of a group the best page is shown with the number of the others that the query finds."""
    texts = ["harbour harbour", "harbour", "harbour ship", "ferry", "harbour boat"]
    index = made_index(folder, [document(text) for text in texts], groups={0: 0, 1: 0, 2: 0, 3: 0})
    answer = ask(index, "harbour")
    assert [(hit.page, hit.more) for hit in answer.hits] == [(0, 2), (4, 0)]
    assert (answer.total, answer.further) == (4, False)
    assert len(found(index, "harbour", collapse=False)) == 4


def test_many_duplicates_do_not_empty_a_page(folder):
    """Behind hundreds of near-duplicates the next hit is still found."""
    pages = [document("harbour harbour")] * 900 + [document("harbour ship ship ship ship")]
    index = made_index(folder, pages, groups=dict.fromkeys(range(900), 0))
    assert [(hit.page, hit.more) for hit in ask(index, "harbour").hits] == [(0, 899), (900, 0)]


def test_facets_count_what_the_query_finds(folder):
    """Sites, types, languages and years are counted over all hits, each with the filter that narrows to it."""
    index = made_index(
        folder,
        [
            document("harbour", url="https://docs.example.org/"),
            document("harbour", url="https://example.org/", type="application/pdf"),
            document("harbour", url="https://example.net/", language="", captured=CAPTURED - 2 * YEAR),
            document("ferry", url="https://example.com/"),
        ],
    )
    facets = ask(index, "harbour", limit=1).facets
    assert [(each.value, each.count) for each in facets.sites] == [("example.org", 2), ("example.net", 1)]
    assert [(each.value, each.count) for each in facets.types] == [("html", 2), ("pdf", 1)]
    assert [(each.value, each.count) for each in facets.languages] == [("en", 2), ("und", 1)]
    assert [(each.value, each.count) for each in facets.years] == [("2023", 2), ("2021", 1)]
    for each in (*facets.sites, *facets.types, *facets.languages, *facets.years):
        assert index.count(f"harbour {each.query}", OPEN) == each.count


def test_every_word(folder):
    """Words side by side need not all be found, unless that is asked."""
    index = made_index(folder, [document("harbour ship"), document("harbour")])
    assert found(index, "harbour ship") == [0, 1]
    assert found(index, "harbour ship", every=True) == [0]


def test_did_you_mean(folder):
    """When little is found, the nearest words that find more are offered, in the query's own form."""
    index = made_index(folder, [document("harbour bridge") for _ in range(5)])
    answer = ask(index, "harbuor -ferry title:x OR brigde")
    assert answer.did_you_mean == "harbour -ferry title:x OR bridge"
    assert ask(index, "harbour").did_you_mean == ""
    assert ask(index, "zzzzzzzz").did_you_mean == ""


def test_synonyms_are_looked_for(folder):
    """A synonym finds pages too, for a little less."""
    analyzer = Analyzer(AnalysisSettings(synonyms=(Synonym("harbour", ("port", "sea gate")),)))
    pages = [document("port"), document("harbour"), document("sea gate"), document("gate sea")]
    assert sorted(found(made_index(folder, pages, analyzer=analyzer), "harbour")) == [0, 1, 2]


def test_expanded_words_are_said(folder):
    """A form that fits no word finds nothing; one that fits too many is cut; both are said."""
    index = made_index(folder, [document(" ".join(f"ship{number:03d}" for number in range(100)))])
    assert (found(index, "zz*"), ask(index, "zz*").notes) == ([], ("No word has the form zz*.",))
    assert "the 64 most frequent" in ask(index, "ship*").notes[0]


def test_stop_words_alone_find_nothing(folder):
    """What every page holds is not looked for, and that is said."""
    index = made_index(folder, [document("the harbour")])
    answer = ask(index, "the")
    assert answer.total == 0
    assert "too common" in answer.notes[0]
    assert ask(index, "the harbour").total == 1


@pytest.mark.parametrize(
    "query", ["", "   ", "()", "AND OR NOT", '"', "\0", "\ud800", "(" * 3000, "-" * 3000, "a:" * 999]
)
def test_hostile_queries_are_answered(folder, query):
    """Whatever is typed, there is an answer."""
    index = made_index(folder, [document("harbour")])
    assert ask(index, query).total in (0, 1)
    assert index.suggest(query, OPEN).queries == ()


def test_ten_thousand_words_are_answered(folder):
    """A query of ten thousand words is cut and answered."""
    index = made_index(folder, [document("w5 harbour"), document("w9999")])
    answer = ask(index, " ".join(f"w{number}" for number in range(10_000)))
    assert [hit.page for hit in answer.hits] == [0]
    assert "too long" in answer.notes[0]


def test_explanations_add_up(folder):
    """The parts of a score give the score of the hit, with what link rank and freshness add."""
    pages = [document("harbour bridge ship", title="Old harbour"), document("ship"), document("harbour", title="ships")]
    index = made_index(folder, pages, ranks={0: 0.5})
    for query in ("harbour ship", "ship* harbor~ OR ferry AND ship", '"harbour bridge" title:old harbour harbour'):
        for hit in ask(index, query).hits:
            told = index.explain(Request(query=query), hit.page, OPEN)
            assert told.score == pytest.approx(hit.score)
            assert told.text == pytest.approx(sum(part.value for part in told.parts), rel=1e-4)
            assert told.score == pytest.approx(told.text * (1 + told.link_rank + told.freshness))
    assert index.explain(Request(query="harbour"), 0, OPEN).link_rank == pytest.approx(0.125)


def test_only_hits_are_explained(folder):
    """A page that the query does not find has no score to explain."""
    index = made_index(folder, [document("harbour")])
    with pytest.raises(Missing):
        index.explain(Request(query="ferry"), 0, OPEN)


def test_similar_pages_share_telling_terms(folder):
    """Similar pages come by their rare terms, without the page itself and its near-duplicates."""
    pages = [
        document("lighthouse keeper lamp coast and many ships"), document("the keeper of a lighthouse and its lamp"),
        document("ships"), document("lighthouse keeper lamp coast and ships"), document("bread and butter"),
    ]  # fmt: skip
    index = made_index(folder, pages, groups={0: 0, 3: 0})
    assert [hit.page for hit in index.similar(0, OPEN)] == [1, 2]
    with pytest.raises(Missing):
        index.similar(99, OPEN)


def test_suggestions_complete_the_last_word(folder):
    """Words come by how many pages hold them with the words before; titles too."""
    pages = [
        document("harbour bridge", title="Harbour bridges"), document("harbour brick", title="Bricks"),
        document("harbour bridge"), document("breakfast"),
    ]  # fmt: skip
    index = made_index(folder, pages)
    found = index.suggest("harbour br", OPEN)
    assert found.queries == ("harbour bridge", "harbour brick", "harbour bricks", "harbour bridges")
    assert [each.title for each in found.titles] == ["Harbour bridges"]
    assert index.suggest("harbour ", OPEN).queries == ()


def test_hits_carry_what_a_list_shows(folder):
    """Notice, dates, size and origin of a page come with its hit."""
    page = document(
        "harbour", title="A & B", copyright="© Port authority", size=12, crawl="c1", harvest="h1", target="t1",
        agency="a1", access="open", description="About ports", status=200, digest="sha256:x",
    )  # fmt: skip
    hit = ask(made_index(folder, [page]), "harbour").hits[0]
    assert (hit.copyright, hit.size, hit.crawl, hit.harvest, hit.target) == ("© Port authority", 12, "c1", "h1", "t1")
    assert (hit.agency, hit.access, hit.description, hit.captured) == ("a1", "open", "About ports", CAPTURED)
    assert hit.title.html == "A &amp; B"


def test_commits_are_seen_after_reload(folder):
    """An open index shows one state until it is told to look again."""
    analyzer = Analyzer()
    with IndexBuild(folder, analyzer, threads=1, memory=MEMORY) as build:
        build.add(0, document("harbour"))
        build.commit()
        index = SearchIndex(folder, analyzer)
        build.add(1, document("harbour"))
        build.commit()
        assert (len(index), index.count("harbour", OPEN)) == (1, 1)
        index.reload()
        assert (len(index), index.count("harbour", OPEN)) == (2, 2)


def test_a_language_restricts_the_stems(folder):
    """With `lang:` a word is looked for by the stem of that language only."""
    index = made_index(folder, [document("running"), document("Häuser", language="de")])
    assert found(index, "lang:de haus") == [1]
    assert found(index, "lang:en runs") == [0]
    assert found(index, "haus") == [1]


def test_requests_are_values():
    """A request can be kept and compared."""
    assert hash(Request(query="a")) == hash(dataclasses.replace(Request(query="b"), query="a"))

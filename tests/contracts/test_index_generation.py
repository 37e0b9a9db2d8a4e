"""Generations built from results: whole, and grown from an earlier one, where only what changed is indexed again."""

import random
import shutil
from collections import Counter

import numpy as np
import pytest

from opilio.kernel.access import PUBLIC
from opilio.search.access_filter import OPEN
from opilio.search.analysis.settings import AnalysisSettings, StopRule
from opilio.search.generations.build import build
from opilio.search.generations.library import Generations
from opilio.search.index.build import IndexBuild
from opilio.search.index.entry import Preparer
from opilio.search.index.errors import BadSearchDocument
from opilio.search.request import Request
from opilio.works.index_generation import Building, fill
from opilio.works.index_sources import IndexSource
from opilio.works.search_contents import GenerationContents
from opilio.works.search_stories import Stories
from tests.unit.archive.derived import Page, derived, first_result

A, B, C, D = (f"https://a.example/{name}" for name in "abcd")
LONG = "The barn owl hunts mice over the wide meadows of the valley at night and sleeps by day in old barns"
FIRST = [
    Page(A, "Owls", links=(B, C, "https://elsewhere.example/"), text=f"{LONG}."),
    Page(B, "Larks", links=(A,), text="Larks sing over the fields in the morning; owls do not."),
    Page(C, "Gone", outcome="gone", status=404),
]


@pytest.fixture
def generations(tmp_path):
    return Generations(tmp_path / "generations")


def ranks(path):
    """The first page ranks highest."""
    return np.array([1.0])


def building(*folders, settings=None, processes=1, **belonging):
    sources = [IndexSource(name=each.name, folder=str(each), **belonging) for each in folders]
    chosen = settings or AnalysisSettings(default_language="en")
    return Building(sources=sources, settings=chosen, ranks=ranks, processes=processes)


def built(generations, made, parent=""):
    return build(generations, fill(made), GenerationContents(), parent=parent)


def opened(generations, name):
    return GenerationContents().open(generations.path(name), generations.manifest(name))


def found(opened_generation, query):
    return [hit.url for hit in opened_generation.index.search(Request(query=query), OPEN).hits]


def contents(generations, name):
    """All that a generation tells of its pages, words and links."""
    with opened_closing(generations, name) as held:
        entries = {each.url: (each.page, each.family, each.digest, each.band) for each in held.register.entries()}
        pages = {row.id: (row.url, row.state) for row in held.views.pages()}
        words = {row.word: row.id for row in held.views.lexicon()}
        return entries, pages, words, dict(held.counts())


class opened_closing:
    def __init__(self, generations, name):
        self.held = opened(generations, name)

    def __enter__(self):
        return self.held

    def __exit__(self, *_):
        self.held.close()


def test_pages_are_found(generations, tmp_path):
    """With title and text; what was never fetched or is gone is known and not found."""
    first_result(tmp_path / "one", FIRST)
    made = built(generations, building(tmp_path / "one", agency="a1", copyright="© the valley"))
    assert made.counts == {"documents": 2, "pages": 4, "words": made.counts["words"], "links": 4}
    with opened_closing(generations, made.id) as held:
        assert found(held, "mice") == [A]
        assert sorted(found(held, "owl")) == [A, B]
        (hit,) = held.index.search(Request(query="mice"), OPEN).hits
        assert (hit.agency, hit.crawl, hit.copyright) == ("a1", "one", "© the valley")
        assert held.register.entry(A).since == made.id
        assert held.probe(made.probes[0].query).total == 2


def test_the_story_of_a_page(generations, tmp_path):
    """Words, links, captures, since when it is indexed, and why another is not."""
    first_result(tmp_path / "one", FIRST)
    source = IndexSource(name="one", folder=str(tmp_path / "one"))
    made = built(generations, building(tmp_path / "one"))
    with opened_closing(generations, made.id) as held:
        stories = Stories(held, held.sight(PUBLIC), [source])
        story = stories.page(A)
        assert (story.title, story.indexed, story.why_not, story.since) == ("Owls", True, "", made.id)
        assert {word.word: word.count for word in story.words}["mice"] == 1
        assert [each.url for each in story.links.children] == [B, C, "https://elsewhere.example/"]
        assert [each.url for each in story.links.parents] == [B]
        assert (story.links.backlinks, story.links.linking_pages) == (1, 1)
        assert [(each.crawl, each.outcome, each.indexed) for each in story.captures] == [("one", "fetched", True)]
        assert "does not exist" in stories.page(C).why_not
        assert "No crawl" in stories.page("https://elsewhere.example/").why_not
        word = stories.word("Mice")
        assert (word.pages, word.occurrences, word.shown[0].url) == (1, 1, A)
        assert stories.word("the").stop


def test_a_generation_grows(generations, tmp_path, monkeypatch):
    """Only pages that changed are indexed again; numbers stay; what is gone is not found, and its number not reused."""
    results = first_result(tmp_path / "one", FIRST)
    first = built(generations, building(tmp_path / "one"))
    before = contents(generations, first.id)
    derived(results, urls=(B,), pages=[Page(D, "Voles", links=(A,), text="Voles live in meadows, too, and dig.")])
    added = []
    real = IndexBuild.add
    monkeypatch.setattr(
        IndexBuild, "add", lambda self, page, *rest, **more: (added.append(page), real(self, page, *rest, **more))
    )
    second = built(generations, building(tmp_path / "one"), parent=first.id)
    after = contents(generations, second.id)
    assert len(added) == 1  # the new page; A has lost no anchor text, since links of the model have none
    assert set(after[0]) == {A, D}
    assert after[0][A] == before[0][A]
    assert {word: before[2][word] for word in before[2]} == {word: after[2][word] for word in before[2]}
    assert not set(dict(after[1])) - set(before[1]) & {before[0][B][0]}
    with opened_closing(generations, second.id) as held:
        assert found(held, "larks") == []
        assert found(held, "voles") == [D]
        assert (held.register.entry(A).since, held.register.entry(D).since) == (first.id, second.id)
    with opened_closing(generations, first.id) as held:
        assert found(held, "larks") == [B]  # the earlier one is as it was


def test_grown_or_from_nothing_is_the_same(generations, tmp_path):
    """The contents do not depend on the way to them, but for numbers and dates."""
    results = first_result(tmp_path / "one", FIRST)
    first = built(generations, building(tmp_path / "one"))
    derived(
        results,
        urls=(A,),
        pages=[
            Page(D, "Voles", links=(B,), text="Voles live in meadows."),
            Page(B, "Larks", text="Quite another text."),
        ],
    )
    grown = built(generations, building(tmp_path / "one"), parent=first.id)
    fresh = built(generations, building(tmp_path / "one"))
    tell = {}
    for name in (grown.id, fresh.id):
        with opened_closing(generations, name) as held:
            urls = {row.id: row.url for row in held.views.pages()}
            links = Counter(
                (urls[int(key)], urls[int(item)], int(count))
                for rows in held.views.all_children()
                for key, item, count in zip(rows.keys, rows.items, rows.counts, strict=True)
            )
            tell[name] = (
                sorted(urls.values()),
                links,
                found(held, "larks OR voles OR owls"),
                held.counts()["documents"],
            )
    assert tell[grown.id] == tell[fresh.id]


def test_the_newest_of_several_crawls_counts(generations, tmp_path):
    """A crawl that is taken out takes its pages along; the other's come back."""
    first_result(tmp_path / "one", [Page(A, "Old", text="An old text about herons.")])
    first_result(tmp_path / "two", [Page(B, "x"), Page(A, "New", text="A new text about storks.")])
    both = built(generations, building(tmp_path / "one", tmp_path / "two"))
    alone = built(generations, building(tmp_path / "one"), parent=both.id)
    with opened_closing(generations, both.id) as held:
        assert (found(held, "storks"), found(held, "herons")) == ([A], [])
    with opened_closing(generations, alone.id) as held:
        assert (found(held, "storks"), found(held, "herons")) == ([], [A])
        assert held.register.entry(A).crawl == "one"


def test_near_duplicates_are_collapsed(generations, tmp_path):
    """They stand behind one hit."""
    long = " ".join(f"word{number}" for number in random.Random(1).choices(range(500), k=400))
    pages = [Page(A, "One", text=f"owl {long} in May"), Page(B, "Two", text=f"owl {long} in June")]
    first_result(tmp_path / "one", [*pages, Page(D, "Other", text="The owl is a bird that many people never hear.")])
    made = built(generations, building(tmp_path / "one"))
    with opened_closing(generations, made.id) as held:
        answer = held.index.search(Request(query="owl"), OPEN)
        assert answer.total == 3
        assert len(answer.hits) == 2
        assert max(hit.more for hit in answer.hits) == 1


def test_other_word_lists_build_the_index_anew(generations, tmp_path):
    """Numbers of pages stay."""
    first_result(tmp_path / "one", FIRST)
    first = built(generations, building(tmp_path / "one"))
    settings = AnalysisSettings(stop_rules=(StopRule("", "mice", True),))
    second = built(generations, building(tmp_path / "one", settings=settings), parent=first.id)
    with opened_closing(generations, first.id) as one, opened_closing(generations, second.id) as two:
        assert (found(one, "mice"), found(two, "mice")) == ([A], [])
        assert found(two, "valley") == [A]
        assert one.register.entry(A).page == two.register.entry(A).page


def test_by_processes(generations, tmp_path, monkeypatch):
    """Two processes read the same as none."""
    monkeypatch.setattr("opilio.works.index_reading._WORTH", 2)
    first_result(tmp_path / "one", FIRST)
    one = built(generations, building(tmp_path / "one"))
    two = built(generations, building(tmp_path / "one", processes=2))
    assert contents(generations, one.id) == contents(generations, two.id)


def test_a_page_that_cannot_be_indexed_is_left_out(generations, tmp_path, monkeypatch, caplog):
    """The others are found, the counts are right, and the log names it."""
    first_result(tmp_path / "one", FIRST)
    real = Preparer.prepared

    def refusing(self, document):
        if document.url == B:
            raise BadSearchDocument("its date is no date")
        return real(self, document)

    monkeypatch.setattr(Preparer, "prepared", refusing)
    made = built(generations, building(tmp_path / "one"))
    assert made.counts["documents"] == 1
    with opened_closing(generations, made.id) as held:
        assert found(held, "owl") == [A]
        assert held.register.entry(B) is None
    assert "index_page_refused" in caplog.text
    assert B in caplog.text


def test_a_source_that_is_gone_builds_nothing(generations, tmp_path):
    """The message names it; what was built before stays."""
    first_result(tmp_path / "one", FIRST)
    made = building(tmp_path / "one")
    first = built(generations, made)
    shutil.rmtree(tmp_path / "one")
    with pytest.raises(Exception, match="folder of a crawl is gone"):
        built(generations, made, parent=first.id)
    assert generations.ids() == [first.id]
    assert [path.name for path in generations.root.iterdir() if path.name.startswith(".building")] == []

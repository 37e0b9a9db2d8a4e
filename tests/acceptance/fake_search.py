"""A search service that answers from a handful of made-up pages, and writes down what it was asked."""

from dataclasses import dataclass, field, replace

from opilio.kernel.access import Reader
from opilio.kernel.errors import Missing
from opilio.search.answer import (
    Answer,
    Explanation,
    Facet,
    Facets,
    Hit,
    ScorePart,
    Suggested,
    Suggestions,
)
from opilio.search.query.canonical import canonical
from opilio.search.query.parser import parse
from opilio.search.request import extent, permalink
from opilio.search.snippets import Snippet
from opilio.works.search_values import (
    FollowedStatus,
    GenerationStatus,
    IndexStatus,
    LinkedPage,
    LinksStory,
    NodeStatus,
    Occurrence,
    PageStory,
    SourceStatus,
    StoryCapture,
    WordCount,
    WordStory,
)

DAY = 86_400.0
_YEARS = (2025, 2024)
NOW = 1_763_000_000.0
URL = "https://www.harbour.example/news/regatta%20results.html?year=2024"
EVIL = "<script>alert(1)</script>"


def hits() -> list[Hit]:
    """Three hits: an ordinary one, one with a notice and near-duplicates, and a hostile one."""
    ordinary = Hit(
        page=7, url=URL, score=3.25,
        title=Snippet(text="Regatta results of the harbour", marks=((0, 7), (23, 30))),
        snippet=Snippet(text="… the regatta in the harbour ended at noon; all came home …", marks=((6, 13), (21, 28))),
        site="harbour.example", language="en", type="text/html", page_type="html", size=48_213, date=NOW - 40 * DAY,
        captured=NOW, crawl="harbour-2024", access="open", agency="1",
    )  # fmt: skip
    rights = replace(
        ordinary, page=8, url="https://museum.example/archive/tides.pdf", title=Snippet(text="Tide tables 1900–1950"),
        snippet=Snippet(text="Tables of high and low water, with the regatta days marked.", marks=((39, 46),)),
        site="museum.example", language="fr", type="application/pdf", page_type="pdf", more=3, access="reading-room",
        copyright="© Harbour Museum. Used by permission.",
    )  # fmt: skip
    hostile = replace(
        ordinary, page=9, url="javascript:alert(1)//", title=Snippet(text=EVIL), snippet=Snippet(text=EVIL * 3),
        description=EVIL, site=EVIL, language=EVIL, type=EVIL, page_type="", copyright=EVIL, access=EVIL,
        date=1e300, captured=-5.0, notes=(EVIL,),
    )  # fmt: skip
    return [ordinary, rights, hostile]


def story() -> PageStory:
    """The story of an ordinary page."""
    captures = tuple(
        StoryCapture(crawl="harbour-2024", result=1, at=NOW - number * 30 * DAY, outcome="fetched", status=200,
                     digest="sha1:ABCDEFGHIJKLMNOP", indexed=not number)
        for number in range(5)
    )  # fmt: skip
    names = ("regatta", "harbour", "boats", "tide", "results", "quay", "sails", "noon", "crew", "prize", EVIL)
    return PageStory(
        url=URL, page=7, generation="20261116T080000Z-1", fetched=True, indexed=True, since="20261001T080000Z-1",
        changed="20261116T080000Z-1", title="Regatta results of the harbour", metas=(("description", "All results."),
        ("keywords", "regatta, harbour"), ("author", EVIL)), type="text/html", page_type="html", language="en",
        size=48_213, status=200, depth=2, captured=NOW, last_modified=0.0, digest="sha1:ABCDEFGHIJKLMNOP",
        crawl="harbour-2024", rank=0.4213,
        words=tuple(WordCount(word=word, count=40 - 3 * place) for place, word in enumerate(names)),
        links=links(), captures=captures, near=("https://harbour.example/news/regatta.html",),
    )  # fmt: skip


def links() -> LinksStory:
    """Links to and from the page."""
    return LinksStory(
        page=7, url=URL, backlinks=9, linking_pages=2, outlinks=1,
        parents=(LinkedPage(page=1, url="https://www.harbour.example/", times=8),
                 LinkedPage(page=2, url="https://www.harbour.example/news/", times=1)),
        children=(LinkedPage(page=3, url="https://museum.example/archive/tides.pdf", times=1),),
    )  # fmt: skip


def facets() -> Facets:
    """Values of every kind, more sites than are shown at once."""
    return Facets(
        sites=tuple(_facet(f"site{number}.example", 900 - number, "site") for number in range(9)),
        types=(_facet("html", 1_200, "type"), _facet("pdf", 34, "type")),
        languages=(_facet("en", 1_000, "lang"), _facet("de", 234, "lang")),
        years=tuple(
            Facet(value=str(year), count=year - 1_500, query=f"since:{year} until:{year}") for year in (2025, 2024)
        ),
    )


def _facet(value: str, count: int, name: str) -> Facet:
    return Facet(value=value, count=count, query=f"{name}:{value}")


@dataclass
class FakeService:
    """Answers from the pages above; `calls` holds what was asked, and by whom."""

    generation: str = "20261116T080000Z-1"
    found: list[Hit] = field(default_factory=hits)
    total: int = 1_234
    meant: str = ""
    calls: list = field(default_factory=list)

    def ask(self, request, reader: Reader) -> Answer:
        self.calls.append(("ask", request, reader))
        part, reading = extent(request), parse(request.query)
        written = canonical(reading.node)
        shown = [] if "nothing" in request.query else self.found
        return Answer(
            query=written, permalink=permalink(request, written), hits=tuple(shown), total=self.total if shown else 0,
            offset=part.offset, limit=part.limit, further=bool(shown), notes=(*reading.notes, *part.notes),
            did_you_mean=self.meant, seconds=0.0042,
            facets=facets() if shown else Facets(),
        )  # fmt: skip

    def suggest(self, typed: str, reader: Reader) -> Suggestions:
        self.calls.append(("suggest", typed, reader))
        title = Suggested(page=7, url=URL, title="Regatta results of the harbour")
        return Suggestions(queries=(f"{typed}ta", f"{typed}tas"), titles=(title,))

    def similar(self, page: int, reader: Reader, *, most: int = 10) -> tuple[Hit, ...]:
        self.calls.append(("similar", page, reader))
        return tuple(self.found[:most])

    def explain(self, page: int, query: str, reader: Reader) -> Explanation | None:
        self.calls.append(("explain", query, reader))
        if "nothing" in query:
            raise Missing("the query does not find that page", where=f"page {page}")
        part = ScorePart(field="title", text="regatta", weight=3.0, bm25=1.5)
        return Explanation(page=page, url=URL, score=5.4, text=4.5, parts=(part,), link_rank=0.1, freshness=0.1)

    def page(self, url: str, reader: Reader) -> PageStory:
        self.calls.append(("page", url, reader))
        if url != URL:
            raise Missing("there is no such page", where=url)
        return story()

    def word(self, word: str, reader: Reader, *, after: int = -1, most: int = 100) -> WordStory:
        self.calls.append(("word", (word, after), reader))
        if word == "the":
            return WordStory(word=word, number=0, stop=True)
        places = tuple(range(0, 80, 2))
        shown = tuple(
            Occurrence(page=page, url=f"https://www.harbour.example/{page}", frequency=40, positions=places)
            for page in range(after + 1, after + 4)
        )
        return WordStory(
            word=word, number=17, stem="regatta", pages=500, occurrences=2_000, shown=shown, onward=after + 3
        )

    def links(self, url: str, reader: Reader, *, after: int = -1, most: int = 100) -> LinksStory:
        self.calls.append(("links", url, reader))
        if url != URL:
            raise Missing("there is no such page", where=url)
        return links()


@dataclass
class FakeHome:
    """A home with one published generation, or none."""

    service: FakeService = field(default_factory=FakeService)
    live: FakeService | None = field(default_factory=FakeService)
    told: IndexStatus = field(default_factory=lambda: status())

    def published(self) -> FakeService:
        return self.service

    def working(self) -> FakeService:
        if self.live is None:
            raise Missing("no crawl is followed")
        return self.live

    def status(self) -> IndexStatus:
        return self.told


def status() -> IndexStatus:
    """Two generations on three nodes, of which one is behind and one in trouble."""
    newest, older = "20261116T080000Z-2", "20261109T080000Z-1"
    return IndexStatus(
        generations=(
            GenerationStatus(id=newest, made=NOW, documents=35_123, known=80_456, bytes=812_345_678, parent=older,
                             nodes=("content", "primary")),
            GenerationStatus(id=older, made=NOW - 7 * DAY, documents=34_000, known=79_000, bytes=790_000_000,
                             nodes=("backup",)),
        ),
        nodes=(
            NodeStatus(name="content", role="content", place="folder", generation=newest, since=NOW),
            NodeStatus(name="primary", role="primary", place="https://search.example", generation=newest, since=NOW),
            NodeStatus(name="backup", role="backup", place="s3://bucket/index", generation=older, since=NOW - 7 * DAY,
                       behind=1, trouble=""),
            NodeStatus(name="far", role="backup", place="https://far.example", trouble="It does not answer."),
        ),
        readers="primary",
        sources=(SourceStatus(name="harbour-2024", folder="harvests/harbour", result=2),
                 SourceStatus(name="museum-2026", folder="harvests/museum", change="added", since=NOW)),
        followed=(FollowedStatus(name="museum-2026", folder="harvests/museum", pages=321),),
    )  # fmt: skip

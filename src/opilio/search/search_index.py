"""An index to be asked: search, suggestions, similar pages, explanations. Every question names the filter of access."""

import time
from collections.abc import Iterator
from pathlib import Path

from tantivy import Query

from opilio.kernel.errors import Missing
from opilio.search import similar, suggest
from opilio.search.access_decisions import PageFacts
from opilio.search.access_filter import AccessFilter, filtered
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.answer import Answer, Explanation, Facets, Hit, Suggestions
from opilio.search.collapse import firsts
from opilio.search.correction import corrected
from opilio.search.explanation import explanation
from opilio.search.facets import facets
from opilio.search.hits import Hits
from opilio.search.index.opening import open_index
from opilio.search.query.builder import Asked, Builder
from opilio.search.query.canonical import canonical
from opilio.search.query.nodes import Node
from opilio.search.query.parser import parse
from opilio.search.ranking import Ranked, Ranking
from opilio.search.request import Extent, Request, Sort, extent, permalink
from opilio.search.snapshot import Snapshot, count

_FEW = 3  # pages; below, another spelling is looked for


class SearchIndex:
    """An index open for reading, by any number of threads. Reads one state of it until `reload`."""

    def __init__(self, folder: Path, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._index = open_index(folder, analyzer.fingerprint)
        self._index.config_reader("manual")
        self.reload()

    def reload(self) -> None:
        """See what was committed since."""
        self._index.reload()
        self._snapshot = Snapshot(self._index.schema, self._index.searcher())

    def __len__(self) -> int:
        """Pages, whoever may see them."""
        return self._snapshot.searcher.num_docs

    def search(self, request: Request, access: AccessFilter) -> Answer:
        """The answer to a request. Never refuses a query: the notes say how it was read."""
        begun = time.perf_counter()
        snapshot, wanted, reading = self._snapshot, extent(request), parse(request.query)
        asked = self._asked(snapshot, reading.node, request, access)
        query = filtered(snapshot.schema, asked.query, access)
        pages, total, further = self._pages(snapshot, query, asked, request, wanted)
        hits = Hits(snapshot, self._analyzer, asked.terms, snippets=request.snippets)
        written = canonical(reading.node)
        return Answer(
            query=written,
            permalink=permalink(request, written),
            hits=tuple(hits.made(pages, _more(snapshot, query, pages) if request.collapse else {})),
            total=total,
            offset=wanted.offset,
            limit=wanted.limit,
            further=further,
            facets=facets(snapshot.searcher, query) if request.facets and total else Facets(),
            notes=(*reading.notes, *asked.notes, *wanted.notes, *(("Nothing was asked.",) if asked.empty else ())),
            did_you_mean=self._meant(snapshot, reading.node, request, access, total),
            seconds=time.perf_counter() - begun,
        )

    def count(self, query: str, access: AccessFilter) -> int:
        """How many pages a query finds."""
        snapshot = self._snapshot
        asked = self._asked(snapshot, parse(query).node, Request(query=query), access)
        return count(snapshot.searcher, filtered(snapshot.schema, asked.query, access))

    def pages(self, query: str, access: AccessFilter) -> list[int]:
        """The ids of all pages that a query finds, in no order."""
        snapshot = self._snapshot
        asked = self._asked(snapshot, parse(query).node, Request(query=query), access)
        return snapshot.pages(filtered(snapshot.schema, asked.query, access))

    def suggest(self, typed: str, access: AccessFilter, *, most: int = 8) -> Suggestions:
        """What somebody who typed so far may want to ask."""
        return suggest.suggestions(self._snapshot, self._analyzer, typed, access, most)

    def similar(self, page: int, access: AccessFilter, *, most: int = 10) -> tuple[Hit, ...]:
        """Pages that are about the same; `Missing` when the page itself must not be found."""
        return similar.similar_pages(self._snapshot, self._analyzer, page, access, most)

    def explain(self, request: Request, page: int, access: AccessFilter) -> Explanation:
        """Why a page has its score; `Missing` when the query does not find it, or the reader must not."""
        snapshot = self._snapshot
        asked = self._asked(snapshot, parse(request.query).node, request, access)
        query = filtered(snapshot.schema, asked.query, access)
        found = explanation(snapshot, request.profile, asked, query, page)
        if found is None:
            raise Missing(
                "the query does not find that page", where=f"page {page}", remedy="Ask for a page among its hits."
            )
        return found

    def facts(self) -> Iterator[PageFacts]:
        """What rules of access are held against, for every page."""
        return self._snapshot.facts()

    def _asked(self, snapshot: Snapshot, node: Node, request: Request, access: AccessFilter) -> Asked:
        builder = Builder(
            schema=snapshot.schema, analyzer=self._analyzer, languages=snapshot.languages,
            lexicon=snapshot.known(access), profile=request.profile, every=request.every,
        )  # fmt: skip
        return builder.asked(node)

    def _pages(
        self, snapshot: Snapshot, query: Query, asked: Asked, request: Request, wanted: Extent
    ) -> tuple[list[Ranked], int, bool]:
        """The pages of the part that is wanted, how many there are in all, and whether others follow."""
        ranking = Ranking(snapshot=snapshot, profile=request.profile)
        sort = request.sort if asked.scored else Sort.DATE
        end = wanted.offset + wanted.limit
        most = max(end + 1, request.profile.rescored)
        while True:
            ranked, total = ranking.first(query, most, sort)
            places = firsts(each.group for each in ranked) if request.collapse else range(len(ranked))
            kept = [ranked[place] for place in places]
            if len(kept) > end or len(ranked) >= total:
                return kept[wanted.offset : end], total, len(kept) > end
            most *= 4

    def _meant(self, snapshot: Snapshot, node: Node, request: Request, access: AccessFilter, total: int) -> str:
        if not request.suggest or total >= _FEW:
            return ""
        for other in corrected(node, self._analyzer, snapshot, access):
            asked = self._asked(snapshot, other, request, access)
            if count(snapshot.searcher, filtered(snapshot.schema, asked.query, access)) > total:
                return canonical(other)
        return ""


def _more(snapshot: Snapshot, query: Query, pages: list[Ranked]) -> dict[int, int]:
    """How many pages that the query finds belong to each group, where there is more than one."""
    return snapshot.sizes(query, [each.group for each in pages])

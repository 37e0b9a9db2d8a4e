"""Pages that are about the same as one page: those that hold the terms that say most about it."""

import math
from collections import Counter
from typing import Final

from tantivy import Occur, Query

from opilio.kernel.errors import Missing
from opilio.search.access_filter import AccessFilter, filtered
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.answer import Hit
from opilio.search.collapse import firsts
from opilio.search.hits import Hits
from opilio.search.index.stored import StoredPage
from opilio.search.query.profile import FULL
from opilio.search.ranking import Ranking
from opilio.search.request import MOST_HITS, Sort
from opilio.search.snapshot import Snapshot

_MOST_TERMS: Final = 25
_MOST_TEXT: Final = 50_000  # characters that are looked at
_FEW: Final = 5  # pages that may hold a term although they are more than half of all
_TITLE: Final = 3  # times that a word of the title counts


def similar_pages(
    snapshot: Snapshot, analyzer: Analyzer, page: int, access: AccessFilter, most: int
) -> tuple[Hit, ...]:
    """The pages nearest to one, without it and its near-duplicates."""
    address = snapshot.address(page, access)
    if address is None:
        raise Missing(
            "there is no such page", where=f"page {page}", remedy="Ask for a page among the hits of a search."
        )
    group = int(snapshot.searcher.fast_field_values("group", [address])[0] or 0)
    terms = _telling(snapshot, analyzer, snapshot.stored(address))
    if not terms:
        return ()
    query = Query.boolean_query(
        [
            *((Occur.Should, Query.boost_query(Query.term_query(snapshot.schema, "body", term), weight))
              for term, weight in terms.items()),
            (Occur.MustNot, Query.term_query(snapshot.schema, "group", group, "basic")),
        ]
    )  # fmt: skip
    limit = min(max(most, 1), MOST_HITS)
    ranking = Ranking(snapshot=snapshot, profile=FULL)
    ranked, _ = ranking.first(filtered(snapshot.schema, query, access), 4 * limit, Sort.RELEVANCE)
    kept = [ranked[place] for place in firsts(each.group for each in ranked)][:limit]
    return tuple(Hits(snapshot, analyzer, frozenset(), snippets=True).made(kept, {}))


def _telling(snapshot: Snapshot, analyzer: Analyzer, page: StoredPage) -> dict[str, float]:
    """The terms of a page that are frequent in it and rare elsewhere, with their weights."""
    counts = Counter(analyzer.terms(analyzer.words(page.main_text[:_MOST_TEXT]), page.language))
    for term in analyzer.terms(analyzer.words(page.title), page.language):
        counts[term] += _TITLE
    del counts[""]
    pages = snapshot.searcher.num_docs
    scored: list[tuple[float, str]] = []
    for term, count in counts.most_common(4 * _MOST_TERMS):
        held = snapshot.searcher.doc_freq("body", term)
        if 1 < held <= max(pages / 2, _FEW):
            scored.append((math.log1p(count) * math.log(1 + pages / held), term))
    best = sorted(scored, reverse=True)[:_MOST_TERMS]
    return {term: weight / best[0][0] for weight, term in best}

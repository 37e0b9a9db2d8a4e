"""Why a page has its score, part by part: what the engine tells of it, with the names that we gave the parts."""

import json
import math
from collections.abc import Iterator
from typing import Any

from tantivy import Occur, Query

from opilio.search.answer import Explanation, ScorePart
from opilio.search.query.builder import Asked
from opilio.search.query.profile import Profile
from opilio.search.ranking import Ranked, Ranking
from opilio.search.request import Sort
from opilio.search.snapshot import Snapshot

_CLOSE = 1e-4  # the engine counts with few digits


def explanation(snapshot: Snapshot, profile: Profile, asked: Asked, query: Query, page: int) -> Explanation | None:
    """The parts of a page's score; None when the query (with the filter of access) does not find it."""
    this = Query.const_score_query(Query.term_query(snapshot.schema, "page", page, "basic"), 0.0)
    ranking = Ranking(snapshot=snapshot, profile=profile)
    found, _ = ranking.first(Query.boolean_query([(Occur.Must, query), (Occur.Must, this)]), 1, Sort.RELEVANCE)
    if not found:
        return None
    ranked = found[0]
    first, _ = ranking.first(query, profile.rescored, Sort.RELEVANCE)
    near = any(each.page == page for each in first)
    rank, fresh = ranking.factors(ranked.rank, ranked.date) if near else (0.0, 0.0)
    return Explanation(
        page=page,
        url=snapshot.stored(ranked.address).url,
        score=ranked.text * (1 + rank + fresh),
        text=ranked.text,
        parts=tuple(sorted(_parts(snapshot, asked, ranked), key=lambda part: -part.value)),
        link_rank=rank,
        freshness=fresh,
    )


def _parts(snapshot: Snapshot, asked: Asked, ranked: Ranked) -> Iterator[ScorePart]:
    """The parts that the engine counted: of alternatives only the best, of what was not needed nothing."""
    counted = list(_counted(_told(snapshot, asked.query, ranked) or {}))
    for part in asked.parts:
        told = _told(snapshot, part.query, ranked)
        if told is None:
            continue
        value = part.weight * told["value"]
        place = next((at for at, each in enumerate(counted) if math.isclose(each, value, rel_tol=_CLOSE)), None)
        if place is not None:
            del counted[place]
            yield ScorePart(field=part.field, text=part.text, weight=part.weight, bm25=told["value"])


def _counted(told: dict[str, Any]) -> Iterator[float]:
    """What each term and phrase adds, in the engine's own account of a score."""
    kind, parts = told.get("description", ""), told.get("details", [])
    if kind.startswith(("TermQuery", "Phrase")):
        yield told["value"]
    elif kind.startswith("Boost"):
        factor = told["value"] / parts[0]["value"] if parts[0]["value"] else 0.0
        yield from (factor * value for value in _counted(parts[0]))
    elif parts:
        summed = math.isclose(sum(part["value"] for part in parts), told["value"], rel_tol=_CLOSE)
        for part in parts if summed else [max(parts, key=lambda each: each["value"])]:
            yield from _counted(part)


def _told(snapshot: Snapshot, query: Query, ranked: Ranked) -> dict[str, Any] | None:
    try:
        told: dict[str, Any] = json.loads(query.explain(snapshot.searcher, ranked.address).to_json())
    except ValueError:  # the engine explains only what matches
        return None
    return told

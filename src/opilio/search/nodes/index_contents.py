"""The index of a generation as a node's service asks it: parameters in, JSON out, rules of access on every way."""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from opilio.kernel.access import OPEN_TO_ALL, Reader, Rules
from opilio.kernel.clock import Clock
from opilio.kernel.files import reading
from opilio.search.access_decisions import AccessDecisions, PageFacts
from opilio.search.access_filter import OPEN, AccessFilter
from opilio.search.analysis.settings import AnalysisSettings
from opilio.search.answer import Answer, Hit
from opilio.search.generations.contents import Found
from opilio.search.nodes.errors import BadQuestion
from opilio.search.nodes.messages import number
from opilio.search.request import Request, Sort
from opilio.search.search_index import SearchIndex
from opilio.search.snippets import Snippet

ANALYSIS: Final = "analysis.json"  # in a generation: the settings of analysis with which it was built
DOCUMENTS: Final = "documents"  # the count of pages that can be found
PROBED: Final = 5  # results of a probe that are compared
_MOST: Final = 1_000_000_000

RulesNow = Callable[[datetime], Rules]


class OpenIndex:
    """An index that answers readers; for several threads."""

    def __init__(
        self, index: SearchIndex, rules: RulesNow, beside: Mapping[str, int], clock: Clock, *,
        facts: Callable[[], Iterable[PageFacts]] | None = None,
    ) -> None:  # fmt: skip
        """`facts` gives what rules are held against for every page, where the index would be slow to tell it."""
        self._index = index
        self._beside = beside
        self._rules = rules
        self._clock = clock
        self._decisions = AccessDecisions(facts or index.facts)
        self._last: tuple[Rules, int] = (OPEN_TO_ALL, 0)  # the rules asked last, and how often they changed
        self._lock = threading.Lock()

    def counts(self) -> Mapping[str, int]:
        return {**self._beside, DOCUMENTS: len(self._index)}

    def probe(self, query: str) -> Found:
        request = Request(query=query, limit=PROBED, facets=False, snippets=False, suggest=False)
        answer = self._index.search(request, OPEN)
        return Found(total=answer.total, first=tuple(hit.url for hit in answer.hits))

    def search(self, question: Mapping[str, str], reader: Reader) -> Mapping[str, Any]:
        return told_answer(self._index.search(asked(question), self.access(reader)))

    def suggest(self, question: Mapping[str, str], reader: Reader) -> Mapping[str, Any]:
        found = self._index.suggest(_query(question), self.access(reader))
        return {"queries": list(found.queries), "titles": [asdict(each) for each in found.titles]}

    def close(self) -> None:
        """Nothing is held that the end of the object does not let go of."""

    def access(self, reader: Reader) -> AccessFilter:
        """The filter that every question of the reader passes."""
        now = self._clock.now()
        rules = self._rules(now)
        return self._decisions.filter_for(rules, self._version(rules), reader, now)

    def _version(self, rules: Rules) -> int:
        """A number that no other rules have had: threads may hold different ones for a moment."""
        with self._lock:
            if rules is not self._last[0]:
                self._last = (rules, self._last[1] + 1)
            return self._last[1]


def analysis_of(folder: Path) -> AnalysisSettings:
    """The settings with which a generation was built; those of a new installation where none are kept."""
    path = folder / ANALYSIS
    if not path.exists():
        return AnalysisSettings()
    with reading(path):
        return AnalysisSettings.from_json(path.read_text("utf-8"), where=str(path))


def asked(question: Mapping[str, str]) -> Request:
    """A request out of parameters, which are those of a permalink; `BadQuestion` for values that mean nothing."""
    sort = question.get("sort") or Sort.RELEVANCE
    if sort not in set(Sort):
        remedy = f"Choose one of: {', '.join(Sort)}."
        raise BadQuestion(f"{sort[:80]!r} is no order of results", where="sort", remedy=remedy)
    return Request(
        query=_query(question),
        offset=number(question, "from", default=0, most=_MOST),
        limit=number(question, "limit", default=10, most=_MOST),
        sort=Sort(sort),
        every=_is_set(question, "every"),
        collapse=not _is_set(question, "duplicates"),
        facets=_is_set(question, "facets", default="1"),
        snippets=_is_set(question, "snippets", default="1"),
    )


def told_answer(answer: Answer) -> dict[str, Any]:
    """An answer as JSON holds it."""
    return {
        "query": answer.query,
        "permalink": answer.permalink,
        "total": answer.total,
        "from": answer.offset,
        "limit": answer.limit,
        "further": answer.further,
        "results": [_hit(hit) for hit in answer.hits],
        "facets": asdict(answer.facets),
        "notes": list(answer.notes),
        "did_you_mean": answer.did_you_mean,
        "seconds": round(answer.seconds, 6),
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {**asdict(hit), "title": _snippet(hit.title), "snippet": _snippet(hit.snippet)}


def _snippet(snippet: Snippet) -> dict[str, str]:
    return {"text": snippet.text, "html": snippet.html}


def _query(question: Mapping[str, str]) -> str:
    if "q" not in question:
        raise BadQuestion("nothing is asked", where="q", remedy="Send the query as q=…")
    return question["q"]


def _is_set(question: Mapping[str, str], name: str, default: str = "0") -> bool:
    value = question.get(name) or default
    if value not in ("0", "1"):
        raise BadQuestion(f"{name} is neither 0 nor 1", where=name, remedy="Send 1 for yes and 0 for no.")
    return value == "1"

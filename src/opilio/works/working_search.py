"""Searching the working index: reviewers find the pages of their agencies' crawls seconds after they were captured."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from opilio.kernel.access import OPEN_TO_ALL, Reader
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Missing
from opilio.search.access_decisions import PageFacts
from opilio.search.access_filter import AccessFilter
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.answer import Answer, Explanation, Hit, Suggestions
from opilio.search.index.opening import exists
from opilio.search.nodes.index_contents import OpenIndex, RulesNow
from opilio.search.register import Register
from opilio.search.request import Request
from opilio.search.search_index import SearchIndex
from opilio.works.followed_crawls import index_folder, register_file

_RELOAD_EVERY = 0.5  # seconds after which what was committed since is looked for


class WorkingSearch:
    """The working index, open for questions; for several threads. What is committed meanwhile is seen soon."""

    generation = ""  # it is none

    def __init__(
        self, folder: Path, analyzer: Analyzer, *, rules: RulesNow | None = None, of_everybody: bool = False,
        clock: Clock = SYSTEM,
    ) -> None:  # fmt: skip
        """`of_everybody`: pages of all agencies and of none are found, as on a person's own machine."""
        if not exists(index_folder(folder)):
            remedy = "Let it follow a crawl: opilio index follow DIR."
            raise Missing("there is no working index yet", where=str(folder), remedy=remedy)
        self._register = register_file(folder)
        self._everybody = of_everybody
        self._clock = clock
        self._lock = threading.Lock()
        self._looked = clock.monotonic()
        self._rules = rules or (lambda now: OPEN_TO_ALL)
        self._index = SearchIndex(index_folder(folder), analyzer)
        self._answers = self._opened()

    def ask(self, request: Request, reader: Reader) -> Answer:
        """The answer to a request."""
        return self._fresh().search(request, self._access(reader))

    def suggest(self, typed: str, reader: Reader, *, most: int = 8) -> Suggestions:
        """What somebody who typed so far may want to ask."""
        return self._fresh().suggest(typed, self._access(reader), most=most)

    def similar(self, page: int, reader: Reader, *, most: int = 10) -> tuple[Hit, ...]:
        """Pages that are about the same."""
        return self._fresh().similar(page, self._access(reader), most=most)

    def explain(self, page: int, query: str, reader: Reader) -> Explanation:
        """Why a page has its score."""
        return self._fresh().explain(Request(query=query), page, self._access(reader))

    def _access(self, reader: Reader) -> AccessFilter:
        """Rules of access, and only pages of agencies for which the reader may review."""
        found = self._answers.access(reader)
        return found if self._everybody else replace(found, agencies=reader.staff_of)

    def _fresh(self) -> SearchIndex:
        with self._lock:
            now = self._clock.monotonic()
            if not 0 <= now - self._looked < _RELOAD_EVERY:
                self._looked = now
                before = len(self._index)
                self._index.reload()
                if len(self._index) != before:
                    self._answers = self._opened()
        return self._index

    def _opened(self) -> OpenIndex:
        return OpenIndex(self._index, self._rules, {}, self._clock, facts=self._facts)

    def _facts(self) -> Iterator[PageFacts]:
        with closing(Register(self._register)) as register:
            for entry in register.entries():
                yield PageFacts(entry.page, entry.url, entry.captured, entry.agency, entry.target, entry.harvest)

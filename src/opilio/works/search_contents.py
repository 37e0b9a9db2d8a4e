"""What lies in a generation, open for readers: index, views and list of documents, under rules of access."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from opilio.kernel.access import OPEN_TO_ALL, Reader
from opilio.kernel.clock import SYSTEM, Clock
from opilio.search.access_decisions import PageFacts
from opilio.search.access_filter import AccessFilter
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.generations.contents import Found
from opilio.search.generations.manifest import Manifest
from opilio.search.nodes.index_contents import OpenIndex, RulesNow, analysis_of
from opilio.search.register import Register
from opilio.search.search_index import SearchIndex
from opilio.search.views.reader import Views
from opilio.works.generation_files import DOCUMENTS, INDEX, VIEWS
from opilio.works.search_sight import Sight


class OpenGeneration:
    """A generation that answers; for several threads."""

    def __init__(self, folder: Path, manifest: Manifest, rules: RulesNow, clock: Clock) -> None:
        self.id = manifest.id
        self._rules = rules
        self._clock = clock
        self.analyzer = Analyzer(analysis_of(folder))
        with contextlib.ExitStack() as stack:
            self.views = stack.enter_context(contextlib.closing(Views(folder / VIEWS)))
            self.register = stack.enter_context(Register(folder / DOCUMENTS))
            self.index = SearchIndex(folder / INDEX, self.analyzer)
            self._answers = OpenIndex(self.index, rules, self._beside(), clock, facts=self._facts)
            self._stack = stack.pop_all()

    def counts(self) -> Mapping[str, int]:
        """How much is inside."""
        return self._answers.counts()

    def probe(self, query: str) -> Found:
        """The answer to a probe, whatever the rules of access say."""
        return self._answers.probe(query)

    def search(self, question: Mapping[str, str], reader: Reader) -> Mapping[str, Any]:
        """Results, as JSON will hold them."""
        return self._answers.search(question, reader)

    def suggest(self, question: Mapping[str, str], reader: Reader) -> Mapping[str, Any]:
        """What continues what was typed, as JSON will hold it."""
        return self._answers.suggest(question, reader)

    def access(self, reader: Reader) -> AccessFilter:
        """The filter that every question of the reader passes."""
        return self._answers.access(reader)

    def sight(self, reader: Reader) -> Sight:
        """What the reader may know of, beside what the index finds."""
        now = self._clock.now()
        return Sight(self.access(reader), self.register, self._rules(now), reader, now)

    def close(self) -> None:
        """Let go of files and memory."""
        self._stack.close()

    def _beside(self) -> dict[str, int]:
        known = self.views.counts()
        return {"pages": known.pages, "words": known.words, "links": known.links}

    def _facts(self) -> Iterator[PageFacts]:
        return (
            PageFacts(entry.page, entry.url, entry.captured, entry.agency, entry.target, entry.harvest)
            for entry in self.register.entries()
        )


class GenerationContents:
    """Opens generations. Without rules of access, everything is open."""

    def __init__(self, rules: RulesNow | None = None, *, clock: Clock = SYSTEM) -> None:
        self._rules = rules or (lambda now: OPEN_TO_ALL)
        self._clock = clock

    def open(self, folder: Path, manifest: Manifest) -> OpenGeneration:
        """The contents of a folder."""
        return OpenGeneration(folder, manifest, self._rules, self._clock)

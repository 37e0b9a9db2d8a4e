"""One place to ask: the generation that a node serves. Follows the node to another generation; every answer comes from
one generation and keeps to what the reader may see.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from opilio.kernel.access import Reader
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Missing
from opilio.search.answer import Answer, Explanation, Hit, Suggestions
from opilio.search.nodes import link
from opilio.search.nodes.index_contents import RulesNow
from opilio.search.nodes.serving import Serving
from opilio.search.request import Request
from opilio.works.index_sources import IndexSource
from opilio.works.search_contents import GenerationContents, OpenGeneration
from opilio.works.search_stories import Stories, here
from opilio.works.search_values import LinksStory, PageStory, WordStory

_LOOK_EVERY = 1.0  # seconds after which it is looked whether the node serves another generation
Sources = Callable[[], Sequence[IndexSource]]


class PublishedSearch:
    """The generation that the link of a node names; for several threads."""

    def __init__(
        self,
        node: Callable[[], Path],
        *,
        rules: RulesNow | None = None,
        sources: Sources = tuple,
        clock: Clock = SYSTEM,
    ) -> None:
        """`node` names the link of the node to ask now."""
        self._node = node
        self._sources = sources
        self._clock = clock
        self._serving = Serving(self._folder_now, GenerationContents(rules, clock=clock), clock=clock)
        self._looked: float | None = None
        self._looking = threading.Lock()

    @property
    def generation(self) -> str:
        """The generation that answers; empty when none is published."""
        self._follow()
        found = self._serving.current()
        return found.id if found is not None else ""

    def ask(self, request: Request, reader: Reader) -> Answer:
        """The answer to a request."""
        with self._reading() as held:
            return held.index.search(request, held.access(reader))

    def suggest(self, typed: str, reader: Reader, *, most: int = 8) -> Suggestions:
        """What somebody who typed so far may want to ask."""
        with self._reading() as held:
            return held.index.suggest(typed, held.access(reader), most=most)

    def similar(self, page: int, reader: Reader, *, most: int = 10) -> tuple[Hit, ...]:
        """Pages that are about the same."""
        with self._reading() as held:
            return held.index.similar(page, held.access(reader), most=most)

    def explain(self, page: int, query: str, reader: Reader) -> Explanation:
        """Why a page has its score."""
        with self._reading() as held:
            return held.index.explain(Request(query=query), page, held.access(reader))

    def page(self, url: str, reader: Reader) -> PageStory:
        """The story of a page."""
        with self._stories(reader) as stories:
            return stories.page(url)

    def word(self, word: str, reader: Reader, *, after: int = -1, most: int = 100) -> WordStory:
        """The story of a word."""
        with self._stories(reader) as stories:
            return stories.word(word, after=after, most=most)

    def links(self, url: str, reader: Reader, *, after: int = -1, most: int = 100) -> LinksStory:
        """Parents and children of a page."""
        with self._stories(reader) as stories:
            return stories.links(url, after=after, most=most)

    def close(self) -> None:
        """Answer no more."""
        self._serving.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator[OpenGeneration]:
        """The open generation, for what is asked of it directly; `Missing` when none is published."""
        with self._reading() as held:
            yield held

    @contextlib.contextmanager
    def _reading(self) -> Iterator[OpenGeneration]:
        self._follow()
        if self._serving.current() is None:
            refused = self._serving.refused
            why = f": {refused.reason}" if refused is not None else ""
            remedy = "Build one from a crawl and publish it: opilio index build DIR, then opilio index publish."
            raise Missing(f"no generation is published yet{why}", where=str(self._node()), remedy=remedy)
        with self._serving.reading() as held:
            assert isinstance(held.opened, OpenGeneration)  # noqa: S101 - our contents open nothing else
            yield held.opened

    @contextlib.contextmanager
    def _stories(self, reader: Reader) -> Iterator[Stories]:
        with self._reading() as held:
            yield Stories(held, held.sight(reader), here(self._sources()))

    def _follow(self) -> None:
        """Look, now and then, what the node serves; while one thread opens it, others answer from the one before."""
        now = self._clock.monotonic()
        if self._looked is not None and 0 <= now - self._looked < _LOOK_EVERY:
            return
        if self._serving.current() is not None:
            if self._looking.acquire(blocking=False):
                with contextlib.ExitStack() as stack:
                    stack.callback(self._looking.release)
                    self._looked = now
                    self._serving.follow()
            return
        with self._looking:
            self._looked = now
            self._serving.follow()

    def _folder_now(self) -> Path | None:
        node = self._node()
        return node.resolve() if link.served(node) else None

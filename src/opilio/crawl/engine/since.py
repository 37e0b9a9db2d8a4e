"""Asks the earlier crawl about pages, without blocking the event loop, and the server whether they changed."""

from dataclasses import replace

from opilio.crawl.earlier import EarlierContent, EarlierPage, EarlierPages, reads_alike
from opilio.crawl.engine.worker_store import StoreDoor
from opilio.crawl.fetch.exchange import Ask
from opilio.crawl.plan import CrawlPlan

_CONDITIONS = frozenset({"If-None-Match", "If-Modified-Since"})


class Since:
    """Looks back for one worker; without an earlier crawl it knows nothing."""

    def __init__(self, plan: CrawlPlan, pages: EarlierPages | None) -> None:
        self._pages = pages
        self._door = StoreDoor() if pages is not None else None
        # A page that is not sent again is not read again, and its body lies in another crawl.
        self._conditional = pages is not None and plan.warc.revisits and reads_alike(plan, pages)

    async def page(self, url: str, asked: str) -> EarlierPage | None:
        """The page of a URL, if the earlier crawl asked for it under the same URL."""
        pages, door = self._pages, self._door
        if pages is None or door is None:
            return None
        found = await door(lambda: pages.page(url))
        return found if found is not None and found.asked == asked else None

    def conditional(self, ask: Ask, earlier: EarlierPage | None) -> Ask:
        """The request, with the question whether the page changed where that may be asked."""
        if earlier is None or not self._conditional:
            return ask
        return replace(ask, headers=(*ask.headers, *earlier.conditions))

    async def content(self, page: EarlierPage) -> EarlierContent:
        """What was read in a page."""
        pages, door = self._pages, self._door
        if pages is None or door is None:
            return EarlierContent()
        return await door(lambda: pages.content(page))

    def close(self) -> None:
        """Wait for the question under way."""
        if self._door is not None:
            self._door.close()


def is_conditional(ask: Ask) -> bool:
    """Whether a server may answer that nothing changed."""
    return any(name in _CONDITIONS for name, _ in ask.headers)

"""Lets a seed that was redirected bring its new place into the scope, where the plan says so."""

from collections.abc import Callable, Sequence

from opilio.crawl.engine.worker_store import StoreDoor, WorkerStore
from opilio.crawl.frontier.values import Entry
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import canonical

Widened = tuple[tuple[int, str], ...]
_TO = "to "


class Widening:
    """The places that redirected seeds brought, as far as this worker knows."""

    def __init__(
        self, plan: CrawlPlan, store: WorkerStore, door: StoreDoor, changed: Callable[[Widened], None]
    ) -> None:
        self._plan = plan
        self._store = store
        self._door = door
        self._changed = changed
        self._places: dict[int, list[str]] = {}

    async def follow(self, entry: Entry, outlinks: Sequence[PageLink]) -> None:
        """Take up what this page tells: it is a redirected seed, or one was passed on the way to it."""
        if not self._plan.scope.widen_by_redirect:
            return
        redirect = Hop.REDIRECT.value
        if not entry.path.strip(redirect):
            self._add(entry.label.seed, [link.url for link in outlinks if link.hop is Hop.REDIRECT])
        if entry.path.startswith(redirect) and entry.label.seed not in self._places:
            self._add(entry.label.seed, await self._door(lambda: self._recorded(entry.label.seed)))

    def _add(self, seed: int, places: Sequence[str]) -> None:
        known = self._places.setdefault(seed, []) if places else []
        fresh = [place for place in places if place not in known]
        if fresh:
            known += fresh
            self._changed(tuple((number, place) for number, urls in self._places.items() for place in urls))

    def _recorded(self, seed: int) -> list[str]:
        """Where the store says that a seed was redirected to, step by step."""
        places: list[str] = []
        url = canonical(self._plan.seeds[seed].url, self._plan.scope.query)
        while (page := self._store.page(url)) is not None and page.outcome is Outcome.REDIRECTED:
            url = page.reason.partition(";")[0].removeprefix(_TO)
            if url in places or len(places) > self._plan.fetch.max_redirects:
                break
            places.append(url)
        return places

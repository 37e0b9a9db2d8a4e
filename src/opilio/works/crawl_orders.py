"""Orders to the crawl of a folder, also from another process than the one that crawls: written into its store, and
obeyed from there. What may be ordered depends on whether somebody crawls, and on what was ordered before.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from opilio.crawl.frontier.control import CrawlState
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, InvalidInput
from opilio.kernel.files import mapped
from opilio.kernel.locks import Holder, held_by
from opilio.works.crawl_folder import CrawlFolder, StoreAddress

#: The states in which an order makes sense; orders that are not here do so in every state, and before a resumption.
_SENSIBLE: Mapping[str, Sequence[CrawlState]] = {
    "pause": (CrawlState.RUNNING,),
    "resume": (CrawlState.PAUSED,),
    "stop": (CrawlState.RUNNING, CrawlState.PAUSED),
    "abort": (CrawlState.RUNNING, CrawlState.PAUSED, CrawlState.STOPPING),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Ordered:
    """An order that was written down."""

    number: int
    what: str
    arguments: Mapping[str, object]
    crawler: Holder | None  # who will obey; None: whoever resumes the crawl


@dataclass(frozen=True, kw_only=True, slots=True)
class Orders:
    """Gives orders to the crawl of one folder."""

    folder: Path
    by: str
    address: StoreAddress = StoreAddress()
    clock: Clock = SYSTEM

    def pause(self) -> Ordered:
        """Ask for nothing until told to go on; requests under way end."""
        return self._order("pause", {})

    def go_on(self) -> Ordered:
        """End a pause."""
        return self._order("resume", {})

    def stop(self) -> Ordered:
        """End once the requests under way have ended; the crawl can be resumed."""
        return self._order("stop", {})

    def abort(self) -> Ordered:
        """End at once; the crawl can be resumed."""
        return self._order("abort", {})

    def limit(self, *, pages: int | None = None, bytes_: int | None = None, seconds: int | None = None) -> Ordered:
        """Change the limits that are given, counted from the beginning of the crawl; 0 lifts one.

        Pages are exact where the limit leaves room for what was fetched before and is under way; else that is the
        overrun.
        """
        given = {"pages": pages, "bytes": bytes_, "seconds": seconds}
        wanted = {name: value for name, value in given.items() if value is not None}
        if not wanted:
            raise InvalidInput("no limit was given", remedy="Give --pages, --bytes or --seconds.")
        return self._order("limits", wanted)

    def delay(self, seconds: float) -> Ordered:
        """Change the delay between two requests to a host; a wait that has begun changes with it."""
        return self._order("delay", {"seconds": seconds})

    def bandwidth(self, bytes_per_second: int) -> Ordered:
        """Change how many bytes the whole crawl may receive in a second; 0 lifts the limit."""
        return self._order("bandwidth", {"bytes_per_second": bytes_per_second or None})

    def exclude(self, *, patterns: Sequence[str] = (), urls: Sequence[str] = ()) -> Ordered:
        """Ask for nothing more that matches an RE2 expression or is exactly one of these URLs."""
        if not patterns and not urls:
            raise InvalidInput("no exclusion was given", remedy="Give a PATTERN, or --url for exactly one URL.")
        given = {"patterns": list(patterns), "urls": list(urls)}
        return self._order("exclude", {name: texts for name, texts in given.items() if texts})

    def prioritise(
        self, priority: int, *, patterns: Sequence[str] = (), urls: Sequence[str] = (), hosts: Sequence[str] = ()
    ) -> Ordered:
        """Move pages ahead (below 0) or back (above 0) that match an RE2 expression, are a URL or are of a host."""
        given = {"patterns": list(patterns), "urls": list(urls), "hosts": list(hosts)}
        named = {name: texts for name, texts in given.items() if texts}
        if not named:
            raise InvalidInput("nothing to move was given", remedy="Give a PATTERN, --url or --host.")
        return self._order("priority", {"priority": priority, **named})

    def _order(self, what: str, arguments: Mapping[str, object]) -> Ordered:
        place = CrawlFolder(self.folder)
        with mapped(place.path), contextlib.closing(place.open(self.address)) as store:
            now = self.clock.now().timestamp()
            crawler = held_by(place.lock)
            if not store.sealed:  # else the store says so itself
                _require_use(place, store, what, crawler, now)
            number = store.order(what, self.by, now, arguments)
        return Ordered(number=number, what=what, arguments=arguments, crawler=crawler)


def _require_use(place: CrawlFolder, store: SqlStore, what: str, crawler: Holder | None, now: float) -> None:
    """`Conflict` unless somebody is there, or will be, for whom the order means something."""
    where = str(place.path)
    if crawler is None and what in _SENSIBLE:
        remedy = f"Go on with it: opilio crawl resume {place.path}."
        raise Conflict("nobody crawls into this folder now", where=where, remedy=remedy)
    if crawler is None and store.counts(now).waiting == 0:
        raise Conflict("the crawl has ended, and nothing waits", where=where, remedy="Begin a new crawl.")
    state = store.control().state
    if state not in _SENSIBLE.get(what, tuple(CrawlState)):
        remedy = f"See how it goes: opilio crawl report {place.path}."
        raise Conflict(f"the crawl is {state.value}, which leaves nothing to do", where=where, remedy=remedy)

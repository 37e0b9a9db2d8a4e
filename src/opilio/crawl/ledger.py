"""The politeness ledger: every request of a crawl asks here first, whatever it is for.

Pages, embeds, robots.txt, sitemaps, logins and retries share the entry of their host, and of their address where the
plan wants it. Time runs evenly inside: a wall clock that is set does not let requests crowd or wait for ever.
"""

from collections.abc import Mapping

from opilio.crawl.manners import (
    Answer,
    HostManners,
    Pace,
    Wait,
    answered,
    granted,
    repaced,
    restored,
    shifted,
    told,
    wait,
)
from opilio.kernel.clock import Clock

_NEW = HostManners()


class Ledger:
    """Grants requests. Keys are host keys (`kernel.hosts.host_key`), and `ip:…` for addresses."""

    def __init__(self, *, clock: Clock, pace: Pace, paces: Mapping[str, Pace] | None = None) -> None:
        self._clock = clock
        self._pace = pace
        self._paces = dict(paces or {})  # of single keys
        self._states: dict[str, HostManners] = {}
        self._changed: set[str] = set()
        self._start = clock.now().timestamp() - clock.monotonic()

    def ask(self, *keys: str) -> Wait | None:
        """Allow a request now, for all its keys at once: None. Otherwise what to wait for, the longest first."""
        now = self._now()
        longest: Wait | None = None
        for key in keys:
            found = wait(self._states.get(key, _NEW), self.pace(key), now)
            if found is not None and (longest is None or found.seconds > longest.seconds):
                longest = found
        if longest is None:
            for key in keys:
                self._keep(key, granted(self._states.get(key, _NEW), self.pace(key), now))
        return longest

    def answered(self, *keys: str, answer: Answer) -> None:
        """A request that was allowed is done."""
        now = self._now()
        for key in keys:
            self._keep(key, answered(self._states.get(key, _NEW), self.pace(key), answer, now))

    def due(self, key: str) -> float:
        """Seconds until a request could be allowed; 0 for now, infinite while one must end first."""
        found = wait(self._states.get(key, HostManners()), self.pace(key), self._now())
        return found.seconds if found is not None else 0.0

    def crawl_delay(self, key: str, seconds: float | None) -> None:
        """robots.txt says so, or no longer does."""
        state = self._states.get(key, HostManners())
        self._keep(key, told(state, self.pace(key), seconds, self._now()))

    def pace(self, key: str) -> Pace:
        """The terms for a key."""
        return self._paces.get(key, self._pace)

    def change_pace(self, pace: Pace, paces: Mapping[str, Pace] | None = None) -> None:
        """New terms while the crawl runs; waits that have begun are worked out again where they change."""
        before = {key: self.pace(key) for key in self._states}
        self._pace = pace
        self._paces = dict(paces or {})
        for key, old in before.items():
            if self.pace(key) != old:
                self._keep(key, repaced(self._states[key], self.pace(key)))

    def restore(self, key: str, state: HostManners, *, certain: bool = False) -> None:
        """Take up what the store kept. What the ledger knows itself is newer and stays.

        `certain`: no request can have followed that state, as for a host that nobody asked yet.
        """
        if key not in self._states:
            wall = self._clock.now().timestamp()
            fresh = restored(state, self.pace(key), wall, certain=certain)
            self._states[key] = shifted(fresh, self._now() - wall)

    def forget(self, key: str) -> HostManners | None:
        """Let go of a key, as when another worker takes its host; its last state, to be stored."""
        state = self._states.pop(key, None)
        self._changed.discard(key)
        return self._on_the_wall(state) if state is not None else None

    def changed(self) -> dict[str, HostManners]:
        """The states that changed since the last call, in wall time, to be stored with the next commit."""
        found = {key: self._on_the_wall(self._states[key]) for key in sorted(self._changed)}
        self._changed.clear()
        return found

    def _keep(self, key: str, state: HostManners) -> None:
        self._states[key] = state
        self._changed.add(key)

    def _now(self) -> float:
        """Seconds since 1970 by the wall clock of our start and the even clock since."""
        return self._start + self._clock.monotonic()

    def _on_the_wall(self, state: HostManners) -> HostManners:
        return shifted(state, self._clock.now().timestamp() - self._now())

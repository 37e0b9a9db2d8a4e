"""Where those who watch harvests sit. One thread asks about all watched harvests at once, whatever the number of seats.

The thread begins with the first seat and ends after the last. A seat holds the newest state alone, so that a slow
viewer skips what it missed and makes nobody wait.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

MOST_SEATS = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A state of a harvest, ready to be sent."""

    mark: str  # differs whenever the state does
    event: bytes
    over: bool = False  # whether it is the last one


class Source(Protocol):
    """Tells how harvests go. Used by the thread of the board alone."""

    def ask(self, harvests: frozenset[int]) -> Mapping[int, Shown] | None:
        """Their states by one question; None when nobody could be asked, and those that are gone are left out."""
        ...

    def close(self) -> None:
        """Nobody watches any more: let go of what was needed to ask."""
        ...


@dataclass(kw_only=True, eq=False, slots=True)
class Seat:
    """One viewer's place; `wake` is called from the thread of the board when there is something new."""

    harvest: int
    wake: Callable[[], None]
    closed: bool = False  # nothing more will come
    _newest: Shown | None = field(default=None)

    def put(self, shown: Shown) -> None:
        """Take a state in the place of the one before."""
        self._newest = shown
        self.wake()

    def close(self) -> None:
        """Tell the viewer to leave."""
        self.closed = True
        self.wake()

    def taken(self) -> Shown | None:
        """The newest state, once."""
        found, self._newest = self._newest, None
        return found


class Board:
    """The seats of one process."""

    def __init__(self, source: Source, *, every: float = 1.0, most: int = MOST_SEATS) -> None:
        self._source = source
        self._every = every
        self._most = most
        self._lock = threading.Lock()
        self._seats: dict[int, set[Seat]] = {}
        self._last: dict[int, Shown] = {}
        self._thread: threading.Thread | None = None
        self._left = threading.Event()
        self._closing = False

    @property
    def taken(self) -> int:
        """How many sit here."""
        with self._lock:
            return sum(map(len, self._seats.values()))

    @property
    def full(self) -> bool:
        """Whether there is no seat any more."""
        return self.taken >= self._most or self._closing

    @property
    def watching(self) -> bool:
        """Whether the thread runs."""
        with self._lock:
            return self._thread is not None

    def sit(self, harvest: int, wake: Callable[[], None]) -> Seat:
        """A place from which to see a harvest; what is known of it already lies there."""
        seat = Seat(harvest=harvest, wake=wake)
        with self._lock:
            self._seats.setdefault(harvest, set()).add(seat)
            if harvest in self._last:
                seat.put(self._last[harvest])
            if self._thread is None or not self._thread.is_alive():
                self._left.clear()
                self._thread = threading.Thread(target=self._watch, name="live-board", daemon=True)
                self._thread.start()
        return seat

    def leave(self, seat: Seat) -> None:
        """Give a place back."""
        with self._lock:
            others = self._seats.get(seat.harvest, set())
            others.discard(seat)
            if not others:
                self._seats.pop(seat.harvest, None)
                self._last.pop(seat.harvest, None)
            if not self._seats:
                self._left.set()

    def close(self) -> None:
        """The process ends: all are told to leave within a moment. May be called by a handler of signals."""
        self._closing = True

    def _watch(self) -> None:
        try:
            while watched := self._watched():
                found = self._source.ask(watched)
                if found is not None:
                    self._hand_out(watched, found)
                self._left.wait(self._every)
        finally:
            self._source.close()

    def _watched(self) -> frozenset[int]:
        """What is to be asked about; nothing when the thread is to end."""
        with self._lock:
            if self._closing:
                for seat in self._everyone():
                    seat.close()
            if self._closing or not self._seats:
                self._thread = None
                return frozenset()
            self._left.clear()
            return frozenset(self._seats)

    def _hand_out(self, watched: frozenset[int], found: Mapping[int, Shown]) -> None:
        with self._lock:
            for harvest in watched & self._seats.keys():
                shown = found.get(harvest)
                if shown is None:
                    for seat in self._seats[harvest]:
                        seat.close()
                elif self._last.get(harvest) is None or self._last[harvest].mark != shown.mark:
                    self._last[harvest] = shown
                    for seat in self._seats[harvest]:
                        seat.put(shown)

    def _everyone(self) -> list[Seat]:
        return [seat for seats in self._seats.values() for seat in seats]

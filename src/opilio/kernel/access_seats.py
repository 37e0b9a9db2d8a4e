"""Seats for captures that only so many readers may see at once: taken, kept by reading on, free again when left."""

import threading
from dataclasses import dataclass, field

from opilio.kernel.access import Seat
from opilio.kernel.clock import SYSTEM, Clock

KEPT_FOR = 15 * 60.0  # seconds without a request after which a seat is free again


@dataclass(kw_only=True)
class Seats:
    """Who sits where, in one process. Safe to use from several threads."""

    clock: Clock = SYSTEM
    kept_for: float = KEPT_FOR
    _taken: dict[str, dict[str, float]] = field(default_factory=dict)  # rule → reader → last seen
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, seat: Seat, reader: str) -> bool:
        """Take a seat, or keep it; False when all are taken. `reader` names a sign-in session, not an address."""
        now = self.clock.monotonic()
        with self._lock:
            sitting = self._sitting(seat.rule, now)
            if reader not in sitting and len(sitting) >= seat.most:
                return False
            sitting[reader] = now
            self._taken[seat.rule] = sitting
            return True

    def held(self, reader: str) -> frozenset[str]:
        """The rules under which a reader holds a seat."""
        now = self.clock.monotonic()
        with self._lock:
            return frozenset(rule for rule in list(self._taken) if reader in self._sitting(rule, now))

    def leave(self, reader: str) -> None:
        """Give back all seats of a reader."""
        with self._lock:
            for sitting in self._taken.values():
                sitting.pop(reader, None)

    def _sitting(self, rule: str, now: float) -> dict[str, float]:
        return {who: at for who, at in self._taken.get(rule, {}).items() if now - at < self.kept_for}

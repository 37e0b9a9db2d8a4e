"""Where time comes from: an aware UTC clock that is passed in, so that tests can hold it still."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Gives the time. `monotonic` never goes back, also when the wall clock is set back."""

    def now(self) -> datetime:
        """The wall time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds since an arbitrary start; only differences mean anything."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - the one place that asks the machine

    def monotonic(self) -> float:
        return time.monotonic()


@dataclass(kw_only=True)
class ManualClock:
    """A clock that moves only when told to; shipped so that users of the library can test with it."""

    at: datetime = field(default_factory=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    ticks: float = 0.0  # seconds

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.ticks

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass on both clocks."""
        self.at += timedelta(seconds=seconds)
        self.ticks += seconds

    def set_back(self, seconds: float) -> None:
        """Move the wall clock back, as an operator or NTP may; the monotonic one stays."""
        self.at -= timedelta(seconds=seconds)


#: The clock that programs use; tests pass their own.
SYSTEM = SystemClock()

Now = Callable[[], datetime]

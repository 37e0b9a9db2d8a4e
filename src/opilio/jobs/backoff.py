"""How long to wait before something that failed is tried again."""

from dataclasses import dataclass
from datetime import timedelta

_LARGEST_POWER = 64  # beyond it every sensible ceiling has been reached, and a float could overflow


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """Waits that double from `first` to at most `longest`."""

    first: float = 5.0  # seconds
    longest: float = 3_600.0  # seconds

    def delay(self, failures: int, jitter: float) -> timedelta:
        """The wait after so many failures; `jitter` in 0 … 1 spreads it over the upper half of the full wait.

        Jobs that failed together, because one server was away, so do not come back all at once.
        """
        power = min(max(failures, 1) - 1, _LARGEST_POWER)
        full = min(self.first * 2**power, self.longest)
        return timedelta(seconds=full * (0.5 + min(max(jitter, 0.0), 1.0) / 2))


#: For jobs: 5 s, 10 s, 20 s … one hour, less up to a half.
JOBS = Backoff()

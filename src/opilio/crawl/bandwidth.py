"""How many bytes a second: a token bucket for the crawl and one for each host, both changeable while it runs.

How large an answer is shows only when it comes, so a bucket may go into debt: then whoever receives pauses, and
the next request waits, until it is paid.
"""

import math
from dataclasses import dataclass, replace

from opilio.kernel.clock import Clock
from opilio.kernel.errors import InvalidInput

_SAVED = 1.0  # seconds of unused bandwidth that may be caught up


@dataclass(frozen=True, kw_only=True, slots=True)
class Bucket:
    """Bytes that may be received; below 0: bytes that were received too early."""

    rate: float | None  # bytes per second; None: no limit, 0: nothing at all
    tokens: float = 0.0
    at: float = 0.0  # seconds of a clock that never goes back

    def __post_init__(self) -> None:
        if self.rate is not None and not 0 <= self.rate < math.inf:
            remedy = "Give a number of bytes per second, 0 for nothing, or leave it out for no limit."
            raise InvalidInput(f"{self.rate} is no bandwidth", where="bandwidth", remedy=remedy)

    def filled(self, now: float) -> "Bucket":
        """What came in since."""
        if self.rate is None:
            return replace(self, tokens=0.0, at=now)
        passed = max(now - self.at, 0.0)
        return replace(self, tokens=min(self.tokens + passed * self.rate, self.rate * _SAVED), at=max(now, self.at))

    def spent(self, size: int, now: float) -> "Bucket":
        """After `size` bytes were received."""
        full = self.filled(now)
        return full if self.rate is None else replace(full, tokens=full.tokens - size)

    def wait(self, now: float) -> float:
        """Seconds until the next byte may come."""
        if self.rate is None:
            return 0.0
        if self.rate == 0:
            return math.inf
        return max(-self.filled(now).tokens / self.rate, 0.0)

    def changed(self, rate: float | None, now: float) -> "Bucket":
        """Another rate from now on; the debt stays."""
        full = self.filled(now)
        changed = replace(full, rate=rate)
        return changed if rate is None else replace(changed, tokens=min(full.tokens, rate * _SAVED))


class Meter:
    """Counts what comes from one host, for one request at a time."""

    __slots__ = ("_bandwidth", "_key", "_taken")

    def __init__(self, bandwidth: "Bandwidth", key: str) -> None:
        self._bandwidth = bandwidth
        self._key = key
        self._taken = 0

    def wait(self) -> float:
        """Seconds until the next byte may come; infinite where nothing may."""
        return 0.0 if self._bandwidth.free else self._bandwidth.wait(self._key)

    def took(self, size: int) -> None:
        """Bytes came."""
        self._taken += size
        if not self._bandwidth.free:
            self._bandwidth.received(self._key, size)

    def settle(self, size: int = 0) -> None:
        """The answer is whole and had this many bytes: count those that were not counted when they came."""
        if size > self._taken:
            self._bandwidth.received(self._key, size - self._taken)
        self._taken = 0


class Bandwidth:
    """The buckets of a crawl."""

    def __init__(self, *, clock: Clock, crawl: float | None = None, host: float | None = None) -> None:
        self._clock = clock
        now = clock.monotonic()
        self._crawl = Bucket(rate=crawl, at=now)
        self._host_rate = Bucket(rate=host, at=now).rate
        self._own_rates: dict[str, float | None] = {}
        self._hosts: dict[str, Bucket] = {}
        self.free = self._is_free()  # asked for every piece of every answer

    def wait(self, key: str) -> float:
        """Seconds until a request to this host may start, or go on; infinite where the rate is 0."""
        if self.free:
            return 0.0
        now = self._clock.monotonic()
        return max(self._crawl.wait(now), self._host(key, now).wait(now))

    def received(self, key: str, size: int) -> None:
        """Bytes came from a host."""
        if self.free:
            return
        now = self._clock.monotonic()
        if self._crawl.rate is not None:
            self._crawl = self._crawl.spent(size, now)
        host = self._host(key, now)
        if host.rate is not None:
            self._hosts[key] = host.spent(size, now)

    def meter(self, key: str) -> "Meter":
        """What counts the bytes of a host's answers while they come."""
        return Meter(self, key)

    def change(self, *, crawl: float | None, host: float | None) -> None:
        """Other rates for the crawl and for hosts without one of their own."""
        now = self._clock.monotonic()
        self._crawl = self._crawl.changed(crawl, now)
        self._host_rate = Bucket(rate=host).rate
        for key, bucket in self._hosts.items():
            self._hosts[key] = bucket.changed(self._own_rates.get(key, host), now)
        self.free = self._is_free()

    def change_host(self, key: str, rate: float | None) -> None:
        """A rate of its own for one host."""
        now = self._clock.monotonic()
        self._own_rates[key] = rate
        self._hosts[key] = self._host(key, now).changed(rate, now)
        self.free = self._is_free()

    def forget(self, key: str) -> None:
        """Let go of a host."""
        self._hosts.pop(key, None)

    def _is_free(self) -> bool:
        """Whether there is no limit at all."""
        return self._crawl.rate is None and self._host_rate is None and not self._own_rates

    def _host(self, key: str, now: float) -> Bucket:
        known = self._hosts.get(key)
        return known or Bucket(rate=self._own_rates.get(key, self._host_rate), at=now)

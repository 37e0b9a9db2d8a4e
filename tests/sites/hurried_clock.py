"""A clock that runs ahead of the machine's, so that hours of politeness pass in seconds."""

from dataclasses import replace
from datetime import timedelta

from opilio.kernel.clock import SYSTEM
from tests.sites.crawling import QUICK

#: Waits are taken back to the queue, which goes by the clock, instead of being slept through.
HURRIED = replace(QUICK, longest_wait=0.0, ttl=1e9, pause=0.02)


class HurriedClock:
    """Runs `speed` times as fast as the machine's, from its start on."""

    def __init__(self, speed):
        self.speed = speed
        self._now, self._start = SYSTEM.now(), SYSTEM.monotonic()

    def now(self):
        return self._now + timedelta(seconds=self._passed())

    def monotonic(self):
        return self._start + self._passed()

    def _passed(self):
        return (SYSTEM.monotonic() - self._start) * self.speed

"""A meter that tells when it first holds a body up."""

import asyncio


class TellingMeter:
    """Stands before another meter."""

    def __init__(self, meter):
        self._meter = meter
        self.held_up = asyncio.Event()

    def wait(self):
        seconds = self._meter.wait()
        if seconds > 0:
            self.held_up.set()
        return seconds

    def took(self, size):
        self._meter.took(size)

    def settle(self, size=0):
        self._meter.settle(size)

"""Readers that ask all the time while generations change, and note every answer that is not whole."""

import json
import threading
import urllib.request
from collections import Counter

from tests.contracts.generations_tiny import WORD, complete

PATIENCE = 60  # seconds for one answer


def ask(address):
    """The number that the pages of an answer bear; an error when it is mixed, empty or none."""
    with urllib.request.urlopen(f"{address}/search?q={WORD}", timeout=PATIENCE) as answer:
        return complete(json.load(answer))


class Readers:
    """Threads that ask addresses, each its own, until told to stop; with a pause they leave the nodes some time."""

    def __init__(self, addresses, *, pause=0.0):
        self._pause = pause
        self.seen = {name: Counter() for name in addresses}
        self.faults = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=item, daemon=True) for item in addresses.items()]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    @property
    def answers(self):
        return sum(sum(each.values()) for each in self.seen.values())

    def _run(self, name, address):
        while not self._stop.wait(self._pause):
            try:
                self.seen[name][ask(address)] += 1
            except (OSError, ValueError, KeyError, AssertionError) as error:
                self.faults.append(f"{name}: {type(error).__name__}: {error}")
                return

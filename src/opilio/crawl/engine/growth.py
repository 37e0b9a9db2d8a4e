"""Notices pages that come without end and hardly differ, as of a calendar or a faceted list.

Fingerprints cost as much as all else that is done for a page; so they are made only where many pages of one pattern
of URL came already, and of some of them.
"""

import re

from opilio.crawl.scope.traps import Alike
from opilio.extract.simhash import simhash

_DIGITS = re.compile(r"\d+")
_EVERY = 10  # pages of a pattern, of which one is looked at
_SAMPLE = 2_000  # characters of a page that are compared
_MOST_PATTERNS = 50_000


def pattern_of(url: str) -> str:
    """The URL with its numbers left out; empty for one without, which nothing can follow."""
    pattern, numbers = _DIGITS.subn("0", url)
    return pattern if numbers else ""


class Growth:
    """For one host."""

    def __init__(self, most_alike: int) -> None:
        self._start = most_alike // 2
        self._counts: dict[str, int] = {}
        self._trapped: set[str] = set()
        self._alike = Alike(most=max(1, (most_alike - self._start) // _EVERY))

    @property
    def start(self) -> int:
        """So many pages of a pattern come before any is looked at."""
        return self._start

    @property
    def row(self) -> int:
        """So many of the last pages of a pattern decide."""
        return _EVERY * (self._alike.most + 1)

    def endless(self, url: str, text: str) -> bool:
        """Note a page; whether its links look like a trap by now."""
        pattern = pattern_of(url)
        if not pattern:
            return False
        count = self._counts.get(pattern, 0) + 1
        if len(self._counts) >= _MOST_PATTERNS:
            self._thin_out()
        self._counts[pattern] = count
        if self.samples(count) and text:
            self._look(pattern, url, text)
        return pattern in self._trapped

    def samples(self, count: int) -> bool:
        """Whether the page is looked at that is the so many-th of its pattern."""
        return count > self._start and count % _EVERY == 0

    def recall(self, pattern: str, count: int, texts: list[str]) -> None:
        """Take up an earlier life: so many pages came, and these were the last that were looked at, in order."""
        self._counts[pattern] = count
        for text in texts:
            self._look(pattern, pattern, text)

    def _look(self, pattern: str, url: str, text: str) -> None:
        endless = self._alike.note(url, simhash(text[:_SAMPLE]))
        (self._trapped.add if endless else self._trapped.discard)(pattern)

    def _thin_out(self) -> None:
        """Forget patterns that hardly came; all of them if that does not help."""
        kept = {pattern: count for pattern, count in self._counts.items() if count > 1}
        self._counts = kept if len(kept) < _MOST_PATTERNS // 2 else {}
        self._trapped &= self._counts.keys()

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


class Growth:
    """For the hosts of one worker."""

    def __init__(self, most_alike: int) -> None:
        self._start = most_alike // 2
        self._counts: dict[str, int] = {}
        self._trapped: set[str] = set()
        self._alike = Alike(most=max(1, (most_alike - self._start) // _EVERY))

    def endless(self, url: str, text: str) -> bool:
        """Note a page; whether its links look like a trap by now."""
        pattern = _DIGITS.sub("0", url)
        count = self._counts.get(pattern, 0) + 1
        if len(self._counts) > _MOST_PATTERNS:
            self._counts.clear()
            self._trapped.clear()
        self._counts[pattern] = count
        if count <= self._start:
            return False
        if count % _EVERY == 0:
            endless = self._alike.note(url, simhash(text[:_SAMPLE]))
            (self._trapped.add if endless else self._trapped.discard)(pattern)
        return pattern in self._trapped

"""The URLs of a `srcset` attribute, read as the HTML standard reads it (image candidate strings), in linear time."""

import re
from collections.abc import Iterator

_LEAD = re.compile(r"[\s,]*+")
_URL = re.compile(r"\S++")
_DESCRIPTORS = re.compile(r"(?:[^,(]++|\([^)]*+\)?)*+,?")


def srcset_urls(value: str) -> Iterator[str]:
    """Each candidate's URL, in order."""
    position = 0
    while True:
        position = _end(_LEAD, value, position)
        found = _URL.match(value, position)
        if found is None:
            return
        position = found.end()
        url = found[0].rstrip(",")
        if url:
            yield url
        if not found[0].endswith(","):
            position = _end(_DESCRIPTORS, value, position)


def _end(pattern: re.Pattern[str], value: str, position: int) -> int:
    found = pattern.match(value, position)
    return found.end() if found else position

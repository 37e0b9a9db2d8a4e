"""Rewrites the URLs of a `srcset` attribute, read as the HTML standard reads it, in linear time."""

import re
from collections.abc import Callable

_LEAD = re.compile(rb"[\s,]*+")
_URL = re.compile(rb"\S++")
_DESCRIPTORS = re.compile(rb"(?:[^,(]++|\([^)]*+\)?)*+,?")


def rewrite_srcset(value: bytes, reference: Callable[[bytes], bytes]) -> bytes:
    """The value with each candidate's URL replaced by what `reference` makes of it."""
    parts: list[bytes] = []
    position = 0
    while True:
        begin = _end(_LEAD, value, position)
        parts.append(value[position:begin])
        found = _URL.match(value, begin)
        if found is None:
            return b"".join(parts)
        url = found[0].rstrip(b",")
        parts += [reference(url), found[0][len(url) :]]
        position = found.end()
        if not found[0].endswith(b","):
            end = _end(_DESCRIPTORS, value, position)
            parts.append(value[position:end])
            position = end


def _end(pattern: re.Pattern[bytes], value: bytes, position: int) -> int:
    found = pattern.match(value, position)
    return found.end() if found else position

"""Where a URL is asked for: host and port, worked out once for each origin."""

import functools
from typing import NamedTuple
from urllib.parse import urlsplit

_FIRST = 8  # no path of an http or https URL begins earlier
_REMEMBERED = 4_096  # origins


class Place(NamedTuple):
    """A host, in lower case and without brackets, and a port."""

    host: str
    port: int


def place_of(url: str) -> Place:
    """The place that a URL names; `ValueError` for what is no URL."""
    end = url.find("/", _FIRST)
    return _place(url if end < 0 else url[:end])


@functools.lru_cache(maxsize=_REMEMBERED)
def _place(origin: str) -> Place:
    parts = urlsplit(origin)
    return Place(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))

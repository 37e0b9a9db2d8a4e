"""Rewrites the URL of a refresh, in a meta element or a header; read as the HTML standard reads it."""

import re
from collections.abc import Callable

_REFRESH = re.compile(
    rb"(\s*+[\d.]*+\s*+[;,]?\s*+(?:url\s*+=\s*+)?)(?:\"([^\"]*+)\"?|'([^']*+)'?|(.+))", re.IGNORECASE | re.DOTALL
)
_TIME = re.compile(rb"\s*+[\d.]")


def rewrite_refresh(value: bytes, reference: Callable[[bytes], bytes]) -> bytes:
    """The value with its URL replaced by what `reference` makes of it; quotes around it go."""
    found = _REFRESH.fullmatch(value) if _TIME.match(value) else None
    if found is None or found.lastindex is None:
        return value
    url = found[found.lastindex].strip()
    path = reference(url)
    return value if path is url else found[1] + path

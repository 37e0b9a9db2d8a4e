"""The shape of a URL: what pages made by the same part of a site share. Pure.

`/news/2024/05/17-owls.html?page=3` and `/news/2023/11/02-herons.html?page=9` have the shape `/news/#/#/*.html?page`.
"""

import hashlib
import re
from urllib.parse import urlsplit

_NUMBER = re.compile(r"\d+")
_LONG = 12  # characters from which on a segment is a name that somebody gave to one page
_WORDS = re.compile(r"[-_+.% ]")
_SEGMENTS = 6  # that are told apart
_PARAMETERS = 6
_LONGEST = 200  # characters of a shape


def shape_of(url: str) -> str:
    """The host and the shape of the path."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return "unreadable"
    segments = parts.path.split("/")[1:]
    told = [_segment(one) for one in segments[:-1][:_SEGMENTS]]
    if len(segments) - 1 > _SEGMENTS:
        told.append("…")
    shape = f"{host}/{'/'.join([*told, _last(segments[-1] if segments else '', deep=len(segments) > 1)])}"
    return f"{shape}{_parameters(parts.query)}"[:_LONGEST]


def key_of(shape: str) -> str:
    """A short name of a shape, the same for ever."""
    return hashlib.blake2b(shape.encode("utf-8", "replace"), digest_size=8).hexdigest()


def cluster_of(url: str) -> str:
    """The cluster of a page whose text nobody looked at."""
    return key_of(shape_of(url))


def _segment(segment: str) -> str:
    if len(segment) >= _LONG or (_WORDS.search(segment) and len(segment) > 1):
        return "*"
    return _NUMBER.sub("#", segment)


def _last(segment: str, *, deep: bool) -> str:
    """The last segment is the page's own name, except on the first level, where sites keep their main pages."""
    stem, dot, extension = segment.rpartition(".")
    name, ending = (stem, f".{extension}") if dot and len(extension) <= 5 else (segment, "")
    if not name:
        return ending
    return f"*{ending}" if deep else f"{_segment(name)}{ending}"


def _parameters(query: str) -> str:
    names = sorted({part.partition("=")[0] for part in query.split("&") if part})
    return f"?{'&'.join(_NUMBER.sub('#', name) for name in names[:_PARAMETERS])}" if names else ""

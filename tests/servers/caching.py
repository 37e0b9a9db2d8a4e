"""Validators (RFC 9110 §13) and ranges (§14): ETag, Last-Modified, 304, 206, 416."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256

from tests.servers.answers import Response, page
from tests.servers.behaviour import Behaviour, Visit
from tests.servers.request import Request

START = datetime(2024, 3, 1, 12, 0, 0, tzinfo=UTC)
_RANGE = re.compile(r"bytes=(?:(\d{1,19})-(\d{0,19})|-(\d{1,19}))")


def etag_of(body: bytes) -> str:
    """A strong entity tag by content."""
    return f'"{sha256(body).hexdigest()[:16]}"'


def validated(request: Request, response: Response, *, modified: datetime, etag: str = "") -> Response:
    """The response with validators, or 304 when the client has it already."""
    tag = etag or etag_of(response.body)
    validators = (("ETag", tag), ("Last-Modified", format_datetime(modified.replace(microsecond=0), usegmt=True)))
    full = replace(response, headers=(*response.headers, *validators))
    if request.method in ("GET", "HEAD") and _unchanged(request, tag, modified):
        return replace(full, status=304, body=b"")
    return full


def _unchanged(request: Request, tag: str, modified: datetime) -> bool:
    """If-None-Match decides alone when it is there; otherwise If-Modified-Since."""
    known = request.header("If-None-Match")
    if known is not None:
        names = {name.strip().removeprefix("W/") for name in known.split(",")}
        return "*" in names or tag.removeprefix("W/") in names
    since = _date(request.header("If-Modified-Since"))
    return since is not None and modified.replace(microsecond=0) <= since


def _date(value: str | None) -> datetime | None:
    """A date in any of HTTP's forms; None when it is missing or wrong, which RFC 9110 says to ignore."""
    try:
        date = parsedate_to_datetime(value or "")
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def stable(visit: Visit) -> Response:
    """A page with ETag and Last-Modified that never changes, but by `version`."""
    version = visit.number("version", 1, low=1, high=1000)
    response = page("Stable", f"<p>Version {version}.</p>")
    return validated(visit.request, response, modified=START.replace(year=2000 + version % 1000))


def changing(visit: Visit) -> Response:
    """A page with validators that changes with every `every` requests for it."""
    version = (visit.count() - 1) // visit.number("every", 2, low=1)
    response = page("Changing", f"<p>Version {version}.</p>")
    return validated(visit.request, response, modified=START.replace(year=2000 + version % 1000))


def lying_tag(visit: Visit) -> Response:
    """A page that changes with each request while its ETag stays."""
    response = page("Changing in secret", f"<p>Version {visit.count()}.</p>")
    return replace(response, headers=(("ETag", '"always"'),))


def content(size: int) -> bytes:
    """The bytes that `/range` serves: byte i is i modulo 251."""
    cycle = bytes(range(251))
    return (cycle * (size // 251 + 1))[:size]


def span(header: str, size: int) -> tuple[int, int] | None:
    """First byte and the one after the last of a single range, cut to the size; None for several or malformed ones.

    A range that cannot be satisfied is empty.
    """
    match = _RANGE.fullmatch(header.replace(" ", ""))
    if match is None:
        return None
    first, last, suffix = match.groups()
    if suffix is not None:
        return max(0, size - int(suffix)), size
    return int(first), min(int(last) + 1, size) if last else size


def ranged(visit: Visit) -> Response:
    """`size` bytes that can be asked for in ranges, with If-Range."""
    body = content(visit.number("size", 1000, low=1, high=64 << 20))
    common = (("Accept-Ranges", "bytes"), ("ETag", etag_of(body)))
    full = Response(body=body, headers=common, type="application/octet-stream")
    found = span(visit.request.header("Range") or "", len(body))
    if found is None or visit.request.header("If-Range") not in (None, etag_of(body)):
        return full
    start, stop = found
    if start >= stop:
        return replace(full, status=416, body=b"", headers=(*common, ("Content-Range", f"bytes */{len(body)}")))
    place = ("Content-Range", f"bytes {start}-{stop - 1}/{len(body)}")
    return replace(full, status=206, body=body[start:stop], headers=(*common, place))


BEHAVIOURS = (
    Behaviour(name="validated", path="/validated", example="/validated?version=1", answer=stable),
    Behaviour(name="changing", path="/changing", example="/changing?every=2", answer=changing),
    Behaviour(name="lying-etag", path="/lying-etag", answer=lying_tag),
    Behaviour(name="range", path="/range", example="/range?size=1000", answer=ranged),
)

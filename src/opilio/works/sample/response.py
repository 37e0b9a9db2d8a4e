"""The value that the sample site answers with, and whether a copy that the asker holds is still good."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256


@dataclass(frozen=True, kw_only=True)
class Response:
    """One answer of the site; Content-Length and Date are added when it is sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""
    members_only: bool = False

    @property
    def media_type(self) -> str:
        """The type without its parameters: `text/html`."""
        return self.headers.get("Content-Type", "").partition(";")[0]


def document(body: bytes, *, content_type: str, on: date, status: int = 200, members_only: bool = False) -> Response:
    """An answer with a body and with the validators that make a later conditional request cheap."""
    headers = {
        "Content-Type": content_type,
        "ETag": f'"{sha256(body).hexdigest()[:20]}"',
        "Last-Modified": format_datetime(datetime.combine(on, time(12), UTC), usegmt=True),
    }
    if members_only:
        headers |= {"Cache-Control": "private, no-cache", "Vary": "Cookie"}
    return Response(status=status, headers=headers, body=body, members_only=members_only)


def redirect(status: int, location: str) -> Response:
    """An answer that sends the asker elsewhere, with the short text that servers put under it."""
    body = f'<!doctype html><title>Moved</title><p>This page is at <a href="{location}">{location}</a>.</p>\n'
    headers = {"Content-Type": "text/html; charset=utf-8", "Location": location}
    return Response(status=status, headers=headers, body=body.encode())


def is_unchanged(response: Response, request_headers: Mapping[str, str]) -> bool:
    """Whether 304 is the right answer. RFC 9110 §13.2.2: If-None-Match wins over If-Modified-Since.

    The names of `request_headers` are in lower case.
    """
    etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
    if response.status != 200 or etag is None or modified is None:
        return False
    wanted = request_headers.get("if-none-match")
    if wanted is not None:
        tags = {tag.strip().removeprefix("W/") for tag in wanted.split(",")}
        return bool(tags & {etag, "*"})
    since = _http_date(request_headers.get("if-modified-since", ""))
    return since is not None and parsedate_to_datetime(modified) <= since


def _http_date(value: str) -> datetime | None:
    """The date of a header, or nothing where a client sent something else (RFC 9110 §13.1.3 says: ignore it)."""
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

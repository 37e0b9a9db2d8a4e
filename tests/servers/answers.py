"""Answers as values: a well-formed `Response`, or a `Script` of raw steps for everything that is not.

Behaviours return answers; only `connection.py` puts them on the wire. A script's steps are made one by one, so that
an endless body costs nothing until somebody reads it.
"""

import html
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from http import HTTPStatus

from tests.servers.request import Headers, Request

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, kw_only=True)
class Pause:
    """Wait before the next step."""

    seconds: float


class Ending(Enum):
    """How a script leaves the connection before its steps are used up."""

    RESET = "RST: what was sent may be lost on its way"


Step = bytes | Pause | Ending


@dataclass(frozen=True, kw_only=True)
class Response:
    """A correct answer: length, date and connection headers are added, HEAD and keep-alive are respected."""

    status: int = 200
    headers: Headers = ()
    body: bytes = b""
    type: str | None = HTML  # Content-Type; None leaves it out


@dataclass(frozen=True, kw_only=True)
class Script:
    """Exact bytes, pauses and endings; afterwards the connection is closed, unless the script kept to the rules."""

    steps: Iterable[Step] = field(default=())
    persistent: bool = False


Answer = Response | Script


def page(title: str, body: str, *, status: int = 200, headers: Headers = ()) -> Response:
    """A small HTML page; `body` is markup."""
    title = html.escape(title)
    start = f"<!DOCTYPE html>\n<html lang=en><head><title>{title}</title></head>\n<body><h1>{title}</h1>\n"
    return Response(status=status, headers=headers, body=f"{start}{body}\n</body></html>\n".encode())


def link(target: str, text: str | None = None) -> str:
    """An anchor in markup."""
    return f'<a href="{html.escape(target)}">{html.escape(text or target)}</a>'


def document(value: object, *, status: int = 200, headers: Headers = ()) -> Response:
    """A JSON answer."""
    return Response(status=status, headers=headers, body=json.dumps(value).encode(), type="application/json")


def redirect(location: str, *, status: int = 302, headers: Headers = ()) -> Response:
    """An answer that points elsewhere."""
    return Response(status=status, headers=(("Location", location), *headers), body=b"Elsewhere.\n", type="text/plain")


def head(status: str, headers: Iterable[tuple[str, str]], *, version: str = "HTTP/1.1") -> bytes:
    """Status line and headers with the empty line; a value that would break out of its line is refused."""
    lines = [f"{version} {status}", *(f"{name}: {value}" for name, value in headers)]
    broken = next((line for line in lines if any(mark in line for mark in "\r\n\0")), None)
    if broken is not None:
        raise ValueError(
            f"the header {broken[:80]!r} holds a line break or NUL; use a behaviour of misbehave/odd_bytes"
        )
    return "\r\n".join((*lines, "", "")).encode("latin-1", "replace")


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body; an empty one ends the body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


def chunked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A chunked body, piece by piece, with its end."""
    yield from (chunk(piece) for piece in pieces if piece)
    yield chunk(b"")


def render(response: Response, request: Request, *, date: str, persistent: bool) -> bytes:
    """The bytes of a response to that request."""
    bodiless = response.status in (204, 304) or response.status < 200
    headers = [("Date", date), ("Server", "opilio-test")]
    if response.type is not None and not bodiless:
        headers.append(("Content-Type", response.type))
    headers.extend(response.headers)
    if not bodiless:
        headers.append(("Content-Length", str(len(response.body))))
    headers.append(("Connection", "keep-alive" if persistent else "close"))
    body = b"" if bodiless or request.method == "HEAD" else response.body
    return head(f"{response.status} {_phrase(response.status)}", headers) + body


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unnamed"

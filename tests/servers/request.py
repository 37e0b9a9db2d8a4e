"""Requests as they arrive: parsing the head is pure, reading from the stream is at the edge.

The server is lenient about what it serves and strict about what it reads: a head or body that RFC 9112 does not
allow becomes `Malformed` with the reason, which is answered with 400.
"""

import asyncio
import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, unquote, urlsplit

HEAD_LIMIT = 1 << 20  # bytes; also the limit of the stream reader
BODY_LIMIT = 16 << 20  # bytes

_LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) (HTTP/1\.[01])")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request; header names keep their spelling, bytes above 127 are read as latin-1."""

    method: str
    target: str  # as sent, also in absolute form
    version: str  # HTTP/1.0 or HTTP/1.1
    headers: Headers
    body: bytes = b""
    scheme: str = "http"

    def header(self, name: str) -> str | None:
        """The first header of that name, in any case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    @property
    def authority(self) -> str:
        """Host and port as the client names them: the absolute target wins over the Host header (RFC 9112 §3.2.2)."""
        absolute = urlsplit(self.target).netloc if "://" in self.target.split("?")[0] else ""
        return (absolute or self.header("Host") or "").lower()

    @property
    def host(self) -> str:
        """The host name without port."""
        return re.sub(r":\d*$", "", self.authority)

    @property
    def local_target(self) -> str:
        """Path and query, without scheme and host."""
        if self.target.startswith("/"):
            return self.target
        parts = urlsplit(self.target)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    @property
    def path(self) -> str:
        """The path with percent signs decoded."""
        return unquote(self.local_target.partition("?")[0], errors="surrogateescape")

    @property
    def query(self) -> dict[str, str]:
        """The query's pairs; of a repeated name the last one counts."""
        return dict(parse_qsl(self.local_target.partition("?")[2], keep_blank_values=True))

    @property
    def form(self) -> dict[str, str]:
        """The pairs of an urlencoded body."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies sent along."""
        pairs = (pair.strip().partition("=") for pair in (self.header("Cookie") or "").split(";"))
        return {name: value for name, found, value in pairs if found}

    @property
    def persistent(self) -> bool:
        """Whether the client wants to use the connection again."""
        wish = (self.header("Connection") or "").lower()
        return "close" not in wish if self.version == "HTTP/1.1" else "keep-alive" in wish


@dataclass(frozen=True, kw_only=True)
class Malformed:
    """A request that cannot be understood, and why."""

    reason: str


def parse_head(head: bytes, *, scheme: str) -> Request | Malformed:
    """The request that a head, with or without its final empty line, announces."""
    lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    line = _LINE.fullmatch(lines[0])
    if line is None:
        return Malformed(reason=f"the request line {lines[0][:100]!r} is not METHOD TARGET HTTP/1.x")
    headers = []
    for text in lines[1:]:
        name, colon, value = text.partition(":")
        if not colon or not _NAME.fullmatch(name):
            return Malformed(reason=f"the header line {text[:100]!r} has no valid name")
        headers.append((name, value.strip(" \t")))
    method, target, version = line.groups()
    request = Request(method=method, target=target, version=version, headers=tuple(headers), scheme=scheme)
    return _checked(request)


def _checked(request: Request) -> Request | Malformed:
    """The request, if its target can be split and its host is named."""
    try:
        urlsplit(request.target)
    except ValueError as error:
        return Malformed(reason=f"the target {request.target[:100]!r} cannot be split: {error}")
    if request.version == "HTTP/1.1" and not request.authority:
        return Malformed(reason="a request of HTTP/1.1 needs a Host header")
    return request


async def read_request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, scheme: str
) -> Request | Malformed | None:
    """The next request of a connection, or None when the client has left."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        return Malformed(reason="the head ended before its empty line") if error.partial.strip() else None
    except asyncio.LimitOverrunError:
        return Malformed(reason=f"the head is larger than {HEAD_LIMIT} bytes")
    request = parse_head(head.lstrip(b"\r\n"), scheme=scheme)
    if isinstance(request, Malformed):
        return request
    if (request.header("Expect") or "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = await _read_body(reader, request)
    return body if isinstance(body, Malformed) else replace(request, body=body)


async def _read_body(reader: asyncio.StreamReader, request: Request) -> bytes | Malformed:
    """The body by Transfer-Encoding, by Content-Length, or none."""
    try:
        if (request.header("Transfer-Encoding") or "").lower() == "chunked":
            return await _read_chunks(reader)
        length = request.header("Content-Length") or "0"
        if not length.isdecimal() or int(length) > BODY_LIMIT:
            return Malformed(reason=f"the Content-Length {length[:30]!r} is no number up to {BODY_LIMIT}")
        return await reader.readexactly(int(length))
    except asyncio.IncompleteReadError:
        return Malformed(reason="the body ended early")


async def _read_chunks(reader: asyncio.StreamReader) -> bytes | Malformed:
    """A chunked body, put together; its trailers are read and dropped."""
    body = b""
    while True:
        try:
            size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
        except (ValueError, asyncio.LimitOverrunError):
            return Malformed(reason="a chunk does not begin with its size")
        if not 0 <= size <= BODY_LIMIT - len(body):
            return Malformed(reason=f"the chunks are larger than {BODY_LIMIT} bytes")
        if size == 0:
            break
        body += (await reader.readexactly(size + 2))[:-2]
    while await reader.readuntil(b"\r\n") != b"\r\n":
        pass
    return body

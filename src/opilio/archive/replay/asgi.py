"""Replay as an ASGI application: reads requests, lets threads make the answers, and streams bodies as they are read."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from itertools import chain
from typing import Any
from urllib.parse import quote_from_bytes

from opilio.archive.replay.application import Replay
from opilio.archive.replay.messages import Header, Request, Response, plain
from opilio.kernel import logs
from opilio.kernel.errors import OpilioError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Mounted = Callable[[Scope, Receive, Send], Awaitable[None]]

_MOST_BODY = 1 << 16  # bytes of a form
_AT_ONCE = 1 << 18  # bytes that are sent at a time
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_LONGEST = 32 << 10  # characters of path and query

log = logs.logger("replay")


class ReplayApp:
    """The application. `end` lets every stream stop, so that a server can."""

    def __init__(self, replay: Replay, *, https: bool = False, cdx: Callable[[int], Mounted] | None = None) -> None:
        """`https`: people come through a proxy that ends TLS. `cdx` gives the CDX server of a result."""
        self._replay = replay
        self._https = https
        self._cdx = cdx
        self._ending = False

    def end(self) -> None:
        """Stop what is being sent."""
        self._ending = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            return
        request = await self._request(scope, receive)
        if self._cdx is not None and request.path == "/cdx" and self._is_question(request):
            session = await asyncio.to_thread(self._replay.session, request)
            if session is not None:
                await self._cdx(session.holding.number)(scope, receive, send)
                return
        response, start = await asyncio.to_thread(self._answer, request)
        await self._send(request, response, start, send)

    def _is_question(self, request: Request) -> bool:
        """Whether somebody asks the CDX server, and not an archived page for its own site's /cdx."""
        return not request.header("referer") and request.method in ("GET", "HEAD")

    async def _request(self, scope: Scope, receive: Receive) -> Request:
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            joint = "; " if key == "cookie" else ", "
            text = value.decode("latin-1")
            headers[key] = f"{headers[key]}{joint}{text}" if key in headers else text
        raw = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape")
        return Request(
            method=scope["method"],
            scheme="https" if self._https else scope.get("scheme", "http"),
            host=headers.get("host", "").lower(),
            path=_escaped(raw.partition(b"?")[0]),
            query=_escaped(scope.get("query_string", b"")),
            headers=headers,
            body=await _body(receive) if scope["method"] == "POST" else b"",
        )

    def _answer(self, request: Request) -> tuple[Response, bytes | None]:
        """The answer, and its whole body if that is short; None where it must be streamed."""
        response = self._made(request)
        if isinstance(response.body, bytes):
            return response, response.body
        if request.method == "HEAD":
            return response, b""
        try:
            start, rest = _beginning(response.body)
        except OpilioError as error:
            response.close()
            return self._failed(request, error)
        if rest is None:
            return response, start
        body = chain((start,), rest)
        return Response(status=response.status, headers=response.headers, body=body, close=response.close), None

    def _failed(self, request: Request, error: OpilioError) -> tuple[Response, bytes | None]:
        """The answer where a body broke off before any of it was sent."""
        _tell(request, error)
        response = plain(502, f"This capture cannot be read: {error.what}.")
        return response, response.body if isinstance(response.body, bytes) else None

    def _made(self, request: Request) -> Response:
        if len(request.target) > _LONGEST:
            return plain(414, "The address is too long.")
        try:
            return self._replay.answer(request)
        except OpilioError as error:
            _tell(request, error)
            return plain(error.http_status, str(error))

    async def _send(self, request: Request, response: Response, whole: bytes | None, send: Send) -> None:
        headers = list(response.headers)
        if whole is not None and request.method != "HEAD" and not _has(headers, "content-length"):
            headers.append(("content-length", str(len(whole))))
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": response.status,
                    "headers": [(name.lower().encode("latin-1"), _value(value)) for name, value in headers],
                }
            )
            if whole is not None:
                await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else whole})
            else:
                await self._stream(response, send)
        finally:
            response.close()

    async def _stream(self, response: Response, send: Send) -> None:
        """Send piece by piece; a body that breaks off breaks the connection, so that nobody takes it for whole."""
        pieces = iter(response.body) if not isinstance(response.body, bytes) else iter(())
        while not self._ending:
            piece = await asyncio.to_thread(_portion, pieces)
            if not piece:
                await send({"type": "http.response.body", "body": b""})
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})


def _tell(request: Request, error: OpilioError) -> None:
    log.warning("replay_failed", host=request.host, path=request.path[:200], error=str(error))


def _beginning(pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes] | None]:
    start = _portion(pieces)
    more = next(pieces, None)
    if more is None:
        return start, None
    return start, chain((more,), pieces)


def _portion(pieces: Iterator[bytes]) -> bytes:
    """The next bytes, about as many as are sent at a time; empty at the end."""
    held: list[bytes] = []
    size = 0
    while size < _AT_ONCE and (piece := next(pieces, None)) is not None:
        held.append(piece)
        size += len(piece)
    return b"".join(held)


async def _body(receive: Receive) -> bytes:
    held = bytearray()
    while True:
        message = await receive()
        held += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body") or len(held) > _MOST_BODY:
            return bytes(held[:_MOST_BODY])


async def _lifespan(receive: Receive, send: Send) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


def _escaped(raw: bytes) -> str:
    """Bytes of an address; what is not ASCII is escaped as it stands, in whatever charset it was written."""
    return quote_from_bytes(raw, safe=_ASCII) if not raw.isascii() else raw.decode("ascii")


def _has(headers: list[Header], name: str) -> bool:
    return any(key.lower() == name for key, _ in headers)


def _value(value: str) -> bytes:
    return value.encode("latin-1", "replace")

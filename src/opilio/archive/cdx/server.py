"""The CDX server: a plain ASGI application that answers pywb's questions about captures, a piece at a time."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from pathlib import PurePath
from typing import Any

from opilio.archive.cdx.answering import Access, answer, portions
from opilio.archive.cdx.query import Output, parse_query
from opilio.archive.cdx.searching import Searchable
from opilio.kernel.errors import InvalidInput, OpilioError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_TYPES = {
    Output.CDXJ: "text/x-cdxj; charset=utf-8",
    Output.JSON: "application/x-ndjson",
    Output.TEXT: "text/plain; charset=utf-8",
}
_JSON = "application/json"
_SIZE = 1 << 16  # bytes of a piece
_STEPS = 5_000  # lines that are looked at before anybody asks whether the reader is still there
_BAD_REQUEST = 400


class CdxServer:
    """Answers GET and HEAD at whatever path it is mounted; `access` hides the captures that a reader may not see."""

    def __init__(self, index: Searchable, access: Access | None = None) -> None:
        self._index = index
        self._access = access

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            remedy = "Mount it where HTTP requests arrive."
            raise InvalidInput("the CDX server speaks HTTP only", where=str(scope["type"]), remedy=remedy)
        if scope["method"] not in ("GET", "HEAD"):
            await _refuse(send, 405, {"error": "Ask with GET."}, allow=b"GET, HEAD")
            return
        try:
            query = parse_query(scope.get("query_string", b""))
            pieces = portions(answer(self._index, query, self._access), size=_SIZE, steps=_STEPS)
            first = await asyncio.to_thread(next, pieces, None)
        except OpilioError as error:
            await _refuse(send, _BAD_REQUEST if isinstance(error, InvalidInput) else error.http_status, _told(error))
            return
        await _start(send, 200, _JSON if query.count_pages else _TYPES[query.output])
        if scope["method"] == "HEAD" or first is None:
            await send({"type": "http.response.body", "body": b""})
            return
        await _stream(first, pieces, receive, send)


async def _stream(first: bytes, pieces: Iterator[bytes], receive: Receive, send: Send) -> None:
    """Send all pieces, as long as somebody reads. An error on the way breaks the answer off: its end is missing."""
    gone = asyncio.ensure_future(_disconnected(receive))
    piece: bytes | None = first
    try:
        while piece is not None and not gone.done():
            if piece:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            piece = await asyncio.to_thread(next, pieces, None)
        if piece is None:
            await send({"type": "http.response.body", "body": b""})
    finally:
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await gone


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _told(error: OpilioError) -> dict[str, str]:
    """An error for a reader: file names, but no folders of the server."""
    where = PurePath(error.where).name if "/" in error.where else error.where
    return {"error": f"{error.what[:1].upper()}{error.what[1:]}.", "where": where, "remedy": error.remedy}


async def _refuse(send: Send, status: int, document: Mapping[str, str], *, allow: bytes = b"") -> None:
    await _start(send, status, _JSON, allow=allow)
    await send({"type": "http.response.body", "body": json.dumps(document).encode() + b"\n"})


async def _start(send: Send, status: int, content_type: str, *, allow: bytes = b"") -> None:
    headers = [
        (b"content-type", content_type.encode()),
        (b"cache-control", b"no-store"),  # who may see what can change at any moment
        (b"x-content-type-options", b"nosniff"),
    ]
    if allow:
        headers.append((b"allow", allow))
    await send({"type": "http.response.start", "status": status, "headers": headers})

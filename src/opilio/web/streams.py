"""Answers that are made while they are sent, under WSGI and ASGI alike."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

_PIECE = 1 << 16  # bytes


def download(request: HttpRequest, pieces: Iterator[bytes], *, name: str, kind: str) -> StreamingHttpResponse:
    """The pieces as a file to keep, which no cache keeps."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store, private"}
    body = _awaited(pieces) if isinstance(request, ASGIRequest) else pieces
    return StreamingHttpResponse(body, content_type=kind, headers=headers)


def pieces_of(path: Path) -> Iterator[bytes]:
    """The contents of a file, which is closed at its end."""
    with path.open("rb") as stream:
        yield from iter(lambda: stream.read(_PIECE), b"")


async def _awaited(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Each piece is made in the thread that holds the database connection."""
    following = sync_to_async(lambda: next(pieces, None))
    while (piece := await following()) is not None:
        yield piece

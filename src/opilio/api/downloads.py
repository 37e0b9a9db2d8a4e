"""Files as answers: whole or in part, so that a download that broke off can go on; never in memory."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from opilio.archive.replay.ranges import Span, Unsatisfiable, span_of

_PIECE = 1 << 18  # bytes


def download(request: HttpRequest, path: Path, *, kind: str, tag: str) -> HttpResponse | StreamingHttpResponse:
    """A file, or the range of it that is asked for; `tag` names its content."""
    total = path.stat().st_size
    headers = {
        "Accept-Ranges": "bytes", "Cache-Control": "no-store, private",
        "Content-Disposition": f'attachment; filename="{path.name}"', "ETag": f'"{tag}"',
    }  # fmt: skip
    asked = request.headers.get("Range", "")
    if request.headers.get("If-Range", headers["ETag"]) != headers["ETag"]:
        asked = ""  # the content is another now: all of it
    span = span_of(asked, total)
    if isinstance(span, Unsatisfiable):
        return HttpResponse(status=416, content_type=kind, headers={**headers, "Content-Range": span.label})
    status = 200
    if span is not None:
        status, headers["Content-Range"] = 206, span.label
    span = span or Span(first=0, last=total - 1, total=total)
    headers["Content-Length"] = str(span.length)
    pieces = _pieces(path, span)
    body = _awaited(pieces) if isinstance(request, ASGIRequest) else pieces
    return StreamingHttpResponse(body, status=status, content_type=kind, headers=headers)


def _pieces(path: Path, span: Span) -> Iterator[bytes]:
    left = span.length
    with path.open("rb") as stream:
        stream.seek(span.first)
        while left and (piece := stream.read(min(left, _PIECE))):
            left -= len(piece)
            yield piece


async def _awaited(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    following = sync_to_async(lambda: next(pieces, None), thread_sensitive=False)
    while (piece := await following()) is not None:
        yield piece

"""A list as CSV: all filtered rows, streamed, with cells that no spreadsheet takes for a formula."""

import csv
import datetime
import io
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse

from opilio.web.lists.columns import Column

_CHUNK = 1_000  # rows
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_BOM = "\ufeff"  # spreadsheets take the file for UTF-8 only with it


def response(
    request: HttpRequest, rows: QuerySet[Any], columns: Sequence[Column[Any]], *, name: str, zone: datetime.tzinfo
) -> StreamingHttpResponse:
    """The rows as a file to keep."""
    exported = [column for column in columns if column.exported]
    chunks = _chunks(rows.iterator(chunk_size=_CHUNK), exported, zone)
    body: Iterable[bytes] | AsyncIterator[bytes] = awaited(chunks) if isinstance(request, ASGIRequest) else chunks
    return StreamingHttpResponse(
        body,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"', "Cache-Control": "no-store, private"},
    )


def harmless(text: str) -> str:
    """The text, with an apostrophe before what a spreadsheet would run as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _chunks(rows: Iterator[Any], columns: Sequence[Column[Any]], zone: datetime.tzinfo) -> Iterator[bytes]:
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\r\n")
    sheet.write(_BOM)
    writer.writerow([column.label for column in columns])
    for number, row in enumerate(rows, start=1):
        writer.writerow([harmless(column.cell(row).plain(zone)) for column in columns])
        if number % _CHUNK == 0:
            yield _taken(sheet)
    yield _taken(sheet)


def _taken(sheet: io.StringIO) -> bytes:
    text = sheet.getvalue()
    sheet.seek(0)
    sheet.truncate()
    return text.encode("utf-8")


async def awaited(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The same for ASGI: each chunk is read in the thread that holds the database connection."""
    following = sync_to_async(lambda: next(chunks, None))
    while (chunk := await following()) is not None:
        yield chunk

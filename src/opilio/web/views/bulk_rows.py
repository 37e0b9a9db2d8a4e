"""The rows that bulk work refused, as a file: place, name, reason and, of an import, the cells to be corrected."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse

from opilio.curation.bulk.tables import writing
from opilio.curation.bulk.tables.known import TABLES
from opilio.curation.queries import bulk as query
from opilio.curation.queries.bulk import Outcome
from opilio.web.lists.export import awaited
from opilio.web.requests import PageRequest

if TYPE_CHECKING:
    from opilio.curation.models import BulkRun

COLUMNS = ("place", "row", "outcome", "reason")
_CHUNK = 1_000  # rows


def rows_as_csv(request: PageRequest, run: "BulkRun") -> StreamingHttpResponse:
    """All refused rows, streamed."""
    found = query.items(request.actor, run.pk, Outcome.REFUSED, Outcome.UNREADABLE)
    cells = TABLES[run.noun].names if run.verb == "import" else ()
    chunks = writing.as_csv((*COLUMNS, *cells), _rows(found.iterator(chunk_size=_CHUNK)))
    body: Iterable[bytes] | AsyncIterator[bytes] = awaited(chunks) if isinstance(request, ASGIRequest) else chunks
    return StreamingHttpResponse(
        body, content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="refused-{run.pk}.csv"',
                 "Cache-Control": "no-store, private"},
    )  # fmt: skip


def _rows(items: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for item in items:
        row = f"{item.name} ({item.row_id})" if item.row_id else item.name
        told = {"place": item.position, "row": row, "outcome": Outcome(item.outcome).label, "reason": item.told}
        yield {**told, **(item.values or {})}

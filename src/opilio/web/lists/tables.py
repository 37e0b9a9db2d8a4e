"""Rows of a list as a table that can be imported again: all filtered rows, streamed."""

from collections.abc import AsyncIterator, Iterable
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse

from opilio.curation.bulk.tables import writing
from opilio.curation.bulk.tables.known import TABLES, table_named
from opilio.people.actor import Actor
from opilio.web.lists.bulk import NOUN_OF
from opilio.web.lists.export import awaited
from opilio.web.requests import viewer

FORMATS = {"table.csv": "text/csv; charset=utf-8", "table.json": "application/json"}


def known(list_name: str) -> str:
    """The noun of the table in which rows of the list are imported and exported; empty: there is none."""
    noun = NOUN_OF.get(list_name, "")
    return noun if noun in TABLES else ""


def may_import(list_name: str, actor: Actor) -> bool:
    """Whether the actor may import such rows at all."""
    noun = known(list_name)
    return bool(noun) and TABLES[noun].verb().open_to(actor)


def response(request: HttpRequest, noun: str, rows: QuerySet[Any] | None = None) -> StreamingHttpResponse:
    """The rows, or all that the asker may see, as a file to keep."""
    table, form = table_named(noun), request.GET.get("format", "table.csv")
    actor = viewer(request)
    assert actor is not None  # noqa: S101 - the middleware sends strangers away
    found = table.rows(actor)
    if rows is not None:
        found = found.filter(pk__in=rows.order_by().values("pk"))
    write = writing.as_json if form == "table.json" else writing.as_csv
    chunks = write(table.names, table.exported(found))
    body: Iterable[bytes] | AsyncIterator[bytes] = awaited(chunks) if isinstance(request, ASGIRequest) else chunks
    name = f"{noun}s.{form.rpartition('.')[2]}"
    return StreamingHttpResponse(
        body, content_type=FORMATS[form],
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store, private"},
    )  # fmt: skip

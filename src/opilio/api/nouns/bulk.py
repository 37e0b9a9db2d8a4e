"""Bulk work: one thing done to many rows; tables that are imported and exported."""

import io
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.bulk_schemas import (
    ArgumentAnswer,
    Counts,
    ImportNew,
    ItemAnswer,
    OutcomeName,
    RunAnswer,
    RunNew,
    RunStart,
    TableName,
    TableRow,
    VerbAnswer,
)
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.requests import ApiRequest
from opilio.curation.bulk import actions
from opilio.curation.bulk.performing import counts
from opilio.curation.bulk.registry import NOUNS, noun_named
from opilio.curation.bulk.tables import json_reading, reading, staging
from opilio.curation.bulk.tables.known import table_named
from opilio.curation.bulk.tables.raw import RawTable
from opilio.curation.bulk.tables.writing import as_csv
from opilio.curation.bulk.verbs import Noun, Verb, narrowed
from opilio.curation.queries import bulk as query
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields

if TYPE_CHECKING:
    from opilio.curation.models import BulkItem, BulkRun

router = Router(tags=["bulk"])
_RUNS = Order(name="bulk", column="made_at", newest_first=True)
_ITEMS = Order(name="bulk-rows", column="position")
_CSV = {"responses": {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}}


class ItemFilters(Schema):
    """Which rows are listed."""

    outcome: OutcomeName | None = Field(None, description="Only those with this outcome.")


@router.get("/verbs", response=list[VerbAnswer])
def list_bulk_verbs(request: ApiRequest) -> list[VerbAnswer]:
    """List what you can do to many rows at once.

    Needs, for each verb, one of its privileges.
    """
    return [_verb(noun, verb) for noun in NOUNS.values() for verb in noun.verbs if verb.open_to(request.auth)]


@router.get("", response=Page[RunAnswer])
def list_bulk_runs(request: ApiRequest, paging: Query[Paging]) -> Page[RunAnswer]:
    """List your bulk work, newest first.

    Needs no privilege.
    """
    return page(query.runs(request.auth), _RUNS, paging, RunAnswer, shown)


@router.post("", response={200: RunAnswer, 202: RunAnswer})
def start_bulk_run(request: ApiRequest, response: HttpResponse, body: RunNew) -> Status[RunAnswer]:
    """Do one thing to many rows, each in a transaction of its own; many of them by a job, which 202 announces.

    Needs the privilege of the verb, which is asked for each row.
    """
    noun = noun_named(body.noun)
    prepared = actions.prepare_rows(
        request.auth, noun=body.noun, verb=body.verb, ids=_ids(request.auth, noun, body), source="API"
    )
    return _started(request.auth, prepared, body.dry_run, body.arguments)


@router.post("/imports", response={200: RunAnswer, 202: RunAnswer})
def import_bulk_table(request: ApiRequest, response: HttpResponse, body: ImportNew) -> Status[RunAnswer]:
    """Make and change rows from a table: good rows come through, bad ones are told with their place.

    Needs the privileges of the actions that make and change such rows.
    """
    table, actor = table_named(body.noun), request.auth
    lines = staging.lines(table, _table(body), actor)
    prepared = actions.prepare_import(
        actor, noun=body.noun, lines=lines, arguments={"update": "yes" if body.update else "no"},
        source=body.name or "API",
    )  # fmt: skip
    return _started(actor, prepared, body.dry_run, None)


@router.get("/tables/{noun}", response=Page[TableRow])
def export_bulk_table(request: ApiRequest, noun: TableName, paging: Query[Paging]) -> Page[TableRow]:
    """Give the rows of a noun as they can be imported again.

    Needs a role that lets you work with such rows.
    """
    table = table_named(noun)
    order = Order(name=f"table-{noun}", column="id")
    rows = table.rows(request.auth)
    return page(rows, order, paging, TableRow, lambda row: TableRow(id=str(row.id), cells=table.written(row)))


@router.get("/tables/{noun}/csv", openapi_extra=_CSV)
def export_bulk_table_as_csv(request: ApiRequest, noun: TableName) -> HttpResponse:
    """Give all rows of a noun as one CSV file, as it can be imported again.

    Needs a role that lets you work with such rows.
    """
    table = table_named(noun)
    pieces = as_csv(table.names, table.exported(table.rows(request.auth)))
    name = {"Content-Disposition": f'attachment; filename="{noun}s.csv"'}
    return HttpResponse(b"".join(pieces), content_type="text/csv; charset=utf-8", headers=name)


@router.get("/{run_id}", response=RunAnswer)
def show_bulk_run(request: ApiRequest, run_id: Identifier) -> RunAnswer:
    """Show how far bulk work is.

    Needs no privilege; it must be your own.
    """
    return shown(query.run(request.auth, run_id))


@router.get("/{run_id}/rows", response=Page[ItemAnswer])
def list_bulk_rows(
    request: ApiRequest, run_id: Identifier, filters: Query[ItemFilters], paging: Query[Paging]
) -> Page[ItemAnswer]:
    """List what became of each row.

    Needs no privilege; it must be your own.
    """
    wanted = (filters.outcome,) if filters.outcome else ()
    return page(query.items(request.auth, run_id, *wanted), _ITEMS, paging, ItemAnswer, _item)


@router.post("/{run_id}/start", response={200: RunAnswer, 202: RunAnswer})
def start_tried_bulk_run(request: ApiRequest, run_id: Identifier, body: RunStart) -> Status[RunAnswer]:
    """Start bulk work that was tried for good, or try it again.

    Needs the privilege of the verb, which is asked for each row.
    """
    return _started(request.auth, query.run(request.auth, run_id), body.dry_run, None)


@router.post("/{run_id}/stop", response=RunAnswer)
def stop_bulk_run(request: ApiRequest, run_id: Identifier) -> RunAnswer:
    """Stop bulk work; what is done stays done.

    Needs no privilege; it must be your own.
    """
    return shown(actions.stop(request.auth, run_id=run_id))


def shown(run: "BulkRun") -> RunAnswer:
    """Bulk work as programs see it."""
    return RunAnswer(
        id=str(run.pk), noun=run.noun, verb=run.verb, arguments=run.arguments, source=run.source, dry_run=run.dry_run,
        state=run.state, total=run.total, counts=Counts(**counts(run)), made_at=run.made_at,
        finished_at=run.finished_at,
    )  # fmt: skip


def _started(actor: Actor, run: "BulkRun", dry_run: bool, arguments: dict[str, str] | None) -> Status[RunAnswer]:
    started = actions.start(actor, run_id=run.pk, arguments=arguments, dry_run=dry_run)
    if actions.at_once(started):
        return Status(200, shown(actions.run_now(actor, started)))
    return Status(202, shown(started))


def _ids(actor: Actor, noun: Noun, body: RunNew) -> list[int]:
    if (body.ids is None) == (body.filter is None):
        raise InvalidFields({"ids": ["Send either ids or a filter."]}, where="body")
    if body.ids is not None:
        return list(body.ids)
    rows = narrowed(noun, noun.rows(actor), body.filter or {})
    return list(rows.order_by("pk").values_list("pk", flat=True)[: actions.MOST + 1])


def _table(body: ImportNew) -> RawTable:
    table = table_named(body.noun)
    if (body.rows is None) == (body.csv is None):
        raise InvalidFields({"rows": ["Send either rows or csv."]}, where="body")
    if body.csv is not None:
        stream = io.BytesIO(body.csv.encode("utf-8"))
        return reading.read(stream, form="csv", where="csv", columns=table.names, required=table.required)
    items: list[dict[str, Any]] = body.rows or []
    return RawTable(columns=table.names, rows=(json_reading.row(place, item) for place, item in enumerate(items, 1)))


def _verb(noun: Noun, verb: Verb) -> VerbAnswer:
    arguments = [
        ArgumentAnswer(name=one.name, label=one.label, required=one.required, help=one.help) for one in verb.arguments
    ]
    return VerbAnswer(
        noun=noun.name, name=verb.name, label=verb.label, warning=verb.warning, arguments=arguments,
        filters=list(noun.filters),
    )  # fmt: skip


def _item(item: "BulkItem") -> ItemAnswer:
    return ItemAnswer(
        id=str(item.pk), place=item.position, row=str(item.row_id) if item.row_id else None, name=item.name,
        outcome=item.outcome, told=item.told,
    )  # fmt: skip

"""`opilio result`: results of harvests, and the decisions about them."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from opilio.cli import result_looking, result_quality, result_tools
from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions import result_decisions as decisions
from opilio.curation.actions.results import delist, note_result, set_reference, undo_result
from opilio.curation.queries import harvests, review
from opilio.curation.queries.results import result
from opilio.curation.words import Advice, ResultState
from opilio.kernel.errors import InvalidInput

app = noun_app("List results of harvests and look into them; endorse, reject and undo them.")
result_quality.register(app)
result_tools.register(app)
result_looking.register(app)
RESULT = Annotated[int, typer.Argument(metavar="RESULT", help="Number of the result's row.", show_default=False)]
HARVEST = Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)]
_NOTE = Annotated[str, typer.Option("--note", help="Kept with the decision.")]
_STATES = {state.name.lower(): state for state in ResultState}


@catalogue_command(app, "list")
def list_results(
    state: Annotated[str | None, typer.Option(help=f"One of {', '.join(_STATES)}.", show_default=False)] = None,
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
    harvest: Annotated[int | None, typer.Option(help="Only of this harvest.", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all", help="Also those that are decided.")] = False,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=100_000)] = 100,
) -> Answer:
    """List the results that wait for a decision, the doubtful first."""
    me = operator()
    wide = every or state is not None or harvest is not None
    rows = review.listed(me) if wide else review.waiting(me)
    if state is not None:
        rows = rows.filter(state=_state(state))
    if agency is not None:
        rows = rows.filter(harvest__agency_id=agency_named(me, agency).id)
    if harvest is not None:
        rows = rows.filter(harvest_id=harvest)
    return _table(rows.order_by(*review.LIST_ORDER)[:limit])


@catalogue_command(app, "show")
def show(row: RESULT) -> Answer:
    """Show a result: where it stands, where it came from, what is recommended."""
    return _one(row)


@catalogue_command(app, "events")
def events(row: RESULT) -> Answer:
    """Show what happened to a result as a thing to be preserved, oldest first."""
    found = [
        {"at": one.at.isoformat(timespec="seconds"), "kind": one.kind, "outcome": one.outcome, "by": one.by,
         "detail": one.detail}
        for one in review.events_of(result(operator(), row))
    ]  # fmt: skip
    columns = ("at", "kind", "outcome", "by", "detail")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"events": found}, parts=[Rows(columns=columns, rows=shown, empty="No event yet.")])


@catalogue_command(app, "endorse")
def endorse(row: RESULT, note: _NOTE = "") -> Answer:
    """Endorse a result; its harvest is endorsed with it, the others are passed over."""
    decisions.endorse_result(operator(), result_id=row, note=note)
    return _one(row)


@catalogue_command(app, "reject")
def reject(
    row: RESULT,
    reason: Annotated[str, typer.Option(help="Name or number of a reason of the agency.", show_default=False)],
    note: _NOTE = "",
) -> Answer:
    """Reject a result for a reason."""
    found = result(operator(), row)
    decisions.reject_result(operator(), result_id=row, reason_id=_reason(found.harvest.agency_id, reason), note=note)
    return _one(row)


@catalogue_command(app, "unendorse")
def unendorse(row: RESULT, note: _NOTE = "") -> Answer:
    """Take the endorsement of a result back."""
    decisions.unendorse_result(operator(), result_id=row, note=note)
    return _one(row)


@catalogue_command(app, "undo")
def undo(row: RESULT, why: Annotated[str, typer.Option(help="Kept with its record.", show_default=False)]) -> Answer:
    """Have the newest derived result of a harvest undone by an agent."""
    undo_result(operator(), result_id=row, why=why)
    return _one(row)


@catalogue_command(app, "note")
def note_provenance(
    row: RESULT, text: Annotated[str, typer.Argument(metavar="TEXT", help="Where it came from.", show_default=False)]
) -> Answer:
    """Say where a result came from, and why."""
    note_result(operator(), result_id=row, note=text)
    return _one(row)


@catalogue_command(app, "endorse-harvest")
def endorse_whole(harvest: HARVEST, note: _NOTE = "") -> Answer:
    """Endorse a harvest with its newest result that waits for a decision."""
    decisions.endorse_harvest(operator(), harvest_id=harvest, note=note)
    return _of_harvest(harvest)


@catalogue_command(app, "reject-harvest")
def reject_whole(
    harvest: HARVEST,
    reason: Annotated[str, typer.Option(help="Name or number of a reason of the agency.", show_default=False)],
    note: _NOTE = "",
) -> Answer:
    """Reject a harvest with all its results for a reason."""
    row = harvests.harvest(operator(), harvest)
    decisions.reject_harvest(operator(), harvest_id=harvest, reason_id=_reason(row.agency_id, reason), note=note)
    return _of_harvest(harvest)


@catalogue_command(app, "reference")
def reference(
    harvest: HARVEST, remove: Annotated[bool, typer.Option("--remove", help="Not any more.")] = False
) -> Answer:
    """Let later harvests of the target be compared with this one."""
    row = set_reference(operator(), harvest_id=harvest, reference=not remove)
    document = {"harvest": str(row.pk), "target": row.abstract_target.name, "reference": not remove}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "delist")
def delist_target(
    harvest: HARVEST, reason: Annotated[str, typer.Option(help="Kept in the audit log.", show_default=False)]
) -> Answer:
    """End the schedules of the target of a harvest."""
    row = harvests.harvest(operator(), harvest)
    target = delist(operator(), target_id=row.abstract_target_id, reason=reason)
    return Answer(document={"delisted": target.name}, parts=[f"The schedules of {target.name} are ended."])


def told(row: Any) -> dict[str, Any]:
    """A result as commands tell it."""
    assessed = getattr(row, "assessment", None)
    return {
        "id": str(row.pk), "harvest": str(row.harvest_id), "number": row.number, "derived_from": row.derived_from,
        "target": row.harvest.abstract_target.name, "agency": row.harvest.agency.name,
        "state": ResultState(row.state).name.lower(), "since": row.state_since.isoformat(timespec="seconds"),
        "reason": row.reason, "resources": row.resources, "bytes": row.bytes, "digest": row.digest,
        "advice": Advice(assessed.advice).name.lower() if assessed else "",
        "headline": assessed.headline if assessed else "",
    }  # fmt: skip


def _of_harvest(harvest: int) -> Answer:
    return _table(review.listed(operator()).filter(harvest_id=harvest).order_by("number"))


def _table(rows: Iterable[Any]) -> Answer:
    found = [told(row) for row in rows]
    columns = ("id", "harvest", "number", "target", "state", "advice", "headline", "resources")
    shown = [tuple(one[name] for name in columns) for one in found]
    parts = [Rows(columns=columns, rows=shown, empty="Nothing waits for review.")]
    return Answer(document={"results": found}, parts=parts)


def _one(number: int) -> Answer:
    row = result(operator(), number)
    document = {
        **told(row), "provenance": row.provenance_note, "modifications": review.notes_of(row),
        "lineage": review.way_to(row),
    }  # fmt: skip
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _state(text: str) -> ResultState:
    if text not in _STATES:
        remedy = f"Choose from {', '.join(_STATES)}."
        raise InvalidInput(f"{text[:40]!r} is no state of a result", where="--state", remedy=remedy)
    return _STATES[text]


def _reason(agency: int, text: str) -> int:
    for number, name in review.reasons_of(agency):
        if text.casefold() == name.casefold() or text == str(number):
            return number
    remedy = "`opilio target reasons` lists them."
    raise InvalidInput(f"The agency has no reason {text[:60]!r} for harvests", where="--reason", remedy=remedy)


add_bulk(app, "result")

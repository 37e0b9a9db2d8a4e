"""`opilio nomination`: sites that people outside proposed."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named, user_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.cli.target_told import chosen, one_target
from opilio.curation.actions.nominations import accept_nomination, decline_nomination
from opilio.curation.queries import nominations
from opilio.curation.words import NominationState
from opilio.people.actions.rows import delete_row

app = noun_app("Look at nominations; accept or decline them.")
_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the nomination.", show_default=False)]
_NOTE = Annotated[str, typer.Option(help="Kept with it; nobody outside reads it.")]
_STATES = {state.value: state for state in NominationState}


@catalogue_command(app, "list")
def list_nominations(
    agency: Annotated[str | None, typer.Option(help="Only to this agency.", show_default=False)] = None,
    state: Annotated[str | None, typer.Option(help="waiting, accepted or declined.", show_default=False)] = None,
) -> Answer:
    """List nominations, newest first."""
    rows = nominations.nominations(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    if state is not None:
        rows = rows.filter(state=chosen("--state", _STATES, state))
    found = [_told(row) for row in rows.order_by("-created", "-id")]
    shown = [(one["id"], one["url"], one["title"], one["state"], one["agency"], one["received"]) for one in found]
    columns = ("id", "url", "title", "state", "agency", "received (UTC)")
    return Answer(
        document={"nominations": found}, parts=[Rows(columns=columns, rows=shown, empty="No nomination yet.")]
    )  # fmt: skip


@catalogue_command(app, "show")
def show(number: _NUMBER) -> Answer:
    """Show one nomination."""
    return _one(number)


@catalogue_command(app, "accept")
def accept(
    number: _NUMBER,
    owner: Annotated[str, typer.Option(help="User who owns the target.", show_default=False)],
    name: Annotated[str, typer.Option(help="Name of the target; empty: the title of the nomination.")] = "",
    note: _NOTE = "",
) -> Answer:
    """Make a pending target of a nomination, with the proposed URL as its seed."""
    me = operator()
    made = accept_nomination(me, nomination_id=number, name=name, note=note, owner_id=user_named(me, owner).id)
    return one_target(made.pk)


@catalogue_command(app, "decline")
def decline(number: _NUMBER, note: _NOTE = "") -> Answer:
    """Do not take a nomination up."""
    decline_nomination(operator(), nomination_id=number, note=note)
    return _one(number)


@catalogue_command(app, "delete")
def delete(number: _NUMBER) -> Answer:
    """Delete a nomination so that it can be restored."""
    row = nominations.nomination(operator(), number)
    delete_row(operator(), kind_name="nomination", row_id=row.id)
    return Answer(document={"deleted": str(row.id)}, parts=[f"Deleted {row}."])


def _one(number: int) -> Answer:
    document = _told(nominations.nomination(operator(), number))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id), "url": row.url, "title": row.title, "reason": row.reason, "agency": row.agency.name,
        "name": row.name, "email": row.email, "state": row.state, "received": row.created.isoformat(),
        "decided": row.decided_at.isoformat() if row.decided_at else "", "note": row.note,
        "target": str(row.target_id or ""),
    }  # fmt: skip

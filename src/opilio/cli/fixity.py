"""`opilio fixity`: read kept files again, and see what came of it."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.fixity import order_check
from opilio.curation.queries import fixity as queries

app = noun_app("Read kept files again and compare them with their digests.")
_HARVEST = Annotated[int, typer.Argument(metavar="HARVEST", help="Identifier of the harvest.", show_default=False)]
_COLUMNS = ("id", "harvest", "of", "copy", "read", "files", "damaged", "repaired")
_MOST = 1_000


@catalogue_command(app, "list")
def list_checks(
    damaged: Annotated[bool, typer.Option("--damaged", help="Only readings that found damage.")] = False,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=_MOST)] = 50,
) -> Answer:
    """List the newest readings."""
    found = queries.checks(operator()).order_by("-id")
    shown = [_told(row) for row in (found.filter(damaged__gt=0) if damaged else found)[:limit]]
    rows = [
        (one["id"], one["harvest"], one["name"], one["place"], one["ended_at"], one["files"], one["damaged"],
         one["repaired"])
        for one in shown
    ]  # fmt: skip
    table = Rows(columns=_COLUMNS, rows=rows, empty="Nothing was read yet.")
    return Answer(document={"readings": shown}, parts=[table])


@catalogue_command(app, "status")
def status() -> Answer:
    """Say how it stands with what is kept."""
    now = queries.standing(operator())
    document = {"kept": now.kept, "read": now.read, "never": now.never, "damaged": now.damaged, "days": now.days}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "show")
def show(
    reading: Annotated[int, typer.Argument(metavar="ID", help="Identifier of the reading.", show_default=False)],
) -> Answer:
    """Show a reading with every damaged file."""
    document = _told(queries.check(operator(), reading))
    rows = [(one["name"], one["what"], one["repaired"], one["how"]) for one in document["details"]]
    pairs = [(name, value) for name, value in document.items() if name != "details"]
    table = Rows(columns=("file", "what is wrong", "repaired", "what was done"), rows=rows, empty="No damage.")
    return Answer(document=document, parts=[Fields(pairs=pairs), table])


@catalogue_command(app, "check")
def check(harvest: _HARVEST) -> Answer:
    """Have the kept files of a harvest read; an agent that has them does so."""
    row = order_check(operator(), harvest_id=harvest)
    return Answer(document={"harvest": str(row.pk)}, parts=[f"An agent reads the files of harvest {row.pk} now."])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "harvest": str(row.harvest_id), "name": row.harvest.abstract_target.name,
        "place": row.place, "begun_at": row.begun_at.isoformat(),
        "ended_at": row.ended_at.isoformat() if row.ended_at else None, "files": row.files, "bytes": row.bytes,
        "damaged": row.damaged, "repaired": row.repaired, "details": row.details, "failure": row.failure,
    }  # fmt: skip

"""`opilio purge`: remove the data of harvests that need not be kept."""

from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.purge import purge_harvest
from opilio.curation.queries import purging
from opilio.curation.words import HarvestState

app = noun_app("Remove the data of harvests that need not be kept.")
_ID = Annotated[int, typer.Argument(metavar="HARVEST", help="Identifier of the harvest.", show_default=False)]
_COLUMNS = ("harvest", "of", "state", "may go from", "now")


@catalogue_command(app, "list")
def list_candidates(
    due: Annotated[bool, typer.Option("--due", help="Only those that may go now.")] = False,
) -> Answer:
    """List the harvests that are over and still have their data."""
    me = operator()
    found = [(row, purging.judged(me, row)) for row in purging.candidates(me).order_by("state_since", "id")]
    shown = [
        {
            "harvest": str(row.pk), "name": row.abstract_target.name, "state": HarvestState(row.state).value,
            "due": judgement.due.isoformat() if judgement.due else None, "allowed": judgement.allowed,
            "why_not": judgement.why_not,
        }
        for row, judgement in found
        if judgement.allowed or not due
    ]  # fmt: skip
    rows = [(one["harvest"], one["name"], one["state"], one["due"] or "–", one["why_not"] or "may go") for one in shown]
    return Answer(document={"harvests": shown}, parts=[Rows(columns=_COLUMNS, rows=rows, empty="Nothing to purge.")])


@catalogue_command(app, "preview")
def preview(harvest: _ID) -> Answer:
    """Show what a purge of a harvest would remove, and what stands against it."""
    row = purging.of_asker(operator(), harvest)
    found = purging.preview(operator(), row)
    document = {
        "harvest": str(row.pk), "allowed": found.allowed, "why_not": found.why_not, "files": found.files,
        "bytes": found.bytes, "needed_by": list(found.needed_by), "here": found.here,
    }  # fmt: skip
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "run")
def run(harvest: _ID) -> Answer:
    """Have the data of a harvest removed; an agent that has it does so."""
    row = purge_harvest(operator(), harvest_id=harvest)
    return Answer(document={"harvest": str(row.pk)}, parts=[f"The data of harvest {row.pk} is removed by an agent."])

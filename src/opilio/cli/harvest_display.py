"""`opilio harvest display`: whether readers are shown a harvest."""

from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Fields
from opilio.curation.actions.harvest_display import set_display


def register(app: typer.Typer) -> None:
    """Add the verb to those of `opilio harvest`."""
    catalogue_command(app, "display")(display)


def display(
    harvest: Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)],
    hide: Annotated[bool, typer.Option("--hide", help="Keep it from readers.")] = False,
    note: Annotated[str, typer.Option(help="Why.")] = "",
) -> Answer:
    """Show a harvest to readers, or keep it from them."""
    row = set_display(operator(), harvest_id=harvest, display=not hide, note=note)
    document = {"id": str(row.pk), "display": row.display, "note": row.display_note, "version": row.version}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])

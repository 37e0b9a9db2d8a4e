"""`opilio delivery retention`, `export` and `import`: what operators do with the whole of it."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Rows
from opilio.kernel.clock import SYSTEM
from opilio.tracker import profiles, retention
from opilio.tracker.actions.dump import import_tables
from opilio.tracker.actions.retention import expire
from opilio.tracker.delivery_folder import delivery_files
from opilio.tracker.dump_export import exported

_FOLDER = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of CSV files.", show_default=False)]
_PROFILE = Annotated[str, typer.Option("--profile", help="Profile whose names and numbers of phases are used.")]
_MOST_SHOWN = 10_000


def add_to(app: typer.Typer) -> None:
    """Put the commands under `opilio delivery`."""
    catalogue_command(app, "retention")(remove_old)
    catalogue_command(app, "export")(export)
    catalogue_command(app, "import")(import_)


def remove_old(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go; remove nothing.")] = False,
) -> Answer:
    """Remove the files of deliveries whose time is over. What is held stays."""
    if dry_run:
        found = list(retention.due(retention.in_force(), SYSTEM.now()))
    else:
        found = list(expire(operator(), files=delivery_files(), most=_MOST_SHOWN))
    rows = [(one.file, one.folder, one.why) for one in found]
    document = {"removed": not dry_run, "files": [{"file": a, "folder": b, "why": c} for a, b, c in rows]}
    return Answer(
        document=document, parts=[Rows(columns=("file", "folder", "why"), rows=rows, empty="Nothing is due.")]
    )


def export(
    folder: _FOLDER,
    using: _PROFILE = "impc",
    secrets: Annotated[bool, typer.Option("--secrets", help="With passwords and keys, for a move.")] = False,
) -> Answer:
    """Write the tables of the tracker as CSV files, as data coordination centres know them."""
    return _counted(exported(folder, profiles.named(using), secrets=secrets).rows)


def import_(
    folder: _FOLDER,
    agency: Annotated[str, typer.Option("--agency", help="Agency of its centres.", show_default=False)],
    using: _PROFILE = "impc",
) -> Answer:
    """Take over the tables of another tracker from CSV files, all of them or nothing."""
    return _counted(
        import_tables(operator(), folder=folder, agency_id=agency_named(operator(), agency).id, profile=using)
    )


def _counted(counts: dict[str, int]) -> Answer:
    return Answer(document={"tables": counts}, parts=[Rows(columns=("table", "rows"), rows=list(counts.items()))])

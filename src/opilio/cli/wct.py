"""`opilio wct`: import from the tables of the Web Curator Tool, and export to them."""

from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Rows, note
from opilio.curation.actions import wct_import
from opilio.curation.queries.wct_imports import imports
from opilio.curation.wct.exporting import Format, export
from opilio.curation.wct.report import Report
from opilio.people import zones

app = noun_app("Import from and export to the tables of the Web Curator Tool.")
_ZONE = Annotated[str, typer.Option(metavar="ZONE", help="Zone of the times in the dump, as Pacific/Auckland.")]
_ENCODING = Annotated[str, typer.Option(help="How the dump is written: utf-8, latin-1, cp1252 or utf-16.")]
_DRY_RUN = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")]
_SHOWN = 50  # entries printed; --report writes all


@catalogue_command(app, "import")
def import_path(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A folder or zip of CSV files, or an SQL dump.", show_default=False)
    ],
    dry_run: _DRY_RUN = False,
    time_zone: _ZONE = "UTC",
    encoding: _ENCODING = "utf-8",
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every entry of the report to this CSV file.")
    ] = None,
) -> Answer:
    """Take over users, authorisations, targets, groups and all else that there is a place for."""
    done = wct_import.import_dump(
        operator(), path=path, dry_run=dry_run, time_zone=time_zone, encoding=encoding, report_file=report
    )
    return _told(done)


@catalogue_command(app, "ask")
def ask(
    file: Annotated[str, typer.Argument(metavar="NAME", help="A dump in the folder of imports.", show_default=False)],
    dry_run: _DRY_RUN = False,
    time_zone: _ZONE = "UTC",
    encoding: _ENCODING = "utf-8",
) -> Answer:
    """Let an agent import a dump that lies in the folder `imports` of the home."""
    row = wct_import.ask(operator(), file=file, dry_run=dry_run, time_zone=time_zone, encoding=encoding)
    return Answer(document={"import": str(row.id)}, parts=[f"Import {row.id} waits for an agent."])


@catalogue_command(app, "list")
def list_imports() -> Answer:
    """List imports that agents did or will do."""
    found = [
        {"id": str(row.id), "file": row.name, "dry_run": row.dry_run, "state": row.state, "asked_at": row.asked_at,
         "finished_at": row.finished_at, "report": row.report}
        for row in imports(operator())
    ]  # fmt: skip
    columns = ("id", "file", "dry run", "state", "asked (UTC)")
    shown = [(one["id"], one["file"], one["dry_run"], one["state"], one["asked_at"]) for one in found]
    return Answer(document={"imports": found}, parts=[Rows(columns=columns, rows=shown, empty="No import yet.")])


@catalogue_command(app, "discard")
def discard(import_id: Annotated[int, typer.Argument(metavar="ID", help="Number of an import.")]) -> Answer:
    """Remove the dump of an import; what was imported stays."""
    wct_import.discard(operator(), import_id=import_id)
    return Answer(document={"import": str(import_id)}, parts=["The dump was removed."])


@catalogue_command(app, "export")
def export_tables(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that holds nothing yet.", show_default=False)],
    form: Annotated[Format, typer.Option("--format", help="A CSV file for each table, or one of SQL.")] = Format.CSV,
    time_zone: _ZONE = "UTC",
    with_secrets: Annotated[
        bool, typer.Option("--with-secrets", help="Write the passwords of crawls too; keep the files safe then.")
    ] = False,
) -> Answer:
    """Write everything as the tables of the Web Curator Tool 1.4."""
    zone = ZoneInfo(zones.check(time_zone) or "UTC")
    done = export(folder, form=form, zone=zone, secrets=with_secrets)
    if with_secrets:
        note(f"The folder {folder} holds passwords in plain text.")
    rows = [(name, count) for name, count in done.rows.items()]
    return Answer(
        document={"folder": str(folder), "rows": dict(done.rows)}, parts=[Rows(columns=("table", "rows"), rows=rows)]
    )


def _told(done: Report) -> Answer:
    words = ("made", "changed", "unchanged", "refused", "not yet")
    rows = [(table, *(counts[word] for word in words)) for table, counts in done.counts.items()]
    shown = [entry.cells for entry in done.entries[:_SHOWN]]
    more = done.told - len(shown)
    tail = [f"… and {more} more; --report FILE writes all."] if more > 0 else []
    head = ["Dry run, nothing was changed."] if done.dry_run else []
    columns = ("what", "table", "column", "number", "file", "line", "reason")
    return Answer(
        document=done.as_json(),
        parts=[*head, Rows(columns=("table", *words), rows=rows), Rows(columns=columns, rows=shown, empty=""), *tail],
    )

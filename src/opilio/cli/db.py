"""`opilio db`: the catalogue's database."""

from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Fields, Part, Rows, note, steps
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.installation import prepare
from opilio.server import copying, database_check, migrating, migrations_state, place
from opilio.server.backups import work
from opilio.server.backups.manifest import Manifest
from opilio.server.migration_phases import Phase

app = noun_app("Migrate, back up, restore, copy and check the database.")
_SECRETS_HELP = "Keys too; whoever has them can sign in as anybody."


@catalogue_command(app, "migrate", migrated=False)
def migrate(
    before: Annotated[
        bool, typer.Option("--before", help="Only what older servers and agents can live with, while they still run.")
    ] = False,
    after: Annotated[
        bool, typer.Option("--after", help="Only the rest, once all servers and agents are of this version.")
    ] = False,
) -> Answer:
    """Make or update the tables, and fill the lists that were never filled."""
    if before and after:
        raise InvalidInput(
            "--before and --after are two steps", where="db migrate", remedy="Give one, or none for all."
        )
    phase = Phase.BEFORE if before else Phase.AFTER if after else None
    with steps() as step:
        applied = migrating.migrate(settings(), place.where(), step("Applying migrations"), phase)
    added = prepare(operator())
    postponed = migrations_state.state().postponed
    document = {
        "applied": [".".join(name) for name in applied],
        "postponed": [".".join(name) for name in postponed],
        "list_entries_added": added,
    }
    words = f"Applied {len(applied)} migrations." if applied else "The database has the tables of this version."
    later = (
        [f"{len(postponed)} wait for `opilio db migrate --after`, when all is of this version."] if postponed else []
    )
    return Answer(document=document, parts=[words, *later])


@catalogue_command(app, "backup")
def backup(
    target: Annotated[
        Path | None,
        typer.Argument(metavar="TARGET", help="A new folder, or a .tar; default: backups/ in the home folder."),
    ] = None,
    with_secrets: Annotated[bool, typer.Option("--with-secrets", help=_SECRETS_HELP)] = False,
    without_digests: Annotated[
        bool, typer.Option("--without-digests", help="List the archive's files by size only, which is quick.")
    ] = False,
) -> Answer:
    """Copy the database, while it is in use, and list the files of the archive with their digests."""
    path = (target or work.default_target(settings())).absolute()
    with steps() as step:
        taken = work.take(settings(), path, with_secrets=with_secrets, digests=not without_digests, step=step)
    document = {"backup": str(path), **_told(taken)}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "restore", migrated=False)
def restore(
    source: Annotated[Path, typer.Argument(metavar="BACKUP", help="A folder or .tar.", show_default=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite a database that holds data.")] = False,
    with_secrets: Annotated[bool, typer.Option("--with-secrets", help="Restore the keys of the backup too.")] = False,
) -> Answer:
    """Verify a backup, and put it in the place of the database."""
    with steps() as step:
        done = work.restore(settings(), source.absolute(), replace=replace, with_secrets=with_secrets, step=step)
    if done.missing:
        note(f"{len(done.missing)} files of the archive are not in this home; copy them from where you keep them.")
    document = {"restored": str(source), **_told(done.manifest), "archive_files_missing": list(done.missing)}
    words = "Run `opilio db migrate` if the backup was made by an older version."
    return Answer(document=document, parts=[Fields(pairs=list(document.items())[:-1]), words])


@catalogue_command(app, "copy")
def copy(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            envvar="COPY_TARGET_URL",
            help="postgresql://user:password@host:port/name, or sqlite:///PATH. A password is better kept in the "
            "variable, which other users of this machine cannot read.",
            show_default=False,
        ),
    ],
    replace: Annotated[bool, typer.Option("--replace", help="Empty a target that holds tables.")] = False,
) -> Answer:
    """Move the catalogue to another database, from SQLite to PostgreSQL or back; every row is compared."""
    with steps() as step:
        done = copying.copy(settings(), target, replace=replace, step=step)
    document = {
        "source": done.source,
        "target": done.target,
        "tables": len(done.tables),
        "rows": sum(done.tables.values()),
    }
    words = "Every row was compared. Set OPILIO_DATABASE_URL to the target, and start the servers and agents again."
    return Answer(document=document, parts=[Fields(pairs=list(document.items())), words])


@catalogue_command(app, "check")
def check(
    against: Annotated[
        Path | None,
        typer.Option("--backup", metavar="BACKUP", help="Compare the archive's files with this backup's manifest."),
    ] = None,
) -> Answer:
    """Check the integrity of database, rows, audit chain and, with --backup, of the archive's files."""
    with steps() as step:
        found = database_check.run(settings(), against.absolute() if against else None, step=step)
    faults = [{"check": one.check, "fault": fault} for one in found for fault in one.faults]
    rows = [(one.check, "ok" if not one.faults else f"{len(one.faults)} faults", one.words) for one in found]
    parts: list[Part] = [Rows(columns=("check", "result", "about"), rows=rows)]
    parts += [f"{fault['check']}: {fault['fault']}" for fault in faults]
    document = {"ok": not faults, "checks": [one.check for one in found], "faults": faults}
    return Answer(document=document, parts=parts, exit_code=7 if faults else 0)


def _told(found: Manifest) -> dict[str, Any]:
    return {
        "made": found.made,
        "opilio": found.opilio,
        "engine": found.engine,
        "tables": len(found.tables),
        "rows": sum(table.rows for table in found.tables.values()),
        "archive_files": len(found.archive),
        "secrets": len(found.secrets),
    }

"""Whether the database has the tables of this version: the migrations applied there against those known here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from opilio import __version__
from opilio.catalogue import statistics
from opilio.kernel.files import mapped
from opilio.server.errors import NewerDatabase, NotMigrated

Name = tuple[str, str]  # app, migration


@dataclass(frozen=True, kw_only=True)
class State:
    """Migrations that are missing in the database, and those there that this version does not know."""

    applied: tuple[Name, ...]
    missing: tuple[Name, ...]
    unknown: tuple[Name, ...]

    @property
    def current(self) -> bool:
        """Whether database and program fit together."""
        return not self.missing and not self.unknown


def state() -> State:
    """Compare database and program."""
    applied = tuple(sorted(MigrationRecorder(connection).applied_migrations()))
    known = known_migrations()
    return State(
        applied=applied, missing=tuple(sorted(known - set(applied))), unknown=tuple(sorted(set(applied) - known))
    )


def known_migrations() -> set[Name]:
    """The migrations of this version."""
    return set(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def refuse_newer(names: Iterable[Name], where: str) -> None:
    """Raise when somebody newer was there before us."""
    unknown = sorted(set(names) - known_migrations())
    if unknown:
        raise NewerDatabase(
            f"It was made by a newer Opilio than this {__version__}: {_spoken(unknown)}",
            where=where,
            remedy="Install that version, or restore a backup made with this one.",
        )


def require_current(where: str) -> None:
    """Go on only with a database that has exactly the tables of this version."""
    found = state()
    refuse_newer(found.applied, where)
    if found.missing:
        what = "The database is empty" if not found.applied else f"The database lacks {_spoken(found.missing)}"
        raise NotMigrated(what, where=where, remedy="Run `opilio db migrate`.")


def migrate(where: str, advance: Callable[[int, int], None]) -> list[Name]:
    """Bring the database up to this version; the migrations applied. `advance` hears done and total."""
    refuse_newer(state().applied, where)
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    for done, (migration, _) in enumerate(plan):
        advance(done, len(plan))
        call_command("migrate", migration.app_label, migration.name, verbosity=0, interactive=False)
    statistics.refresh()
    _close_file()
    return [(migration.app_label, migration.name) for migration, _ in plan]


def _close_file() -> None:
    """A catalogue in SQLite holds password hashes: its file, and what SQLite lays beside it, is for its owner alone."""
    if connection.vendor == "sqlite":
        name = Path(str(connection.settings_dict["NAME"]))
        for path in name.parent.glob(f"{name.name}*"):
            with mapped(path):
                path.chmod(0o600)


def _spoken(names: Iterable[Name]) -> str:
    listed = [".".join(name) for name in names]
    rest = f" and {len(listed) - 3} more" if len(listed) > 3 else ""
    return ", ".join(listed[:3]) + rest

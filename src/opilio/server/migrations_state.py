"""Whether the database has the tables of this version: the migrations applied there against those known here."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from opilio import __version__
from opilio.kernel.errors import OpilioError
from opilio.server.errors import NewerDatabase, NotMigrated
from opilio.server.migration_phases import Name, Phase, of_phase, spoken


@dataclass(frozen=True, kw_only=True)
class State:
    """Migrations that are missing in the database, and those there that this version does not know."""

    applied: tuple[Name, ...]
    missing: tuple[Name, ...]
    unknown: tuple[Name, ...]

    @property
    def postponed(self) -> tuple[Name, ...]:
        """What is missing and may be, while an older version still runs."""
        return of_phase(self.missing, Phase.AFTER)


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
    """Raise when somebody newer was there before us, whatever they did."""
    unknown = sorted(set(names) - known_migrations())
    if unknown:
        raise _newer(unknown, where)


def misfit(found: State, where: str) -> OpilioError | None:
    """Why this version cannot work with the database; None: it can.

    It can live with what a newer version added, and without what is left for after the upgrade.
    """
    if unbearable := of_phase(found.unknown, Phase.AFTER):
        return _newer(unbearable, where)
    if needed := of_phase(found.missing, Phase.BEFORE):
        what = "The database is empty" if not found.applied else f"The database lacks {spoken(needed)}"
        return NotMigrated(what, where=where, remedy="Run `opilio db migrate`.")
    return None


def require_fitting(where: str) -> None:
    """Go on only with a database that this version can work with."""
    error = misfit(state(), where)
    if error is not None:
        raise error


def _newer(names: Iterable[Name], where: str) -> NewerDatabase:
    return NewerDatabase(
        f"It was made by a newer Opilio than this {__version__}: {spoken(names)}",
        where=where,
        remedy="Install that version, or restore a backup made with this one.",
    )

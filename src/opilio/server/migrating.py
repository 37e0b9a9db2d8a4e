"""Brings the database up to this version, whole or one half of an upgrade at a time, beside programs that use it.

A change waits for its table a few seconds at a time only: whoever came later would have to wait behind it.
"""

import datetime
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor

from opilio import __version__
from opilio.catalogue import statistics
from opilio.jobs import roster
from opilio.kernel.clock import SYSTEM
from opilio.kernel.files import ensure_folder, mapped
from opilio.kernel.settings import Settings
from opilio.server.errors import InOperation, NotMigrated
from opilio.server.migration_phases import Name, Phase, of_phase, phase_of, spoken
from opilio.server.migrations_state import refuse_newer, state

Advance = Callable[[int, int], None]

_LOCK = 7_236_171_001  # of PostgreSQL's advisory locks: one migrates at a time
_TRIES = 60  # times that a table is waited for, and as many seconds
_ROSTER: Name = ("jobs", "0001_initial")  # with it there are agents to ask for


def migrate(settings: Settings, where: str, advance: Advance, phase: Phase | None = None) -> list[Name]:
    """Apply what is missing of one half, or of both; the migrations applied. `advance` hears done and total."""
    with _one_at_a_time(settings, where):
        applied = state().applied
        refuse_newer(applied, where)
        plan = _plan(where, phase)
        if _ROSTER in applied and of_phase(plan, Phase.AFTER):
            _refuse_older_agents(settings, where)
        for done, name in enumerate(plan):
            advance(done, len(plan))
            _apply(name)
        statistics.refresh()
        _close_file()
    return plan


def _plan(where: str, phase: Phase | None) -> list[Name]:
    """What is to be applied, in order; refused when a half cannot be done alone."""
    executor = MigrationExecutor(connection)
    steps = executor.migration_plan(executor.loader.graph.leaf_nodes())
    missing = [_name(migration) for migration, _ in steps]
    if phase is None:
        return missing
    if phase is Phase.AFTER and (earlier := of_phase(missing, Phase.BEFORE)):
        raise NotMigrated(
            f"The database lacks {spoken(earlier)}", where=where,
            remedy="Run `opilio db migrate --before`, then let all servers and agents be of this version.",
        )  # fmt: skip
    chosen = list(of_phase(missing, phase))
    for name in chosen if phase is Phase.BEFORE else ():
        needed = [each for each in executor.loader.graph.forwards_plan(name) if each in missing]
        if late := of_phase(needed, Phase.AFTER):
            raise NotMigrated(
                f"{spoken([name])} needs {spoken(late)}, which older servers and agents cannot live with", where=where,
                remedy="Upgrade version by version; or stop all servers and agents, and run `opilio db migrate`.",
            )  # fmt: skip
    return chosen


def _name(migration: Migration) -> Name:
    return migration.app_label, migration.name


def _apply(name: Name) -> None:
    """One migration, in its own transaction; one whose table is in use is tried again."""
    for left in reversed(range(_TRIES)):
        try:
            _patience("3s" if phase_of(name) is Phase.BEFORE else "10s")
            call_command("migrate", *name, verbosity=0, interactive=False)
        except OperationalError as error:
            if "lock timeout" not in str(error) or not left:
                raise
            time.sleep(1)
        else:
            _patience("0")
            return


def _patience(length: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [length])


def _refuse_older_agents(settings: Settings, where: str) -> None:
    """Agents that still run another version would lose what they stand on."""
    silence = datetime.timedelta(seconds=2 * settings.agent_lease_seconds)
    others = roster.of_other_versions(__version__, since=SYSTEM.now() - silence)
    if others:
        raise InOperation(
            f"Agents of another version than {__version__} still work: {', '.join(others[:5])}", where=where,
            remedy="Run `opilio db migrate --before`, end them (`opilio agents drain`), start this version, and come "
            "back. One that was killed counts for two leases more.",
        )  # fmt: skip


@contextmanager
def _one_at_a_time(settings: Settings, where: str) -> Iterator[None]:
    held = _advisory() if connection.vendor == "postgresql" else _file(settings.home)
    with held as got:
        if not got:
            raise InOperation("Another process migrates the database", where=where, remedy="Wait until it is done.")
        yield


@contextmanager
def _advisory() -> Iterator[bool]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
        got = bool(cursor.fetchone()[0])
    try:
        yield got
    finally:
        if got:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


@contextmanager
def _file(home: Path) -> Iterator[bool]:
    path = ensure_folder(home) / ".migrating"
    with mapped(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _close_file() -> None:
    """A catalogue in SQLite holds password hashes: its file, and what SQLite lays beside it, is for its owner alone."""
    if connection.vendor == "sqlite":
        name = Path(str(connection.settings_dict["NAME"]))
        for path in name.parent.glob(f"{name.name}*"):
            with mapped(path):
                path.chmod(0o600)

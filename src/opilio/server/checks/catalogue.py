"""Checks of the catalogue's database and of what goes on in it."""

import datetime
import stat
from collections.abc import Iterator
from pathlib import Path

from django.db import connection, transaction
from django.db.models import Max

from opilio.catalogue.models import IdBlock
from opilio.jobs.models import Agent, Job
from opilio.jobs.states import LIVING, JobState
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.settings import Settings
from opilio.people import seals
from opilio.people.actor import system
from opilio.people.queries.records import audit_entries
from opilio.server import migrations_state, place
from opilio.server.checks.finding import Check, Finding, Level, examined, ok, problem, warning
from opilio.server.database_errors import mapped_database_errors
from opilio.server.migration_phases import spoken

_DRIFT = datetime.timedelta(seconds=5)
_OLD_TAIL = datetime.timedelta(minutes=5)


def findings(settings: Settings, clock: Clock = SYSTEM) -> Iterator[Finding]:
    """All findings; what needs tables is asked only when they are there, and no file is made by asking."""
    if missing := unmade():
        yield missing
        return
    first = next(examined([("database", _mapped(reachable))]))
    yield first
    if first.level is not Level.OK:
        return
    tables = next(examined([("migrations", _mapped(migrated))]))
    yield tables
    yield from examined(_engine_checks())
    if tables.level is not Level.PROBLEM:
        yield from examined(_row_checks(settings, clock))


def _engine_checks() -> Iterator[tuple[str, Check]]:
    if connection.vendor == "sqlite":
        yield "integrity", _mapped(integrity)
        yield "write-ahead log", _mapped(write_ahead_log)
        yield "catalogue file", catalogue_file


def _row_checks(settings: Settings, clock: Clock) -> Iterator[tuple[str, Check]]:
    yield "writing", _mapped(writable)
    yield "clock", _mapped(lambda: clock_sanity(clock))
    yield "agents", _mapped(lambda: agents(settings, clock))
    yield "jobs", _mapped(dead_jobs)
    yield "audit", _mapped(lambda: unsealed_tail(clock))


def unmade() -> Finding | None:
    """Told when the file of the catalogue was never made; opening it would make an empty one."""
    name = str(connection.settings_dict["NAME"])
    path, in_memory = Path(name), name == ":memory:" or "mode=memory" in name
    if connection.vendor != "sqlite" or in_memory or path.exists():
        return None
    remedy = "Run `opilio db migrate`; without it, `opilio crawl`, `archive`, `index`, `search` and `replay` work."
    return problem("database", f"there is none at {path}", remedy)


def reachable() -> Finding:
    """Whether the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ok("database", f"{place.where()} answers")


def migrated() -> Finding:
    """Whether it has the tables of this version."""
    found = migrations_state.state()
    error = migrations_state.misfit(found, place.where())
    if error is not None:
        raise error
    if found.unknown:
        words = f"the database is ready for a newer version: {spoken(found.unknown)}"
        return warning("migrations", words, "Install that version here, and start servers and agents again.")
    if found.postponed:
        remedy = "Run `opilio db migrate --after` once no server or agent of an older version runs."
        return warning("migrations", f"the upgrade is not finished: {spoken(found.postponed)}", remedy)
    return ok("migrations", "the tables are those of this version")


def writable() -> Finding:
    """Whether a change would be taken; it is rolled back."""
    with transaction.atomic():
        IdBlock.objects.update_or_create(kind="opilio doctor")
        transaction.set_rollback(True)
    return ok("writing", "the database can be written to")


def integrity() -> Finding:
    """Whether SQLite finds its file in order; `opilio db check` looks deeper."""
    said = _asked("PRAGMA quick_check(3)")
    if said != ["ok"]:
        return problem("integrity", f"the file is damaged: {'; '.join(said)}", "Restore a backup: `opilio db restore`.")
    return ok("integrity", "SQLite finds its file in order")


def write_ahead_log() -> Finding:
    """Whether readers and writers can work side by side."""
    mode = _asked("PRAGMA journal_mode")[0]
    if mode != "wal":
        remedy = "Move the home folder to a local disk: network file systems cannot share the log."
        return warning("write-ahead log", f"the journal mode is {mode}, so readers wait for writers", remedy)
    return ok("write-ahead log", "readers and writers do not wait for each other")


def catalogue_file() -> Finding:
    """Whether others on the machine can read the catalogue, which holds password hashes."""
    path = Path(str(connection.settings_dict["NAME"]))
    if not path.is_file():
        return ok("catalogue file", "there is none: the database lies in memory")
    reachable_by_others = all(part.stat().st_mode & stat.S_IXOTH for part in path.absolute().parents)
    if path.stat().st_mode & stat.S_IROTH and reachable_by_others:
        return warning("catalogue file", f"everybody on this machine can read {path}", f"Run `chmod o-rwx {path}`.")
    return ok("catalogue file", "closed to others")


def clock_sanity(clock: Clock) -> Finding:
    """Whether this machine's clock agrees with the database's, and did not go back behind what was recorded."""
    now = clock.now()
    theirs = _server_time() or now
    if abs(theirs - now) > _DRIFT:
        words = f"this machine is {(now - theirs).total_seconds():+.0f} s off the database's clock"
        return problem("clock", words, "Let both machines follow a time server (NTP).")
    newest = audit_entries(system()).aggregate(newest=Max("at"))["newest"]
    if newest is not None and newest - now > _DRIFT:
        words = f"the newest audit entry is of {newest:%Y-%m-%d %H:%M:%S} UTC, and it is {now:%Y-%m-%d %H:%M:%S} now"
        return problem("clock", words, "The clock went back: set it right; schedules and leases depend on it.")
    return ok("clock", f"{now:%Y-%m-%d %H:%M:%S} UTC, and nothing was recorded later")


def agents(settings: Settings, clock: Clock) -> Finding:
    """Whether somebody does the background work."""
    silence = datetime.timedelta(seconds=2 * settings.agent_lease_seconds)
    alive = Agent.objects.filter(state__in=LIVING, heartbeat_at__gte=clock.now() - silence).count()
    if not alive:
        remedy = "Start `opilio serve` or `opilio agent`; e-mail and seals of the audit log wait for it."
        return warning("agents", "no agent was heard of lately", remedy)
    return ok("agents", f"{alive} agents were heard of lately")


def dead_jobs() -> Finding:
    """Whether jobs were given up."""
    dead = Job.objects.filter(state=JobState.DEAD)
    count = dead.count()
    if count:
        latest = dead.order_by("-finished").first()
        words = f"{count} jobs failed for good; the latest, {latest}: {latest.last_error[:200] if latest else ''}"
        return warning("jobs", words, "Remove the cause and requeue them on the page of jobs.")
    return ok("jobs", "none failed for good")


def unsealed_tail(clock: Clock) -> Finding:
    """Whether the audit chain keeps up."""
    oldest = seals.unsealed().first()
    if oldest is not None and clock.now() - oldest.at > _OLD_TAIL:
        count = seals.unsealed().count()
        words = f"{count} audit entries are not sealed; the oldest is of {oldest.at:%Y-%m-%d %H:%M} UTC"
        return warning("audit", words, "An agent seals them: start `opilio serve` or `opilio agent`.")
    return ok("audit", "the chain keeps up")


def _server_time() -> datetime.datetime | None:
    if connection.vendor == "sqlite":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime.datetime = cursor.fetchone()[0]
        return found


def _mapped(check: Check) -> Check:
    def run() -> Finding:
        with mapped_database_errors(place.where()):
            return check()

    return run


def _asked(statement: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [str(row[0]) for row in cursor.fetchall()]

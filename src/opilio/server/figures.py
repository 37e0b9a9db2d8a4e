"""What goes on in an installation, as numbers: requests, jobs, agents, harvests, deliveries, index, database, space."""

import datetime
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from django.db.models import Count, Min

from opilio import __version__
from opilio.curation.queries.figures import collected_by_state, harvests_by_state, index_lag
from opilio.jobs.models import Agent, Job
from opilio.jobs.states import LIVING, JobState
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.settings import Settings
from opilio.people import seals
from opilio.people.queries.figures import waiting_messages, waiting_tasks
from opilio.server import request_counts
from opilio.tracker.queries.figures import deliveries_by_standing

Labels = Mapping[str, str]
REQUESTS = "opilio_request_seconds"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number with a name, by Prometheus' rules for names; `values` has one for each set of labels."""

    name: str
    words: str
    values: tuple[tuple[Labels, float], ...]
    kind: str = "gauge"  # of Prometheus: gauge, counter, histogram
    family: str = ""  # name of the histogram that it is a part of


def figures(settings: Settings, clock: Clock = SYSTEM) -> list[Figure]:
    """All of them, each counted by the database."""
    now = clock.now()
    counted = [Figure(name=name, words=words, values=tuple(count(settings, now))) for name, words, count in _FIGURES]
    return [*counted, *requests(request_counts.folder_of(os.getppid()))]


def requests(folder: Path) -> list[Figure]:
    """The requests that the processes of this server answered: one histogram."""
    found: dict[str, list[tuple[Labels, float]]] = {"_bucket": [], "_sum": [], "_count": []}
    for suffix, labels, number in request_counts.samples(folder):
        found[suffix].append((labels, number))
    words = "Seconds to the first byte of an answer, by face, method and class of status."
    return [
        Figure(name=REQUESTS + suffix, words=words, values=tuple(values), kind="histogram", family=REQUESTS)
        for suffix, values in found.items()
    ]


def _info(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    yield {"version": __version__, "database": connection.vendor}, 1


def _jobs(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    open_ones = Job.objects.filter(state__in=[JobState.READY, JobState.RUNNING, JobState.DEAD]).order_by()
    for row in open_ones.values("kind", "state").annotate(count=Count("id")):
        yield {"kind": row["kind"], "state": row["state"]}, row["count"]


def _waiting(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    due = Job.objects.filter(state=JobState.READY, run_after__lte=now).aggregate(oldest=Min("run_after"))["oldest"]
    yield {}, (now - due).total_seconds() if due else 0


def _agents(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    for row in Agent.objects.filter(state__in=LIVING).order_by().values("state").annotate(count=Count("id")):
        yield {"state": row["state"]}, row["count"]


def _silent(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    beat = Agent.objects.filter(state__in=LIVING).aggregate(oldest=Min("heartbeat_at"))["oldest"]
    yield {}, (now - beat).total_seconds() if beat else 0


def _harvests(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    for state, count in harvests_by_state().items():
        yield {"state": state}, count


def _collected_bytes(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    for state, found in collected_by_state().items():
        yield {"state": state}, found.bytes


def _collected_urls(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    for state, found in collected_by_state().items():
        yield {"state": state, "outcome": "down"}, found.down
        yield {"state": state, "outcome": "failed"}, found.failed
        yield {"state": state, "outcome": "waiting"}, found.waiting


def _index_age(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    lag = index_lag(now)
    if lag.made is not None:
        yield {"generation": lag.generation}, (now - lag.made).total_seconds()


def _index_waiting(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    lag = index_lag(now)
    yield {"change": "added"}, lag.added
    yield {"change": "dropped"}, lag.dropped


def _connections(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    """Of the catalogue's server; SQLite has none."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(state, 'unknown'), count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND backend_type = 'client backend' GROUP BY 1"
        )
        for state, count in cursor.fetchall():
            yield {"state": state}, count


def _database_bytes(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        yield {}, cursor.fetchone()[0]


def _deliveries(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    for (phase, status), count in deliveries_by_standing().items():
        yield {"phase": phase, "status": status}, count


def _tasks(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    yield {}, waiting_tasks()


def _messages(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    yield {}, waiting_messages()


def _unsealed(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    yield {}, seals.unsealed().count()


def _space(settings: Settings, now: datetime.datetime) -> Iterator[tuple[Labels, float]]:
    found = shutil.disk_usage(settings.home)
    yield {"kind": "free"}, found.free
    yield {"kind": "total"}, found.total


_Counting = Callable[[Settings, datetime.datetime], Iterator[tuple[Labels, float]]]
_FIGURES: tuple[tuple[str, str, _Counting], ...] = (
    ("opilio_info", "Version of Opilio and kind of database.", _info),
    ("opilio_jobs", "Jobs that are not over, and those given up, by kind and state.", _jobs),
    ("opilio_oldest_due_job_seconds", "How long the job that is due longest has waited.", _waiting),
    ("opilio_agents", "Living agents by state.", _agents),
    ("opilio_agent_silence_seconds", "How long the quietest living agent has said nothing.", _silent),
    ("opilio_harvests", "Harvests by state.", _harvests),
    ("opilio_harvest_bytes", "Bytes that harvests brought into WARC files, by state.", _collected_bytes),
    ("opilio_harvest_urls", "URLs of harvests by state and what became of them.", _collected_urls),
    ("opilio_index_age_seconds", "Since when the newest generation of the public index is out.", _index_age),
    ("opilio_index_waiting", "Harvests that the next generation will add or drop.", _index_waiting),
    ("opilio_deliveries", "Deliveries by phase and status.", _deliveries),
    ("opilio_tasks", "In-tray tasks that wait for somebody.", _tasks),
    ("opilio_outbox_waiting", "E-mails that wait to be sent.", _messages),
    ("opilio_audit_unsealed", "Entries of the audit log that are not sealed yet.", _unsealed),
    ("opilio_database_connections", "Connections to the catalogue by state, on PostgreSQL.", _connections),
    ("opilio_database_bytes", "Size of the catalogue.", _database_bytes),
    ("opilio_home_bytes", "Space on the disk of the home folder.", _space),
)

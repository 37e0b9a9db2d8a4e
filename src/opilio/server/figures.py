"""What goes on in an installation, as numbers: jobs, agents, harvests, deliveries, messages, space."""

import datetime
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, Min

from opilio import __version__
from opilio.curation.queries.figures import harvests_by_state
from opilio.jobs.models import Agent, Job
from opilio.jobs.states import LIVING, JobState
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.settings import Settings
from opilio.people import seals
from opilio.people.queries.figures import waiting_messages, waiting_tasks
from opilio.tracker.queries.figures import deliveries_by_standing

Labels = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number with a name, by Prometheus' rules for names; `values` has one for each set of labels."""

    name: str
    words: str
    values: tuple[tuple[Labels, float], ...]


def figures(settings: Settings, clock: Clock = SYSTEM) -> list[Figure]:
    """All of them, each counted by the database."""
    now = clock.now()
    return [Figure(name=name, words=words, values=tuple(count(settings, now))) for name, words, count in _FIGURES]


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
    ("opilio_deliveries", "Deliveries by phase and status.", _deliveries),
    ("opilio_tasks", "In-tray tasks that wait for somebody.", _tasks),
    ("opilio_outbox_waiting", "E-mails that wait to be sent.", _messages),
    ("opilio_audit_unsealed", "Entries of the audit log that are not sealed yet.", _unsealed),
    ("opilio_home_bytes", "Space on the disk of the home folder.", _space),
)

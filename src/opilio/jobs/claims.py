"""What the holder of a job may do: claim it, renew its lease, finish it, give it back; each fenced by the epoch.

One code for both databases. PostgreSQL: `FOR UPDATE SKIP LOCKED` lets claimers pass each other by. SQLite: Django
leaves that clause out, and `BEGIN IMMEDIATE` (server/databases.py) lets one claimer in at a time.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from opilio.jobs.backoff import JOBS, Backoff
from opilio.jobs.errors import Fenced
from opilio.jobs.models import Job
from opilio.jobs.queue import ERROR_LENGTH
from opilio.jobs.states import JobState
from opilio.jobs.words import storable

_EXPIRED_AT_ONCE = 100
_FREED: dict[str, Any] = {"owner": "", "lease_until": None}


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A job that an agent holds, as long as nobody has a higher epoch."""

    id: int
    kind: str
    document: Any  # the payload as stored; payload.from_json checks it
    epoch: int  # fencing token
    attempt: int  # from 1
    max_attempts: int
    owner: str
    correlation: str


def claim(
    *,
    owner: str,
    limit: int,
    now: datetime,
    lease: timedelta,
    kinds: Collection[str] | None = None,
    tags: Collection[str] | None = None,
    agent: str = "",
) -> list[Claimed]:
    """Take up to `limit` due jobs, of these kinds and tags only, in the order priority, run-after, id.

    A job without a tag is for everybody; one that is for another agent is left alone.
    """
    wanted = _Wanted(kinds=kinds, tags=tags, agent=agent)
    if limit < 1 or not _worth_a_transaction(now, wanted):
        return []
    with transaction.atomic():
        _end_expired(now)
        rows = list(_due(now, wanted).select_for_update(skip_locked=True)[:limit])
        Job.objects.filter(pk__in=[row.pk for row in rows]).update(
            state=JobState.RUNNING,
            owner=owner,
            epoch=F("epoch") + 1,
            attempts=F("attempts") + 1,
            lease_until=now + lease,
            heartbeat_at=now,
            started=Coalesce("started", now),
        )
        return [_claimed(row, owner) for row in rows]


def heartbeat(claimed: Claimed, *, now: datetime, lease: timedelta) -> None:
    """Renew the lease of one job."""
    _write(claimed, lease_until=now + lease, heartbeat_at=now)


def heartbeat_all(held: Collection[Claimed], *, now: datetime, lease: timedelta) -> list[Claimed]:
    """Renew the leases of all `held` jobs, and return those that are no longer held.

    A job whose finishing transaction is open is passed by, so that one long transaction starves no other lease.
    """
    if not held:
        return []
    epochs = {claimed.id: claimed.epoch for claimed in held}
    running = Job.objects.filter(pk__in=sorted(epochs), state=JobState.RUNNING)
    with transaction.atomic():
        free = running.order_by("pk").select_for_update(skip_locked=True).values_list("pk", "epoch")
        mine = [pk for pk, epoch in free if epochs[pk] == epoch]
        Job.objects.filter(pk__in=mine).update(lease_until=now + lease, heartbeat_at=now)
    alive = {pk for pk, epoch in running.values_list("pk", "epoch") if epochs[pk] == epoch}
    return [claimed for claimed in held if claimed.id not in alive]


def report(claimed: Claimed, *, percent: int | None, words: str) -> None:
    """Say how far the job is."""
    inside = None if percent is None else min(max(percent, 0), 100)
    _write(claimed, percent=inside, progress=storable(words, 200))


def complete(claimed: Claimed, *, now: datetime) -> None:
    """The job is done."""
    _write(claimed, state=JobState.DONE, finished=now, last_error="", **_FREED)


@contextmanager
def finishing(claimed: Claimed, *, now: datetime) -> Iterator[None]:
    """One transaction for the effects of the block and the completion of the job: both are committed, or neither.

    The job is completed first: who has lost it learns so before the block runs, and nobody can take it meanwhile.
    """
    with transaction.atomic(durable=True):
        complete(claimed, now=now)
        yield


def release(claimed: Claimed, *, now: datetime) -> None:
    """Give the job back unfinished, due from `now` on, for no fault of its own: the attempt does not count."""
    _write(claimed, state=JobState.READY, attempts=F("attempts") - 1, run_after=now, **_FREED)


def abandon(claimed: Claimed, reason: str, *, now: datetime) -> None:
    """The runner ended early because a person said so."""
    _write(claimed, state=JobState.CANCELLED, finished=now, last_error=storable(reason, ERROR_LENGTH), **_FREED)


def fail(claimed: Claimed, error: str, *, now: datetime, jitter: float, final: bool = False) -> JobState:
    """The attempt failed: try again later, or, after the last attempt or when it is `final`, lay the job aside."""
    words = storable(error, ERROR_LENGTH)
    if final or claimed.attempt >= claimed.max_attempts:
        _write(claimed, state=JobState.DEAD, finished=now, last_error=words, **_FREED)
        return JobState.DEAD
    due = retry_at(claimed.attempt, now=now, jitter=jitter)
    _write(claimed, state=JobState.READY, run_after=due, last_error=words, **_FREED)
    return JobState.READY


def retry_at(attempt: int, *, now: datetime, jitter: float, backoff: Backoff = JOBS) -> datetime:
    """When a job is tried again whose `attempt`-th attempt failed now."""
    return now + backoff.delay(attempt, jitter)


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    """Which jobs a claimer takes; None: all."""

    kinds: Collection[str] | None
    tags: Collection[str] | None
    agent: str


def _worth_a_transaction(now: datetime, wanted: _Wanted) -> bool:
    """A look without a lock, so that idle agents do not queue up for SQLite's one writer."""
    return _due(now, wanted).exists() or _expired(now).exists()


def _due(now: datetime, wanted: _Wanted) -> QuerySet[Job]:
    # A job that was to run at once stays due when the clock is set back behind the moment of its creation.
    due = Job.objects.filter(
        Q(run_after__lte=now) | Q(run_after__lte=F("created")), state=JobState.READY, for_agent__in=["", wanted.agent]
    )
    if wanted.kinds is not None:
        due = due.filter(kind__in=sorted(wanted.kinds))
    if wanted.tags is not None:
        due = due.filter(tag__in=["", *sorted(wanted.tags)])
    return due.order_by("priority", "run_after", "id")


def _expired(now: datetime) -> QuerySet[Job]:
    return Job.objects.filter(state=JobState.RUNNING, lease_until__lte=now).order_by("lease_until")


def _end_expired(now: datetime) -> None:
    """Make jobs of silent agents claimable, or dead when that was their last attempt."""
    rows = list(_expired(now).select_for_update(skip_locked=True)[:_EXPIRED_AT_ONCE])
    _end([row for row in rows if row.attempts < row.max_attempts], state=JobState.READY)
    _end([row for row in rows if row.attempts >= row.max_attempts], state=JobState.DEAD, finished=now)


def _end(rows: Iterable[Job], **changes: Any) -> None:
    for row in rows:
        words = f"Agent {row.owner} fell silent in attempt {row.attempts} of {row.max_attempts}"
        Job.objects.filter(pk=row.pk).update(last_error=words, **changes, **_FREED)


def _claimed(row: Job, owner: str) -> Claimed:
    return Claimed(
        id=row.pk,
        kind=row.kind,
        document=row.payload,
        epoch=row.epoch + 1,
        attempt=row.attempts + 1,
        max_attempts=row.max_attempts,
        owner=owner,
        correlation=row.correlation,
    )


def _write(claimed: Claimed, **changes: Any) -> None:
    mine = Job.objects.filter(pk=claimed.id, epoch=claimed.epoch, state=JobState.RUNNING)
    if mine.update(**changes) != 1:
        raise Fenced(
            f"Job {claimed.id} is no longer held with epoch {claimed.epoch}",
            where=f"{claimed.kind}, {claimed.owner}",
            remedy="Drop what this attempt did; the lease ended, or the job was cancelled.",
        )

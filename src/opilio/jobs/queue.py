"""What may be done to jobs from outside: enqueue, cancel, requeue, forget. The holder of a job uses `claims`.

`enqueue` writes in the caller's transaction: an action that is rolled back leaves no job behind.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from opilio.jobs.errors import BadPayload, NoSuchJob, NotInThatState, SameJobWaits
from opilio.jobs.models import KEY_LENGTH, Job
from opilio.jobs.payload import spec_of, to_json
from opilio.jobs.states import UNFINISHED, JobState, sources
from opilio.jobs.words import storable
from opilio.kernel import logs

ERROR_LENGTH = 4_000  # characters of last_error
_TRIES = 100


@dataclass(frozen=True, kw_only=True)
class Enqueued:
    """The job that will do the work, and whether this call made it."""

    id: int
    fresh: bool  # False: an unfinished job with the same dedup key was there


def enqueue(
    payload: object,
    *,
    now: datetime,
    run_after: datetime | None = None,
    priority: int | None = None,
    dedup_key: str = "",
    tag: str = "",
    for_agent: str = "",
    correlation: str | None = None,
) -> Enqueued:
    """Have the payload's work done, once the caller's transaction commits and `run_after` has come.

    The correlation is that of the work at hand unless another is given.
    """
    spec = spec_of(payload)
    row = Job(
        kind=spec.kind,
        payload=to_json(payload),
        max_attempts=spec.max_attempts,
        created=_aware(now, "now"),
        priority=spec.priority if priority is None else priority,
        dedup_key=_key(dedup_key),
        tag=storable(tag, 100),
        for_agent=storable(for_agent, 64),
        run_after=now if run_after is None else _aware(run_after, "run_after"),
        correlation=storable((logs.correlation() if correlation is None else correlation) or "", 64),
    )
    if dedup_key:
        return _enqueue_once(row)
    row.save()
    return Enqueued(id=row.pk, fresh=True)


def cancel(job_id: int, *, by: str, now: datetime, reason: str = "") -> None:
    """Take an unfinished job back. If it runs, its runner is fenced from now on and told at the next heartbeat."""
    words = storable(f"Cancelled by {by}: {reason}" if reason else f"Cancelled by {by}", ERROR_LENGTH)
    moved = Job.objects.filter(pk=job_id, state__in=sources(JobState.CANCELLED)).update(
        state=JobState.CANCELLED, finished=now, owner="", lease_until=None, last_error=words
    )
    if not moved:
        raise _refused(job_id, "cancelled")


def withdraw(job_id: int, *, by: str, now: datetime) -> None:
    """Take a job back that no agent has taken; `NotInThatState` when one has, or it is finished."""
    words = storable(f"Withdrawn by {by}", ERROR_LENGTH)
    waiting = Job.objects.filter(pk=job_id, state=JobState.READY)
    if not waiting.update(state=JobState.CANCELLED, finished=now, last_error=words):
        raise _refused(job_id, "withdrawn")


def unfinished(job_id: int | None) -> bool:
    """Whether a job still waits or runs."""
    return job_id is not None and Job.objects.filter(pk=job_id, state__in=UNFINISHED).exists()


def unfinished_among(job_ids: Collection[int]) -> set[int]:
    """Of some jobs, those that still wait or run."""
    return set(Job.objects.filter(pk__in=sorted(job_ids), state__in=UNFINISHED).values_list("pk", flat=True))


def unfinished_tagged(kind: str, tag: str) -> int:
    """How many jobs of a kind with a tag still wait or run."""
    return int(Job.objects.filter(kind=kind, tag=tag, state__in=UNFINISHED).count())


def last_error(job_id: int | None) -> str:
    """Why the latest attempt of a job did not succeed; empty when there was none."""
    found = Job.objects.filter(pk=job_id).values_list("last_error", flat=True).first() if job_id else None
    return found or ""


def requeue(job_id: int, *, now: datetime) -> None:
    """Give a dead or cancelled job all its attempts again, from now on."""
    waiting = Job.objects.filter(pk=job_id, state__in=(JobState.DEAD, JobState.CANCELLED))
    try:
        with transaction.atomic():
            moved = waiting.update(
                state=JobState.READY, run_after=now, attempts=0, finished=None, percent=None, progress=""
            )
    except IntegrityError as error:
        raise SameJobWaits(
            f"Job {job_id} cannot be requeued: an unfinished job does the same",
            where=f"job {job_id}",
            remedy="Let that one finish, or cancel it first.",
        ) from error
    if not moved:
        raise _refused(job_id, "requeued")


def forget_finished(*, before: datetime, limit: int = 1_000) -> int:
    """Delete at most `limit` jobs done or cancelled before then; dead ones wait for somebody to look at them."""
    old = Job.objects.filter(state__in=(JobState.DONE, JobState.CANCELLED), finished__lt=before)
    chosen = list(old.order_by("finished").values_list("pk", flat=True)[:limit])
    Job.objects.filter(pk__in=chosen).delete()
    return len(chosen)


def _enqueue_once(row: Job) -> Enqueued:
    same = Job.objects.filter(kind=row.kind, dedup_key=row.dedup_key, state__in=UNFINISHED)
    for _ in range(_TRIES):
        # ON CONFLICT DO NOTHING keeps the caller's transaction usable, and waits for another's that has the key.
        Job.objects.bulk_create([row], ignore_conflicts=True)
        found = same.values_list("pk", flat=True).first()
        if found is not None:
            return Enqueued(id=found, fresh=found == row.pk)
    raise SameJobWaits(
        f"Jobs with the key {row.dedup_key!r} come and go too fast to add one", where=row.kind, remedy="Try again."
    )


def _refused(job_id: int, wish: str) -> NoSuchJob | NotInThatState:
    state = Job.objects.filter(pk=job_id).values_list("state", flat=True).first()
    if state is None:
        return NoSuchJob(f"There is no job {job_id}", where="jobs", remedy="It may have been forgotten since.")
    return NotInThatState(
        f"Job {job_id} is {state} and cannot be {wish}", where=f"job {job_id}", remedy=JobState(state).sentence
    )


def _aware(moment: datetime, name: str) -> datetime:
    if moment.tzinfo is None:
        raise BadPayload(f"{name} has no time zone", where="enqueue", remedy="Pass the time of a Clock.")
    return moment


def _key(dedup_key: str) -> str:
    if len(dedup_key) > KEY_LENGTH or storable(dedup_key, KEY_LENGTH) != dedup_key:
        raise BadPayload(
            f"A dedup key has at most {KEY_LENGTH} characters and no NUL", where="enqueue", remedy="Use a digest."
        )
    return dedup_key

"""Jobs that nobody claims: unknown ones, ones that cannot be stored, finished ones."""

import pytest
from django.db import connection

from opilio.jobs import claims, queue
from opilio.jobs.errors import BadPayload, NoSuchJob
from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.clock import ManualClock
from tests.contracts.jobs_payloads import Effect

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock():
    return ManualClock()


def test_unknown_job(clock):
    """A job that does not exist can be neither cancelled nor requeued."""
    for act in (lambda: queue.cancel(5, by="curator", now=clock.now()), lambda: queue.requeue(5, now=clock.now())):
        with pytest.raises(NoSuchJob):
            act()


@pytest.mark.parametrize(
    "options",
    [
        {"dedup_key": "x" * 201},
        {"dedup_key": "a\x00b"},
        {"run_after": ManualClock().now().replace(tzinfo=None)},
        {"now": ManualClock().now().replace(tzinfo=None)},
    ],
    ids=["long key", "key with NUL", "naive run_after", "naive now"],
)
def test_bad_arguments(clock, options):
    """What cannot be stored is refused before anything is written."""
    with pytest.raises(BadPayload):
        queue.enqueue(Effect(number=1), **({"now": clock.now()} | options))
    assert not Job.objects.exists()


def test_claim_does_not_search_what_is_finished(clock):
    """With many finished jobs, both searches of a claim go through their indexes."""
    now = clock.now()
    common = {"kind": "test.effect", "payload": {}, "max_attempts": 1, "created": now, "run_after": now}
    Job.objects.bulk_create([Job(**common, state=JobState.DONE, finished=now) for _ in range(20_000)], batch_size=1_000)
    Job.objects.bulk_create([Job(**common) for _ in range(20)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE job" if connection.vendor == "postgresql" else "ANALYZE")
    for kinds in (None, ["test.effect"]):
        wanted = claims._Wanted(kinds=kinds, tags=None, agent="")
        assert "job_due" in claims._due(now, wanted)[:1].explain()
    assert "job_" in claims._expired(now)[:1].explain()

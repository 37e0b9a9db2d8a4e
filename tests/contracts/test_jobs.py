"""What the queue promises, on whichever database the tests run."""

from datetime import timedelta

import pytest
from django.db import transaction

from opilio.jobs import claims, queue
from opilio.jobs.errors import Fenced, NotInThatState, SameJobWaits
from opilio.jobs.models import Job
from opilio.jobs.states import MOVES, JobState, Priority
from opilio.kernel.clock import ManualClock
from opilio.kernel.logs import bound
from tests.contracts.jobs_payloads import Broken, Effect, Gate, Patient, Unimportant

pytestmark = pytest.mark.django_db

LEASE = timedelta(seconds=60)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def take(clock):
    """Claims with the test's clock: `take()` one job, `take(3)` several."""

    def take(limit=1, *, owner="first#1", kinds=None):
        return claims.claim(owner=owner, limit=limit, now=clock.now(), lease=LEASE, kinds=kinds)

    return take


@pytest.fixture
def enqueue(clock):
    def enqueue(payload=None, **options):
        return queue.enqueue(payload or Effect(number=0), now=clock.now(), **options).id

    return enqueue


def state(job_id):
    return Job.objects.get(pk=job_id).state


def ids(claimed):
    return [one.id for one in claimed]


def test_claim_gives_what_was_enqueued(enqueue, take, clock):
    """A claimed job carries its payload, its first epoch and its first attempt."""
    job_id = enqueue(Effect(number=7), correlation="abc")
    (claimed,) = take()
    assert (claimed.id, claimed.kind, claimed.document) == (job_id, "test.effect", {"number": 7, "held_for": 0})
    assert (claimed.epoch, claimed.attempt, claimed.owner, claimed.correlation) == (1, 1, "first#1", "abc")
    row = Job.objects.get(pk=job_id)
    assert (row.state, row.lease_until, row.started) == (JobState.RUNNING, clock.now() + LEASE, clock.now())


def test_correlation_of_the_work_at_hand(enqueue, take):
    """A job belongs to the request that enqueued it."""
    with bound(correlation="request-1"):
        enqueue()
    assert take()[0].correlation == "request-1"


def test_claimed_once(enqueue, take):
    """A job that somebody holds is not given to another."""
    enqueue()
    assert len(take(5)) == 1
    assert take(5, owner="second#2") == []


def test_claim_of_nothing(enqueue, take):
    """Who asks for no job gets none."""
    enqueue()
    assert take(0) == []


def test_order(enqueue, take, clock):
    """Jobs go by priority, then by their time, then by their identifier."""
    late = enqueue(run_after=clock.now() - timedelta(seconds=1))
    first, second = (
        enqueue(run_after=clock.now() - timedelta(seconds=9)),
        enqueue(run_after=clock.now() - timedelta(seconds=9)),
    )
    low, urgent = enqueue(Unimportant()), enqueue(priority=Priority.URGENT)
    assert ids(take(10)) == [urgent, first, second, late, low]


def test_run_after(enqueue, take, clock):
    """A job waits for its time."""
    job_id = enqueue(run_after=clock.now() + timedelta(seconds=10))
    clock.advance(9.9)
    assert take() == []
    clock.advance(0.1)
    assert ids(take()) == [job_id]


def test_only_kinds_that_can_be_run(enqueue, take):
    """An agent is given only the kinds that it knows."""
    enqueue(Patient())
    wanted = enqueue(Gate(folder="x"))
    assert ids(take(5, kinds=["test.gate"])) == [wanted]


def test_dedup_while_unfinished(enqueue, take, clock):
    """While a job with the key waits or runs, no second one is made; once it is done, one is."""
    first = queue.enqueue(Effect(number=1), now=clock.now(), dedup_key="k")
    again = queue.enqueue(Effect(number=2), now=clock.now(), dedup_key="k")
    assert (first.fresh, again.fresh, again.id) == (True, False, first.id)
    (claimed,) = take(5)
    assert enqueue(dedup_key="k") == first.id
    claims.complete(claimed, now=clock.now())
    assert enqueue(dedup_key="k") != first.id


def test_dedup_is_per_kind(enqueue):
    """Kinds do not share their keys, and an empty key is none."""
    assert len({enqueue(dedup_key="k"), enqueue(Patient(), dedup_key="k"), enqueue(), enqueue()}) == 4


def test_dedup_leaves_the_transaction_usable(enqueue):
    """After a duplicate, the caller's transaction goes on."""
    with transaction.atomic():
        enqueue(dedup_key="k")
        enqueue(dedup_key="k")
        other = enqueue()
    assert state(other) == JobState.READY


def test_rollback_enqueues_nothing(enqueue):
    """An action that is rolled back leaves no job."""
    with transaction.atomic():
        enqueue()
        enqueue(dedup_key="k")
        transaction.set_rollback(True)
    assert not Job.objects.exists()


def test_heartbeat_extends_the_lease(enqueue, take, clock):
    """A job whose agent beats is not taken away; one whose agent is silent is."""
    enqueue()
    (held,) = take()
    clock.advance(40)
    claims.heartbeat(held, now=clock.now(), lease=LEASE)
    clock.advance(40)
    assert take(owner="second#2") == []
    clock.advance(20)
    assert len(take(owner="second#2")) == 1


def test_heartbeats_at_once(enqueue, take, clock):
    """All leases are renewed together, and those that are lost are named."""
    for number in range(3):
        enqueue(Effect(number=number))
    held = take(3)
    queue.cancel(held[1].id, by="curator", now=clock.now())
    clock.advance(30)
    assert claims.heartbeat_all(held, now=clock.now(), lease=LEASE) == [held[1]]
    assert Job.objects.filter(lease_until=clock.now() + LEASE).count() == 2
    assert claims.heartbeat_all([], now=clock.now(), lease=LEASE) == []


def test_expired_lease_is_claimed_again(enqueue, take, clock):
    """The next holder has a higher epoch and the next attempt."""
    enqueue()
    take()
    clock.advance(60)
    (second,) = take(owner="second#2")
    assert (second.epoch, second.attempt) == (2, 2)
    assert "first#1 fell silent" in Job.objects.get().last_error


@pytest.mark.parametrize(
    "write",
    [
        lambda held, clock: claims.heartbeat(held, now=clock.now(), lease=LEASE),
        lambda held, clock: claims.complete(held, now=clock.now()),
        lambda held, clock: claims.release(held, now=clock.now()),
        lambda held, clock: claims.abandon(held, "", now=clock.now()),
        lambda held, clock: claims.fail(held, "x", now=clock.now(), jitter=0),
        lambda held, clock: claims.report(held, percent=1, words=""),
    ],
    ids=["heartbeat", "complete", "release", "abandon", "fail", "report"],
)
def test_late_holder_is_fenced(enqueue, take, clock, write):
    """Whatever a holder does who lost the lease changes nothing."""
    enqueue()
    (late,) = take()
    clock.advance(60)
    take(owner="second#2")
    before = Job.objects.values().get()
    with pytest.raises(Fenced) as caught:
        write(late, clock)
    assert "epoch 1" in str(caught.value)
    assert Job.objects.values().get() == before
    assert claims.heartbeat_all([late], now=clock.now(), lease=LEASE) == [late]


def test_silent_until_the_last_attempt(enqueue, take, clock):
    """A job that silences its agent each time is dead after its attempts, with the reason, and runs no more."""
    job_id = enqueue(Unimportant())
    for _ in range(2):
        assert len(take()) == 1
        clock.advance(60)
    assert take() == []
    row = Job.objects.get(pk=job_id)
    assert (row.state, row.finished, row.owner) == (JobState.DEAD, clock.now(), "")
    assert "attempt 2 of 2" in row.last_error


def test_failure_is_retried_later(enqueue, take, clock):
    """A failed job comes back after a wait that grows."""
    job_id = enqueue(Gate(folder="x"))
    waits = []
    for _ in range(2):
        (held,) = take()
        assert claims.fail(held, "no answer", now=clock.now(), jitter=1.0) == JobState.READY
        waits.append((Job.objects.get(pk=job_id).run_after - clock.now()).total_seconds())
        assert take() == []
        clock.advance(waits[-1])
    assert waits == [5, 10]
    assert Job.objects.get(pk=job_id).last_error == "no answer"


def test_dead_letter(enqueue, take, clock):
    """After its last attempt a job is laid aside with its error."""
    job_id = enqueue(Broken())
    assert claims.fail(take()[0], "broken \x00 \ud800" + "x" * 9_000, now=clock.now(), jitter=0) == JobState.DEAD
    clock.advance(1_000_000)
    assert take() == []
    error = Job.objects.get(pk=job_id).last_error
    assert error.startswith("broken �")
    assert len(error) == queue.ERROR_LENGTH


def test_final_failure(enqueue, take, clock):
    """A failure that no attempt can mend leads to the dead letters at once."""
    job_id = enqueue()
    claims.fail(take()[0], "bad payload", now=clock.now(), jitter=0, final=True)
    assert state(job_id) == JobState.DEAD


def test_requeue_gives_all_attempts_again(enqueue, take, clock):
    """A dead job that is requeued starts over, with a higher epoch."""
    job_id = enqueue(Broken())
    claims.fail(take()[0], "broken", now=clock.now(), jitter=0)
    queue.requeue(job_id, now=clock.now())
    (again,) = take()
    assert (again.id, again.attempt, again.epoch) == (job_id, 1, 2)


def test_requeue_beside_the_same_job(enqueue, take, clock):
    """A dead job is not requeued while another does the same work."""
    job_id = enqueue(Broken(), dedup_key="k")
    claims.fail(take()[0], "broken", now=clock.now(), jitter=0)
    enqueue(Broken(), dedup_key="k")
    with pytest.raises(SameJobWaits):
        queue.requeue(job_id, now=clock.now())
    assert state(job_id) == JobState.DEAD


def test_cancel_before_it_runs(enqueue, take, clock):
    """A cancelled job is not run; who cancelled it is kept."""
    job_id = enqueue()
    queue.cancel(job_id, by="curator", now=clock.now(), reason="not needed")
    assert take() == []
    assert Job.objects.get(pk=job_id).last_error == "Cancelled by curator: not needed"


def test_cancel_while_it_runs(enqueue, take, clock):
    """A running job that is cancelled cannot commit its effects."""
    job_id, effect = enqueue(), enqueue(Patient(), run_after=clock.now() + timedelta(days=1))
    (held,) = take()
    queue.cancel(job_id, by="curator", now=clock.now())
    with pytest.raises(Fenced), claims.finishing(held, now=clock.now()):
        Job.objects.filter(pk=effect).update(progress="written")
    assert Job.objects.get(pk=effect).progress == ""
    assert state(job_id) == JobState.CANCELLED


@pytest.mark.parametrize("origin", list(JobState))
def test_moves_are_those_of_the_table(enqueue, clock, origin):
    """From each state, only the moves of the table can be made from outside."""
    job_id = enqueue()
    lease = clock.now() + LEASE if origin == JobState.RUNNING else None
    Job.objects.filter(pk=job_id).update(state=origin, lease_until=lease)
    acts = {JobState.CANCELLED: lambda: queue.cancel(job_id, by="curator", now=clock.now())}
    if origin != JobState.RUNNING:  # back to ready is then the holder's move
        acts[JobState.READY] = lambda: queue.requeue(job_id, now=clock.now())
    for target, act in acts.items():
        if target in MOVES[origin]:
            with transaction.atomic():
                act()
                assert state(job_id) == target
                transaction.set_rollback(True)
        else:
            with pytest.raises(NotInThatState) as caught:
                act()
            assert origin.value in caught.value.what


def test_effects_and_completion_together(enqueue, take, clock):
    """What the finishing block writes is committed with the job's completion."""
    job_id, effect = enqueue(), enqueue(Patient(), run_after=clock.now() + timedelta(days=1))
    (held,) = take()
    with claims.finishing(held, now=clock.now()):
        Job.objects.filter(pk=effect).update(progress="written")
    assert state(job_id) == JobState.DONE
    assert Job.objects.get(pk=effect).progress == "written"


def test_neither_effects_nor_completion(enqueue, take, clock):
    """When the finishing block fails, nothing of it remains and the job is still held."""
    job_id, effect = enqueue(), enqueue(Patient(), run_after=clock.now() + timedelta(days=1))
    (held,) = take()

    def write_half():
        with claims.finishing(held, now=clock.now()):
            Job.objects.filter(pk=effect).update(progress="written")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert Job.objects.get(pk=effect).progress == ""
    assert state(job_id) == JobState.RUNNING
    claims.complete(held, now=clock.now())


def test_release_costs_no_attempt(enqueue, take, clock):
    """A job that is given back can be taken at once, in the same attempt but with a new epoch."""
    enqueue(Broken())
    (held,) = take()
    claims.release(held, now=clock.now())
    (again,) = take(owner="second#2")
    assert (again.attempt, again.epoch) == (1, 2)


def test_clock_set_back(enqueue, take, clock):
    """When the clock is set back, due jobs stay due, held ones stay held, and a heartbeat mends their lease."""
    enqueue(Effect(number=1))
    (held,) = take()
    waiting = enqueue(Effect(number=2))
    clock.set_back(3_600)
    assert ids(take(5, owner="second#2")) == [waiting]
    claims.heartbeat(held, now=clock.now(), lease=LEASE)
    clock.advance(60)
    assert held.id in ids(take(5, owner="second#2"))


def test_progress(enqueue, take):
    """Progress is kept within bounds and in storable words."""
    job_id = enqueue()
    (held,) = take()
    claims.report(held, percent=140, words="x\x00" + "y" * 300)
    row = Job.objects.get(pk=job_id)
    assert (row.percent, len(row.progress), "\x00" in row.progress) == (100, 200, False)


def test_forget_finished(enqueue, take, clock):
    """Jobs done long ago are forgotten; dead, recent and unfinished ones are kept."""
    done, dead, waiting = enqueue(), enqueue(), enqueue(run_after=clock.now() + timedelta(days=90))
    claims.complete(take()[0], now=clock.now())
    claims.fail(take()[0], "x", now=clock.now(), jitter=0, final=True)
    clock.advance(60)
    recent = enqueue()
    claims.complete(take()[0], now=clock.now())
    assert queue.forget_finished(before=clock.now()) == 1
    assert set(Job.objects.values_list("pk", flat=True)) == {dead, waiting, recent}
    assert done not in {dead, waiting, recent}

"""Payload classes and their runners."""

import dataclasses
from datetime import timedelta

import pytest

from opilio.agents import runners
from opilio.agents.context import Interrupted, RunContext, Stop
from opilio.agents.runners import RUNNERS, kinds_of
from opilio.jobs import claims, queue
from opilio.jobs.errors import BadPayload, Fenced
from opilio.jobs.models import Job
from opilio.jobs.payload import declared
from opilio.jobs.states import JobState
from opilio.kernel.clock import ManualClock
from tests.contracts.jobs_payloads import Effect, Patient

LEASE = timedelta(seconds=60)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def context(clock, db):
    queue.enqueue(Effect(number=3), now=clock.now())
    (claimed,) = claims.claim(owner="a#1", limit=1, now=clock.now(), lease=LEASE)
    return RunContext(claimed, clock=clock, lease=LEASE)


def test_every_payload_class_has_a_runner():
    """A class that is declared in the product but mapped to no runner would never be done."""
    ours = {payload for payload in declared() if payload.__module__.startswith("opilio.")}
    assert ours == set(RUNNERS)


def test_kinds_follow_from_the_runners():
    """An agent asks for the kinds of the classes that it has runners for."""
    assert kinds_of({Effect: print, Patient: print}) == {"test.effect", "test.patient"}


def test_runner_gets_payload_and_context(context):
    """The payload comes back as the object that was enqueued."""
    seen = []
    runners.run({Effect: lambda *given: seen.extend(given)}, context)
    assert seen == [Effect(number=3), context]


def test_no_runner(context):
    """A job without a runner is refused by name."""
    with pytest.raises(BadPayload) as caught:
        runners.run({}, context)
    assert "Effect" in str(caught.value)


def test_damaged_payload(context):
    """What was stored otherwise than declared does not reach the runner."""
    context.claimed = dataclasses.replace(context.claimed, document={"number": "three"})
    with pytest.raises(BadPayload) as caught:
        runners.run({Effect: lambda *_: pytest.fail("was run")}, context)
    assert "'number'" in str(caught.value)


def test_finishing(context):
    """After the finishing block the job is done and the context knows."""
    with context.finishing():
        assert not context.finished
    assert context.finished
    assert Job.objects.get().state == JobState.DONE


def test_finishing_too_late(context, clock):
    """A runner that lost its lease learns so before it writes."""
    clock.advance(60)
    claims.claim(owner="b#2", limit=1, now=clock.now(), lease=LEASE)
    with pytest.raises(Fenced), context.finishing():
        pytest.fail("the block was entered")
    assert not context.finished
    with pytest.raises(Fenced):
        context.heartbeat()


def test_heartbeat(context, clock):
    """A runner can renew its own lease."""
    clock.advance(30)
    context.heartbeat()
    assert Job.objects.get().lease_until == clock.now() + LEASE


def test_progress_is_written_once_a_second(context, clock):
    """Reports that come too fast are left out."""
    for percent in (1, 2, 3):
        context.progress(percent, f"page {percent}")
    assert Job.objects.get().percent == 1
    clock.advance(1)
    context.progress(4, "page 4")
    assert (Job.objects.get().percent, Job.objects.get().progress) == (4, "page 4")


def test_put_off(context, clock):
    """A runner can give its job back for later; the attempt does not count."""
    context.put_off(clock.now() + timedelta(seconds=300))
    assert context.finished
    row = Job.objects.get()
    assert (row.state, row.attempts, row.run_after) == (JobState.READY, 0, clock.now() + timedelta(seconds=300))


def test_told_to_stop(context):
    """A runner that is told to stop notices, and leaves where it checks."""
    context.check()
    assert not context.should_stop()
    assert not context.wait(0)
    context.tell(Stop.ORDER)
    assert context.should_stop()
    assert context.wait(60)
    with pytest.raises(Interrupted):
        context.check()


def test_a_lost_lease_outweighs(context):
    """The first reason to stop stays, unless the lease is lost."""
    context.tell(Stop.ORDER)
    context.tell(Stop.DRAIN)
    assert context.stop_reason is Stop.ORDER
    context.tell(Stop.LOST)
    assert context.stop_reason is Stop.LOST

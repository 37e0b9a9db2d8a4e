"""The heartbeat of an agent, one beat at a time."""

import threading
from datetime import timedelta

import pytest
from django.db import OperationalError

from opilio.agents.context import Stop
from opilio.agents.heart import Heart
from opilio.jobs import claims, commands, queue, roster
from opilio.jobs.models import Agent, Job
from opilio.jobs.states import AgentState, Order
from opilio.kernel.clock import ManualClock
from tests.contracts.jobs_payloads import Patient

pytestmark = pytest.mark.django_db

LEASE = timedelta(seconds=60)


class RecordedSlots:
    """Holds what it is given, and remembers what its runners were told."""

    def __init__(self, held):
        self._held = held
        self.told = []

    def held(self):
        return self._held

    def tell(self, job_id, reason):
        self.told.append((job_id, reason))

    def tell_all(self, reason):
        self.told.extend((claimed.id, reason) for claimed in self._held)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def me(clock):
    return roster.register(name="a", machine="m", pid=1, slots=2, version="0", kinds=[], now=clock.now())


@pytest.fixture
def slots(clock, me):
    for _ in range(2):
        queue.enqueue(Patient(), now=clock.now())
    return RecordedSlots(claims.claim(owner=me.owner, limit=2, now=clock.now(), lease=LEASE))


@pytest.fixture
def orders():
    return []


@pytest.fixture
def heart(clock, me, slots, orders):
    return Heart(
        me,
        slots=slots,
        clock=clock,
        lease=LEASE,
        state=lambda: AgentState.WORKING,
        obey=orders.append,
        ended=threading.Event(),
    )


def test_beat(heart, clock):
    """A beat renews the agent's entry and all leases."""
    clock.advance(20)
    heart.beat()
    assert Agent.objects.get().heartbeat_at == clock.now()
    assert set(Job.objects.values_list("lease_until", flat=True)) == {clock.now() + LEASE}


def test_lost_lease(heart, slots, clock):
    """The runner of a job that is no longer held is told, the others are not."""
    queue.cancel(slots.held()[0].id, by="curator", now=clock.now())
    heart.beat()
    assert slots.told == [(slots.held()[0].id, Stop.LOST)]


def test_commands(heart, slots, me, orders, clock):
    """Commands reach the agent and the runners, once."""
    commands.tell_agent(me.id, Order.PAUSE, by="operator", now=clock.now())
    commands.tell_job(slots.held()[1].id, Order.STOP, by="operator", now=clock.now())
    heart.beat()
    heart.beat()
    assert orders == [Order.PAUSE]
    assert slots.told == [(slots.held()[1].id, Stop.ORDER)]


def test_renewed_before_a_late_claim(heart, clock):
    """After the machine slept past its leases, they are renewed before anything is claimed."""
    before = clock.now()
    clock.advance(10)
    heart.renew_if_late()
    assert set(Job.objects.values_list("lease_until", flat=True)) == {before + LEASE}
    clock.advance(200)
    heart.renew_if_late()
    assert claims.claim(owner="b#2", limit=2, now=clock.now(), lease=LEASE) == []


def test_without_the_database(clock, heart, slots, monkeypatch):
    """An agent that cannot reach the database tells its runners to stop once a whole lease has passed."""
    waits = []

    def pass_time(pause):
        clock.advance(20)
        waits.append(pause)
        return len(waits) > 5

    def lost(*_, **__):
        raise OperationalError("away")

    monkeypatch.setattr(roster, "beat", lost)
    monkeypatch.setattr(heart._ended, "wait", pass_time)
    monkeypatch.setattr("opilio.agents.shield.connections.close_all", lambda: None)  # the test's own connection
    heart.run()
    assert {reason for _, reason in slots.told} == {Stop.LOST}
    assert {job_id for job_id, _ in slots.told} == {claimed.id for claimed in slots.held()}
    assert len(slots.told) == 2 * len([tick for tick in range(1, 6) if tick * 20 > LEASE.total_seconds()])
    assert max(waits) <= LEASE.total_seconds() / 3

"""The roster of agents and the commands to them."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from opilio.jobs import claims, commands, queue, roster
from opilio.jobs.errors import NoSuchAgent, NoSuchJob, NotInThatState, WrongOrder
from opilio.jobs.models import Agent, Command
from opilio.jobs.states import AgentState, JobState, Order
from opilio.kernel.clock import ManualClock
from tests.contracts.jobs_payloads import Patient

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def register(clock):
    def register(name="harvester"):
        return roster.register(
            name=name, machine="m", pid=7, slots=2, version="0.1", kinds=["test.b", "test.a"], now=clock.now()
        )

    return register


def test_each_run_signs_differently(register):
    """Two runs of an agent of one name are told apart by how they sign their leases."""
    first, second = register(), register()
    assert first.owner == f"harvester#{first.id}"
    assert first.owner != second.owner
    assert Agent.objects.get(pk=first.id).capabilities == ["test.a", "test.b"]


def test_silent_agents_are_lost_and_found(register, clock):
    """An agent that fell silent is marked lost; when it beats again, it is found."""
    silent, alive = register(), register()
    clock.advance(100)
    roster.beat(alive.id, state=AgentState.PAUSED, now=clock.now())
    assert roster.mark_lost(now=clock.now(), silence=timedelta(seconds=60)) == 1
    assert Agent.objects.get(pk=silent.id).state == AgentState.LOST
    assert Agent.objects.get(pk=alive.id).state == AgentState.PAUSED
    roster.beat(silent.id, state=AgentState.WORKING, now=clock.now())
    assert Agent.objects.get(pk=silent.id).ended is None


def test_stopped_agents_are_not_lost(register, clock):
    """An agent that signed off is not missed, and forgotten in time."""
    me = register()
    roster.sign_off(me.id, now=clock.now())
    clock.advance(100)
    assert roster.mark_lost(now=clock.now(), silence=timedelta(seconds=60)) == 0
    assert Agent.objects.get(pk=me.id).state == AgentState.STOPPED
    register()
    assert roster.forget(before=clock.now()) == 1
    assert Agent.objects.count() == 1


def test_unknown_agent(clock):
    """Only a registered agent can beat."""
    with pytest.raises(NoSuchAgent):
        roster.beat(5, state=AgentState.WORKING, now=clock.now())


def test_odd_names_are_storable(register):
    """A name from a strange machine does not break the roster."""
    assert "\x00" not in register("a\x00" + "b" * 100).owner


def test_commands_wait_until_obeyed(register, clock):
    """An agent finds what it and its jobs were told, oldest first, until it has obeyed."""
    me, other = register(), register()
    job_id = queue.enqueue(Patient(), now=clock.now()).id
    claims.claim(owner=me.owner, limit=1, now=clock.now(), lease=timedelta(seconds=60))
    first = commands.tell_agent(me.id, Order.PAUSE, by="operator", now=clock.now())
    clock.advance(1)
    commands.tell_agent(other.id, Order.DRAIN, by="operator", now=clock.now())
    second = commands.tell_job(job_id, Order.STOP, by="operator", now=clock.now())
    found = commands.waiting(me.id, [job_id])
    assert [(given.id, given.what, given.job) for given in found] == [
        (first, Order.PAUSE, None),
        (second, Order.STOP, job_id),
    ]
    commands.obeyed(first, now=clock.now())
    assert [given.id for given in commands.waiting(me.id, [job_id])] == [second]
    assert commands.waiting(me.id, []) == []


def test_commands_to_nobody(register, clock):
    """What cannot be obeyed is refused."""
    with pytest.raises(NoSuchAgent):
        commands.tell_agent(5, Order.PAUSE, by="operator", now=clock.now())
    with pytest.raises(NoSuchJob):
        commands.tell_job(5, Order.STOP, by="operator", now=clock.now())
    me = register()
    roster.sign_off(me.id, now=clock.now())
    with pytest.raises(NotInThatState):
        commands.tell_agent(me.id, Order.PAUSE, by="operator", now=clock.now())
    ready = queue.enqueue(Patient(), now=clock.now()).id
    with pytest.raises(NotInThatState):
        commands.tell_job(ready, Order.STOP, by="operator", now=clock.now())


def test_wrong_orders(register, clock):
    """An agent is not told what only a job can obey, nor the other way round."""
    with pytest.raises(WrongOrder) as caught:
        commands.tell_agent(register().id, Order.STOP, by="operator", now=clock.now())
    assert "drain, pause, resume" in str(caught.value)
    with pytest.raises(WrongOrder):
        commands.tell_job(5, Order.PAUSE, by="operator", now=clock.now())


def test_command_to_one(register, clock):
    """The database itself refuses a command to nobody."""
    with pytest.raises(IntegrityError), transaction.atomic():
        Command.objects.create(what=Order.PAUSE, by="operator", at=clock.now())


@pytest.mark.parametrize("choice", [*JobState, *AgentState, *Order])
def test_every_state_has_its_sentence(choice):
    """States and orders explain themselves."""
    assert choice.sentence.endswith(".")

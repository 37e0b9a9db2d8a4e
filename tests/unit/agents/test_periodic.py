"""Work that one agent of all does every so often."""

import threading
from datetime import timedelta

import pytest

from opilio.agents.chores import CHORES, forget_old_jobs, mark_lost_agents
from opilio.agents.periodic import Periodic, Rhythm, Turn
from opilio.jobs import claims, leases, queue, roster
from opilio.jobs.errors import Fenced
from opilio.jobs.models import Agent, Job, Lease
from opilio.jobs.states import AgentState
from opilio.kernel.clock import ManualClock
from opilio.kernel.settings import Settings
from tests.contracts.jobs_payloads import Patient

pytestmark = pytest.mark.django_db

SETTINGS = Settings(agent_lease_seconds=30)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def turns():
    return []


@pytest.fixture
def rhythm(clock, turns):
    periodic = Periodic(name="seal", every=lambda settings: settings.audit_seal_seconds, work=turns.append)

    def rhythm(owner):
        return Rhythm(periodic, owner=owner, settings=SETTINGS, clock=clock, ended=threading.Event())

    return rhythm


@pytest.fixture
def turn(clock):
    held = leases.acquire("periodic:x", owner="a#1", now=clock.now(), lease=timedelta(days=365))
    return Turn(held=held, clock=clock, settings=SETTINGS, should_stop=lambda: False)


def test_one_agent_takes_the_turns(rhythm, turns, clock):
    """While one agent takes turns, the others do not, however long it goes on."""
    first, second = rhythm("a#1"), rhythm("b#2")
    for _ in range(5):
        first.turn()
        second.turn()
        clock.advance(20)
    assert [turn.held.owner for turn in turns] == ["a#1"] * 5


def test_another_takes_over(rhythm, turns, clock):
    """When the agent falls silent, another takes over, and the first one's late writes are fenced."""
    first, second = rhythm("a#1"), rhythm("b#2")
    first.turn()
    clock.advance(30)
    second.turn()
    assert [turn.held.owner for turn in turns] == ["a#1", "b#2"]
    with pytest.raises(Fenced), turns[0].writing():
        pytest.fail("the late holder wrote")
    first.turn()
    assert len(turns) == 2


def test_given_back_at_the_end(rhythm, turns):
    """An agent that ends lets another take over at once."""
    first, second = rhythm("a#1"), rhythm("b#2")
    first.turn()
    first.give_back()
    first.give_back()
    second.turn()
    assert [turn.held.owner for turn in turns] == ["a#1", "b#2"]


def test_writing_under_the_lease(rhythm, turns):
    """The holder's writes count."""
    rhythm("a#1").turn()
    with turns[0].writing():
        Lease.objects.filter(name="periodic:seal").update(owner="a#1")


def test_lost_agents(turn, clock):
    """Agents silent for two leases are marked."""
    for seconds in (30, 31):
        roster.register(name="a", machine="m", pid=1, slots=1, version="0", kinds=[], now=clock.now())
        clock.advance(seconds)
    mark_lost_agents(turn)
    assert sorted(Agent.objects.values_list("state", flat=True)) == [AgentState.LOST, AgentState.WORKING]


def test_old_jobs(turn, clock):
    """What was finished a month ago is forgotten, in as many steps as it takes."""
    for _ in range(3):
        queue.enqueue(Patient(), now=clock.now())
    for claimed in claims.claim(owner="a#1", limit=2, now=clock.now(), lease=timedelta(seconds=60)):
        claims.complete(claimed, now=clock.now())
    clock.advance(29 * 86_400)
    forget_old_jobs(turn)
    assert Job.objects.count() == 3
    clock.advance(2 * 86_400)
    forget_old_jobs(turn)
    assert Job.objects.count() == 1


def test_chores_have_names_and_intervals():
    """No two chores share a lease, and each has an interval."""
    assert len({chore.name for chore in CHORES}) == len(CHORES)
    assert all(chore.every(SETTINGS) > 0 for chore in CHORES)

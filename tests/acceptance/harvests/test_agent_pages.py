"""The page of agents: who runs what, what they take, what they are told."""

import pytest

from opilio.curation.models import AgentRule
from opilio.curation.queries.agents import rule_of
from opilio.jobs import roster
from opilio.jobs.models import Agent, Command, Job
from opilio.jobs.states import AgentState, JobState
from opilio.kernel.clock import SYSTEM
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope


@pytest.fixture
def manager(enter):
    """Manages agents of the whole installation."""
    return enter("manager", privileges={Privilege.MANAGE_WEB_HARVESTER: Scope.ALL})


def _runs(desk, agent, harvest):
    Job(
        kind="curation.run_harvest", payload={"harvest": harvest.pk}, state=JobState.RUNNING, owner=agent.owner,
        run_after=desk.now, max_attempts=5, created=desk.now, lease_until=desk.now,
    ).save()  # fmt: skip


def test_without_an_agent_the_page_says_how_to_start_one(manager):
    """Nothing is harvested before."""
    assert "opilio agent" in manager.see("/agents")


def test_agents_are_shown_with_what_they_run(desk, manager, django_assert_max_num_queries):
    """State, machine, room, harvests, health, last heartbeat."""
    agent = desk.registered("barn")
    _runs(desk, agent, desk.harvest(desk.ready(name="Owls")))
    health = {"memory_free": 2048.0, "disk_free": 41.5, "load": 0.25}
    roster.beat(agent.id, state=AgentState.WORKING, now=desk.now, health=health)
    with django_assert_max_num_queries(15):
        page = manager.see("/agents")
    for word in ("barn", "working", "machine", "Owls", "2,048 MB", "41.5 %", "harvests of all agencies"):
        assert word in page, word


def test_harvests_that_one_may_not_see_are_only_counted(desk, enter, town):
    """A manager of one agency learns nothing of another's targets."""
    agent = desk.registered("barn")
    _runs(desk, agent, desk.harvest(desk.ready(name="Foxes", agency=town.museum)))
    page = enter("manager", privileges={Privilege.MANAGE_WEB_HARVESTER: Scope.AGENCY}).see("/agents")
    assert "Foxes" not in page
    assert "1 other job" in page
    assert "Pause" not in page


def test_a_command_is_given_and_told(desk, manager):
    """It waits for the next heartbeat, and is audited."""
    agent = desk.registered("barn")
    for verb in ("pause", "drain"):
        assert manager.send(f"/agents/{agent.id}/command/{verb}").status_code == 302
    assert list(Command.objects.order_by("id").values_list("what", flat=True)) == ["pause", "drain"]
    assert AuditEntry.objects.filter(action="agent.command", subject_name=str(Agent.objects.get())).exists()
    assert "told: pause, drain" in manager.see("/agents")


def test_commands_that_cannot_be_given(desk, manager, enter):
    """To a dead agent, to none, of another kind, or without the privilege over everything."""
    agent = desk.registered("barn")
    assert manager.send(f"/agents/{agent.id}/command/stop").status_code == 404
    assert manager.send("/agents/99/command/pause").status_code == 404
    local = enter("local", privileges={Privilege.MANAGE_WEB_HARVESTER: Scope.AGENCY})
    assert local.send(f"/agents/{agent.id}/command/pause").status_code == 403
    roster.sign_off(agent.id, now=SYSTEM.now())
    assert manager.send(f"/agents/{agent.id}/command/pause").status_code == 409
    assert not Command.objects.exists()


def test_a_rule_is_made_and_changed(desk, manager, town):
    """For a name: whether it takes harvests, and whose."""
    manager.send("/agents/rule", {"name": "barn", "accepting": "on", "agencies": [town.museum.id], "note": "theirs"})
    assert rule_of("barn").tags == {f"agency {town.museum.id}"}
    page = manager.see("/agents/rule", name="barn")
    assert "theirs" in page
    manager.send("/agents/rule?name=barn", {"name": "barn", "version": "1", "note": "repairs"})
    assert rule_of("barn").accepting is False
    assert rule_of("barn").tags is None
    stale = manager.send("/agents/rule?name=barn", {"name": "barn", "version": "1", "accepting": "on", "note": ""})
    assert stale.status_code == 409
    assert AgentRule.objects.count() == 1
    assert "Rules for agents that are not here" in manager.see("/agents")


def test_rules_that_cannot_be_used(desk, manager):
    """Are told beside the field."""
    long, unknown = {"name": "b", "note": "y" * 1001}, {"name": "barn", "agencies": ["7"]}
    for data in ({"name": ""}, {"name": "x" * 65}, unknown, long):
        assert manager.send("/agents/rule", data).status_code == 422
    assert not AgentRule.objects.exists()


def test_hostile_names_are_shown_as_text(desk, manager):
    """An agent says its name itself."""
    desk.registered("<b>&\u202e🕷")
    manager.send("/agents/rule", {"name": "<i>x", "note": "<script>"})
    page = manager.see("/agents")
    assert "<b>&" not in page
    assert "<i>x" not in page
    assert "<script>" not in page.replace("<script src", "")

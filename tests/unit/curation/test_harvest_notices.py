"""Who is told what about harvests and agents, by which switch, with a way to it; and which tasks go again."""

import ast
import datetime
import re
from dataclasses import replace
from pathlib import Path

import pytest

from opilio.agents.chores import mark_lost_agents
from opilio.agents.harvest_chores import watch_health
from opilio.agents.periodic import Turn
from opilio.curation.actions import (
    harvest_care,
    harvest_queue,
    harvest_running,
    harvester_health,
    permissions,
    target_moves,
)
from opilio.curation.actions.bandwidth import create_restriction
from opilio.curation.models import Harvest, HarvestState, State
from opilio.jobs import roster
from opilio.jobs.models import Job
from opilio.jobs.states import AgentState, JobState
from opilio.kernel.settings import Settings
from opilio.people.actions.rows import delete_row
from opilio.people.models import Notification, OutboxMessage, Task
from opilio.people.privileges import Privilege, Scope
from opilio.people.row_pages import path_of
from tests.harvest_desk import HOUR, NETWORK, HarvestDesk

ROOT = Path(__file__).parents[3]
GENERAL, WARNING = "general", "warning"


@pytest.fixture
def desk(db):
    return HarvestDesk()


def _owned(desk, **switches):
    return desk.ready(owner=desk.town.user("owner", email="owner@archive.example", **switches))


def _complete(desk, target):
    made = desk.harvest(target, state=HarvestState.STOPPING)
    harvest_running.keep(desk.town.system, harvest_id=made.pk, agent="barn", reason="done", files=[])


def _queued(desk, target):
    harvest_queue.consider_due(desk.town.system, harvest_id=desk.harvest(target).pk, network=NETWORK)


def _without_right(deferrals):
    def happen(desk, target):
        target.seeds.get().links.all().delete()
        made = desk.harvest(target, deferrals=deferrals)
        harvest_queue.consider_due(desk.town.system, harvest_id=made.pk, network=NETWORK)

    return happen


def _aborted(desk, target):
    made = desk.harvest(target, state=HarvestState.RUNNING)
    harvest_running.give_up(desk.town.system, harvest_id=made.pk, agent="barn", reason="no room", ordered=False)


def _dropped(desk, target):
    made = desk.harvest(target)
    type(target).objects.filter(pk=target.pk).update(state=State.CANCELLED)  # while the plan stayed
    harvest_queue.consider_due(desk.town.system, harvest_id=made.pk, network=NETWORK)


def _healed_in_vain(desk, target):
    made = desk.harvest(target)
    harvest_queue.launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    for _ in range(harvest_care.MOST_HEALINGS + 1):
        Job.objects.update(state=JobState.DEAD, last_error="no room")
        harvest_care.heal(desk.town.system, harvest_id=made.pk)


def _late(desk, target):
    made = desk.harvest(target, state=HarvestState.QUEUED, expected_until=desk.now - HOUR)
    harvest_care.flag_late(desk.town.system, harvest_id=made.pk)


def _trouble(desk, target):
    made = desk.harvest(target, state=HarvestState.STOPPING)
    for reason in ("The store is away.", "The disk is full."):
        harvest_running.trouble(desk.town.system, harvest_id=made.pk, agent="barn", reason=reason)


def _right_lost(desk, target):
    made = desk.harvest(target)
    harvest_queue.launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    harvest_running.begin(desk.town.system, harvest_id=made.pk, agent="barn")
    Notification.objects.all().delete()
    permission = target.seeds.get().links.get().permission
    permissions.reject_permission(desk.town.system, permission_id=permission.pk)


#: What the reference system calls it → what happens here, and the kind of the notice to the owner.
TO_THE_OWNER = {
    "tiComplete": (_complete, "harvest-complete"),
    "tiQueued": (_queued, "harvest-queued"),
    "tiRescheduled": (_without_right(0), "harvest-deferred"),
    "tiProcessError: failed for good": (_aborted, "harvest-aborted"),
    "tiProcessError: tried again": (_trouble, "harvest-trouble"),
    "given up before it began": (_dropped, "harvest-aborted"),
    "given up after healing": (_healed_in_vain, "harvest-aborted"),
    "put off too often": (_without_right(99), "harvest-held"),
    "late": (_late, "harvest-late"),
    "right lost while it ran": (_right_lost, "harvest-right-lost"),
}


@pytest.mark.parametrize("code", TO_THE_OWNER)
def test_the_owner_is_told_once_with_a_way_to_it(desk, settings, code):
    """As news of a thing of one's own, so that the switch for warnings has no say; by e-mail for whoever wants it."""
    settings.OPILIO = replace(settings.OPILIO, server_public_url="https://o.example/")
    happen, kind = TO_THE_OWNER[code]
    target = _owned(desk, notify_on_warnings=False, notifications_by_email=True)
    happen(desk, target)
    (notice,) = Notification.objects.filter(user_id=target.owner_id, kind=kind)
    harvest = Harvest.objects.latest("id")
    assert (notice.category, notice.resource_type, notice.resource_id) == (GENERAL, "harvest", harvest.pk)
    assert target.name in notice.subject
    letters = OutboxMessage.objects.filter(to="owner@archive.example", subject=notice.subject)
    assert f"https://o.example{path_of('harvest', harvest.pk)}\n" in letters.get().body


@pytest.mark.parametrize("code", TO_THE_OWNER)
def test_an_owner_who_wants_no_news_hears_nothing(desk, code):
    """The switch for news of one's own things drops them all."""
    happen, kind = TO_THE_OWNER[code]
    target = _owned(desk, notify_on_general=False, notify_on_warnings=True)
    happen(desk, target)
    assert not Notification.objects.filter(user_id=target.owner_id, kind=kind).exists()


@pytest.mark.parametrize(
    ("free", "told"),
    [(0, True), (1, False)],
)
def test_a_queued_harvest_is_told_of_only_when_it_must_wait(desk, free, told):
    """Where an agent has room, nobody is bothered."""
    if free:
        desk.registered(slots=free)
    _queued(desk, _owned(desk))
    assert Notification.objects.filter(kind="harvest-queued").exists() is told


def _keepers(desk):
    """Who looks after agents: two who want warnings, in two agencies, and one who does not."""
    held = {Privilege.MANAGE_WEB_HARVESTER: Scope.AGENCY}
    desk.town.user(privileges=held, notify_on_warnings=False)
    agencies = (desk.town.library, desk.town.museum)
    return [desk.town.user(agency=one, privileges=held, notify_on_warnings=True).id for one in agencies]


def _narrow(desk):
    if not Harvest.objects.exists():
        desk.harvest(state=HarvestState.RUNNING)
        for day in range(7):
            create_restriction(desk.town.system, day=day, start=datetime.time(), end=datetime.time(), limit=9)
    harvester_health.warn_narrow(desk.town.system)


#: What happens to the installation, by the kind of the warning.
HEALTH = {
    "agent-unwell": lambda desk: harvester_health.warn_unwell(desk.town.system, reasons={"barn": "its disk is full"}),
    "agent-lost": lambda desk: harvester_health.warn_lost(desk.town.system, agents=["barn"]),
    "line-narrow": _narrow,
}


@pytest.mark.parametrize("kind", HEALTH)
def test_those_who_look_after_agents_are_warned(desk, kind):
    """Of every agency; as a warning, which the switch drops; not again for some hours, though it goes on."""
    keepers = _keepers(desk)
    HEALTH[kind](desk)
    desk.town.clock.advance(3_600)
    HEALTH[kind](desk)
    told = Notification.objects.filter(kind=kind, category=WARNING)
    assert sorted(told.values_list("user_id", flat=True)) == sorted(keepers)
    desk.town.clock.advance(6 * 3_600)
    HEALTH[kind](desk)
    assert told.count() == 4


def test_trouble_of_a_harvest_warns_them_too(desk):
    """Once, though it has two reasons in a row; the owner hears it as news."""
    keepers = _keepers(desk)
    target = _owned(desk)
    _trouble(desk, target)
    told = Notification.objects.filter(kind="harvest-trouble").values_list("user_id", "category")
    assert sorted(told) == sorted([*((keeper, WARNING) for keeper in keepers), (target.owner_id, GENERAL)])


def _turn(desk):
    return Turn(held=None, clock=desk.town.clock, settings=Settings(), should_stop=lambda: False)


def test_the_chores_warn_of_what_the_roster_tells(desk):
    """An agent that fell silent, and one whose machine is unwell."""
    desk.town.user(privileges={Privilege.MANAGE_WEB_HARVESTER: Scope.ALL}, notify_on_warnings=True)
    silent = desk.registered("silent")
    desk.town.clock.advance(10_000)
    ill = desk.registered("ill")
    roster.beat(ill.id, state=AgentState.WORKING, now=desk.now, health={"unwell": "its disk is full"})
    mark_lost_agents(_turn(desk))
    watch_health(_turn(desk))
    subjects = set(Notification.objects.values_list("subject", flat=True))
    assert subjects == {"The agent silent fell silent", "The machine of the agent ill is unwell"}
    assert "its disk is full" in Notification.objects.get(kind="agent-unwell").message
    assert roster.silent(now=desk.now, silence=datetime.timedelta(seconds=60)) == []
    assert silent.id != ill.id


def test_a_line_that_is_wide_enough_warns_nobody(desk):
    """Nor one without limit, nor one that nobody shares."""
    desk.town.user(privileges={Privilege.MANAGE_WEB_HARVESTER: Scope.ALL}, notify_on_warnings=True)
    assert harvester_health.warn_narrow(desk.town.system) == 0
    desk.harvest(state=HarvestState.RUNNING)
    assert harvester_health.warn_narrow(desk.town.system) == 0


def _held(desk):
    target = _owned(desk)
    _without_right(99)(desk, target)
    assert Task.objects.filter(kind="harvest-held").count() == 1
    return target


def test_the_cap_of_deferrals_asks_those_who_can_decide(desk):
    """A task for those who manage harvests of the agency, about the harvest."""
    _held(desk)
    task = Task.objects.get(kind="harvest-held")
    harvest = Harvest.objects.get()
    assert (task.privilege, task.agency_id) == ("MANAGE_TARGET_INSTANCES", desk.town.library.id)
    assert (task.resource_type, task.resource_id) == ("harvest", harvest.pk)


@pytest.mark.parametrize(
    "end",
    [
        lambda desk, target: delete_row(desk.town.system, kind_name="harvest", row_id=Harvest.objects.get().pk),
        lambda desk, target: target_moves.cancel_target(desk.town.system, target_id=target.pk),
    ],
    ids=["deleted", "its target cancelled"],
)
def test_the_task_goes_with_what_it_asks_about(desk, end):
    """Nobody is asked to decide about a harvest that is not there any more."""
    target = _held(desk)
    end(desk, target)
    assert not Task.objects.filter(kind="harvest-held").exists()


def test_the_task_of_review_is_there_once(desk):
    """However often a harvest is kept, as after a take-over in the last moment."""
    target = _owned(desk)
    _complete(desk, target)
    assert Task.objects.filter(kind="endorse-harvest", privilege="ENDORSE_HARVEST").count() == 1


def _kinds_in_code():
    """The kinds that are told, wherever `notify`, `send_task` or one of their wrappers is called."""
    constants, found = {}, set()
    paths = [path for part in ("curation", "people") for path in (ROOT / "src" / "opilio" / part).rglob("*.py")]
    texts = [path.read_text("utf-8") for path in sorted(paths)]
    trees = [ast.parse(text) for text in texts if "people.intray import" in text]
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                constants |= {one.id: node.value.value for one in node.targets if isinstance(one, ast.Name)}
    for node in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        for word in node.keywords:
            if word.arg == "kind" and name in ("notify", "send_task", "partial"):
                found.add(constants.get(getattr(word.value, "id", ""), getattr(word.value, "value", None)))
        if name in ("_tell", "_warn"):
            found |= {one.value for one in node.args if isinstance(one, ast.Constant) and "-" in str(one.value)}
    return {kind for kind in found if isinstance(kind, str)}


def test_what_people_are_told_stands_in_the_how_to():
    """A task or notice that is added without a line in its table fails, and so does a line for one that is gone."""
    page = (ROOT / "docs" / "howto" / "be-told.md").read_text("utf-8")
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE))
    assert _kinds_in_code() <= listed
    text = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "src" / "opilio").rglob("*.py")))
    assert [kind for kind in sorted(listed) if f'"{kind}"' not in text] == []

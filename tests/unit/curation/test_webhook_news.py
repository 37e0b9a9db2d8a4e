"""Every event that a webhook can hear of is made by something that happens, and tells of it."""

import datetime

import pytest

from opilio.curation import harvest_log
from opilio.curation.actions import (
    harvest_care,
    harvest_queue,
    harvest_running,
    permissions,
    result_decisions,
    target_moves,
)
from opilio.curation.actions.rejection_reasons import create_reason
from opilio.curation.harvest_workflow import HARVESTS
from opilio.curation.models import Harvest, HarvestOrder, HarvestState, PermissionStatus, State
from opilio.curation.webhook_news import HARVEST_MOVES, SILENT_MOVES, TARGET_MOVES
from opilio.curation.workflow import TARGETS
from opilio.people.acting import action
from opilio.people.intray import send_task
from opilio.people.privileges import Privilege
from opilio.people.webhook_events import EVENTS
from tests.harvest_desk import HOUR, NETWORK
from tests.post_office import PostOffice
from tests.review_desk import ReviewDesk


@pytest.fixture
def desk(db):
    return ReviewDesk()


@pytest.fixture
def office(desk, settings):
    made = PostOffice(desk.town, settings)
    made.webhook(agency=desk.town.library)
    return made


def _queued(desk):
    harvest_queue.launch_harvest(desk.town.system, harvest_id=desk.harvest().pk, network=NETWORK)


def _started(desk):
    made = desk.harvest(state=HarvestState.QUEUED)
    harvest_running.begin(desk.town.system, harvest_id=made.pk, agent="barn")


def _obeyed(desk, state, what):
    order = HarvestOrder(harvest=desk.harvest(state=state), what=what, by="user", at=desk.now)
    order.save()
    harvest_running.obeyed(desk.town.system, order_id=order.pk, agent="barn")


def _harvested(desk):
    made = desk.harvest(state=HarvestState.STOPPING)
    harvest_running.keep(desk.town.system, harvest_id=made.pk, agent="barn", reason="done", files=[])


def _aborted(desk):
    made = desk.harvest(state=HarvestState.RUNNING)
    harvest_running.give_up(desk.town.system, harvest_id=made.pk, agent="barn", reason="no", ordered=False)


def _without_right(desk, deferrals):
    target = desk.ready()
    target.seeds.get().links.all().delete()
    made = desk.harvest(target, deferrals=deferrals)
    harvest_queue.consider_due(desk.town.system, harvest_id=made.pk, network=NETWORK)


def _late(desk):
    made = desk.harvest(state=HarvestState.QUEUED, expected_until=desk.now - HOUR)
    harvest_care.flag_late(desk.town.system, harvest_id=made.pk)


def _decided(desk, action):
    row = desk.permission("http://www.site.example/*", status=PermissionStatus.PENDING)
    action(desk.town.system, permission_id=row.id)


def _moved(desk, verb, state, **more):
    made = desk.approvable(state=state)
    target_moves.move_target(desk.town.system, target_id=made.pk, verb=verb, **more)


def _rejected(desk):
    reason = create_reason(desk.town.system, agency_id=desk.town.library.id, name="Spam", for_targets=True)
    _moved(desk, "reject", State.NOMINATED, reason_id=reason.pk)


def _endorsed(desk):
    result_decisions.endorse_harvest(desk.town.system, harvest_id=desk.harvested().pk, note="Good.")


def _harvest_rejected(desk):
    made = desk.harvested()
    result_decisions.reject_harvest(desk.town.system, harvest_id=made.pk, reason_id=desk.reason().pk)


@action("test.archived", "The depository has it.")
def _archive(act, row):
    act.require_that(True, "", "")
    harvest_log.moved(act, row, "archived", reason="It has it.")


def _task(desk):
    send_task(desk.town.system, kind="try", subject="Look", message="", privilege=Privilege.LOGIN,
              agency=desk.town.library.id)  # fmt: skip


#: Event → something that makes it happen, and what the message says of it.
PRODUCERS = {
    "harvest.queued": (_queued, {"state": "queued"}),
    "harvest.started": (_started, {"state": "running", "agent": "barn"}),
    "harvest.paused": (lambda desk: _obeyed(desk, HarvestState.RUNNING, "pause"), {"state": "paused"}),
    "harvest.resumed": (lambda desk: _obeyed(desk, HarvestState.PAUSED, "resume"), {"state": "running"}),
    "harvest.harvested": (_harvested, {"state": "harvested", "reason": "done"}),
    "harvest.aborted": (_aborted, {"state": "aborted", "reason": "no"}),
    "harvest.deferred": (lambda desk: _without_right(desk, 0), {"state": "scheduled"}),
    "harvest.held": (lambda desk: _without_right(desk, 99), {"state": "scheduled"}),
    "harvest.late": (_late, {"state": "queued"}),
    "harvest.endorsed": (_endorsed, {"state": "endorsed", "reason": "Good."}),
    "harvest.rejected": (_harvest_rejected, {"state": "rejected", "reason": "Mostly empty pages"}),
    "harvest.archived": (
        lambda desk: _archive(desk.town.system, desk.harvested(state=HarvestState.ARCHIVING)), {"state": "archived"},
    ),
    "result.endorsed": (_endorsed, {"number": 1, "reason": "Good."}),
    "permission.approved": (lambda desk: _decided(desk, permissions.approve_permission), {"end_date": None}),
    "permission.denied": (lambda desk: _decided(desk, permissions.reject_permission), {"start_date": "2020-01-01"}),
    "target.nominated": (lambda desk: _moved(desk, "nominate", State.PENDING), {"state": "nominated"}),
    "target.approved": (lambda desk: _moved(desk, "approve", State.NOMINATED), {"state": "approved"}),
    "target.rejected": (_rejected, {"state": "rejected"}),
    "target.cancelled": (lambda desk: _moved(desk, "cancel", State.APPROVED), {"state": "cancelled"}),
    "target.completed": (_harvested, {"state": "completed"}),
    "target.reinstated": (lambda desk: _moved(desk, "reinstate", State.CANCELLED), {"state": "reinstated"}),
    "task.created": (_task, {"kind": "try"}),
}  # fmt: skip


#: Made by delivery sessions: tests/acceptance/deliveries/test_partners.py.
ELSEWHERE = {"delivery.taken", "delivery.failed", "session.ended"}


@pytest.mark.parametrize("event", PRODUCERS)
def test_an_event_is_made_by_what_happens(desk, office, event):
    """The message says what happened to what, as it is afterwards, and leads to its page."""
    happen, said = PRODUCERS[event]
    happen(desk)
    row = office.message(event)
    assert row is not None, office.told()
    assert said.items() <= row.body["data"].items()
    kind = event.partition(".")[0]
    assert (row.subject_type, row.body["subject"]["kind"], row.body["event"]) == (kind, kind, event)
    assert row.body["agency"] == {"id": str(desk.town.library.id), "name": "Library"}
    assert datetime.datetime.fromisoformat(row.body["at"]) == desk.now.replace(microsecond=0)


def test_every_event_has_a_producer():
    """An event that nothing makes would be a promise that nobody keeps."""
    assert set(PRODUCERS) | ELSEWHERE == {event.name for event in EVENTS}


def test_every_move_is_told_or_left_out_with_a_reason():
    """Whoever adds a move to a machine decides what is heard of it."""
    assert {move.name for move in HARVESTS.moves} == set(HARVEST_MOVES) | set(SILENT_MOVES)
    assert not set(HARVEST_MOVES) & set(SILENT_MOVES)
    assert {move.name for move in TARGETS.moves} == set(TARGET_MOVES)
    assert all(SILENT_MOVES.values())


def test_a_harvest_tells_its_whole_way(desk, office):
    """From the queue to review, in order, each time as it is then."""
    made = desk.harvest()
    system = desk.town.system
    harvest_queue.launch_harvest(system, harvest_id=made.pk, network=NETWORK)
    harvest_running.begin(system, harvest_id=made.pk, agent="barn")
    harvest_running.finish(system, harvest_id=made.pk, agent="barn", reason="nothing waits")
    harvest_running.keep(system, harvest_id=made.pk, agent="barn", reason="nothing waits", files=[])
    heard = [event for event in office.told() if event.startswith("harvest.")]
    assert heard == ["harvest.queued", "harvest.started", "harvest.harvested"]
    data = office.message("harvest.harvested").body["data"]
    target = Harvest.objects.get(pk=made.pk).abstract_target
    assert data["target"] == {"id": str(target.pk), "name": target.name}
    assert None not in (data["started_at"], data["ended_at"])

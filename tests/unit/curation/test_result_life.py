"""How rows of results come about, are noted upon, undone, and serve as reference; and delisting."""

import datetime

import pytest

from opilio.curation import result_care
from opilio.curation.actions import harvest_running
from opilio.curation.actions.result_decisions import endorse_result
from opilio.curation.actions.results import (
    NoReference,
    adopt,
    delist,
    note_result,
    ready,
    set_reference,
    undo_result,
    undone,
)
from opilio.curation.models import Harvest, HarvestEvent, HarvestState, Result, ResultState, Schedule, State, Target
from opilio.curation.result_deciding import StillMade
from opilio.curation.result_undoing import NotUndoable
from opilio.jobs.models import Job
from opilio.people.errors import InvalidFields, Stale
from opilio.people.models import AuditEntry, Notification
from opilio.people.privileges import Privilege, Scope
from opilio.works.result_facts import ResultFacts
from tests.review_desk import ReviewDesk

FACTS = ResultFacts(resources=7, bytes=900, digest="cd" * 32, notes=())


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def reviewer(town):
    return town.actor(
        privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY, Privilege.ADD_SCHEDULE_TO_TARGET: Scope.AGENCY}
    )


def kinds():
    return set(Job.objects.values_list("kind", flat=True))


def result_of(harvest, number=1):
    return Result.objects.get(harvest=harvest, number=number)


def test_a_sealed_harvest_has_its_first_result(desk, town):
    """It is indexed first, then it waits for a decision and is assessed."""
    harvest = desk.harvest(state=HarvestState.STOPPING)
    harvest_running.keep(town.system, harvest_id=harvest.pk, agent="barn", reason="", files=[])
    row = result_of(harvest)
    assert (row.state, row.made_by_id, row.derived_from) == (ResultState.INDEXING, None, None)
    assert ready(town.system, harvest_id=harvest.pk, facts=FACTS)
    row.refresh_from_db()
    assert (row.state, row.resources, row.bytes, row.digest) == (ResultState.UNASSESSED, 7, 900, "cd" * 32)
    assert "curation.assess_result" in kinds()
    assert not ready(town.system, harvest_id=harvest.pk, facts=FACTS)


def test_a_harvest_without_a_row_is_adopted(desk, town):
    """If it was sealed here; one that came from another catalogue has no files and gets none."""
    ours, foreign = desk.harvest(state=HarvestState.HARVESTED), desk.harvest(state=HarvestState.HARVESTED)
    HarvestEvent(
        harvest=ours, number=1, at=desk.now, name="keep", source="stopping", target="harvested", by="system"
    ).save()
    assert result_care.look_after(town.system, should_stop=lambda: False) == 1
    assert [row.harvest_id for row in Result.objects.all()] == [ours.pk]
    assert not adopt(town.system, harvest_id=foreign.pk)
    assert result_care.look_after(town.system, should_stop=lambda: False) == 0


def test_a_result_that_the_index_does_not_take_is_reviewed_all_the_same(desk, town):
    """After a quarter of an hour."""
    harvest = desk.harvested(results=0)
    desk.result(harvest, state=ResultState.INDEXING)
    assert result_care.look_after(town.system, should_stop=lambda: False) == 0
    town.clock.advance(16 * 60)
    assert result_care.look_after(town.system, should_stop=lambda: False) == 1
    assert result_of(harvest).state == ResultState.UNASSESSED


def test_a_note_is_kept_with_its_result(desk, reviewer):
    """Within bounds, and not over the note of somebody else."""
    row = result_of(desk.harvested())
    hostile = "<b>‮مرحبا 🦉</b>" * 100
    assert note_result(reviewer, result_id=row.pk, note=hostile, version=row.version).provenance_note == hostile
    with pytest.raises(Stale):
        note_result(reviewer, result_id=row.pk, note="other", version=row.version)
    with pytest.raises(InvalidFields):
        note_result(reviewer, result_id=row.pk, note="x" * 32_001)


def test_the_newest_derived_result_is_undone_by_a_job(desk, town, reviewer):
    """Until it is, nobody can endorse it; then its number is never used again."""
    harvest = desk.harvested(results=2)
    row = result_of(harvest, 2)
    undo_result(reviewer, result_id=row.pk, why="Too much is gone.")
    assert "curation.undo_result" in kinds()
    with pytest.raises(StillMade, match="undone"):
        endorse_result(reviewer, result_id=row.pk)
    with pytest.raises(NotUndoable, match="already"):
        undo_result(reviewer, result_id=row.pk, why="Again.")
    undone(town.system, result_id=row.pk)
    undone(town.system, result_id=row.pk)
    row.refresh_from_db()
    assert (row.state, row.reason, row.change) == (ResultState.ABORTED, "Too much is gone.", {})
    endorse_result(reviewer, result_id=result_of(harvest).pk)


def test_what_cannot_be_undone_says_why(desk, reviewer):
    """The crawl's own result, one that is not the newest, one of a harvest that is decided, and without a reason."""
    harvest = desk.harvested(results=3)
    for number, words in ((1, "what the crawl captured"), (2, "not the newest")):
        with pytest.raises(NotUndoable, match=words):
            undo_result(reviewer, result_id=result_of(harvest, number).pk, why="x")
    with pytest.raises(InvalidFields):
        undo_result(reviewer, result_id=result_of(harvest, 3).pk, why=" ")
    endorse_result(reviewer, result_id=result_of(harvest, 1).pk)
    with pytest.raises(NotUndoable, match="endorsed"):
        undo_result(reviewer, result_id=result_of(harvest, 3).pk, why="x")


def test_a_refused_undoing_leaves_the_result(desk, town, reviewer):
    """Whoever asked hears why."""
    row = result_of(desk.harvested(results=2), 2)
    undo_result(reviewer, result_id=row.pk, why="x")
    undone(town.system, result_id=row.pk, refused="Another harvest needs it.")
    row.refresh_from_db()
    assert (row.state, row.change) == (ResultState.UNASSESSED, {})
    assert "Another harvest needs it." in row.reason
    assert Notification.objects.get(user_id=reviewer.user).kind == "result-kept"


def test_a_good_harvest_can_be_the_reference(desk, reviewer):
    """Of its target; one that was rejected cannot."""
    harvest = desk.harvested()
    set_reference(reviewer, harvest_id=harvest.pk)
    assert Target.objects.get(pk=harvest.abstract_target_id).reference_harvest_id == harvest.pk
    set_reference(reviewer, harvest_id=harvest.pk, reference=False)
    assert Target.objects.get(pk=harvest.abstract_target_id).reference_harvest_id is None
    bad = desk.harvested(state=HarvestState.REJECTED)
    with pytest.raises(NoReference, match="rejected"):
        set_reference(reviewer, harvest_id=bad.pk)


def test_delisting_ends_what_is_planned(desk, town, reviewer):
    """Schedules end now, planned harvests go, the target is complete, and the audit log has the reason."""
    target = desk.ready()
    schedule = desk.schedule(target)
    planned = desk.harvest(target, schedule=schedule, scheduled_at=desk.now + datetime.timedelta(days=7))
    kept = desk.harvested(target)
    with pytest.raises(InvalidFields):
        delist(reviewer, target_id=target.pk, reason="")
    delist(reviewer, target_id=target.pk, reason="Nothing changes any more.")
    assert Schedule.objects.get(pk=schedule.pk).end == desk.now
    assert set(Harvest.objects.values_list("pk", flat=True)) == {kept.pk}
    assert Target.objects.get(pk=target.pk).state == State.COMPLETED
    assert AuditEntry.objects.filter(message="Delisted: Nothing changes any more.").exists()
    assert planned.pk not in set(Harvest.everything.values_list("pk", flat=True))


def test_moves_are_told_in_the_log_of_the_harvest(desk, reviewer):
    """So that the log of a harvest tells the whole way, and can be replayed."""
    harvest = desk.harvested(results=2)
    endorse_result(reviewer, result_id=result_of(harvest, 2).pk)
    told = list(HarvestEvent.objects.filter(harvest=harvest).order_by("number").values_list("name", "reason"))
    assert told == [("result", "result 1: pass over; Result 2 was endorsed."), ("result", "result 2: endorse"),
                    ("endorse", "")]  # fmt: skip

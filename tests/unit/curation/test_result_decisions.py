"""Decisions about results, with all that follows from them."""

import pytest

from opilio.curation.actions.result_decisions import (
    NothingToDecide,
    endorse_harvest,
    endorse_result,
    reject_harvest,
    reject_result,
    unendorse_result,
)
from opilio.curation.models import (
    Advice,
    Assessment,
    Harvest,
    HarvestEvent,
    HarvestState,
    PageVerdict,
    PreservationEvent,
    Result,
    ResultState,
    ReviewPolicy,
)
from opilio.curation.result_deciding import SecondPersonNeeded, StillMade
from opilio.curation.result_marks import wanted_marks
from opilio.curation.workflow import NoSuchMove
from opilio.jobs.models import Job
from opilio.people.errors import InvalidFields, NotAllowed, Stale
from opilio.people.models import AuditEntry, Notification, Task
from opilio.people.privileges import Privilege, Scope
from tests.review_desk import ReviewDesk

BOTH = {Privilege.ENDORSE_HARVEST: Scope.AGENCY, Privilege.UNENDORSE_HARVEST: Scope.AGENCY}
HOSTILE = "<script>alert(1)</script> ‮ 🦉 " + "x" * 5_000


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def reviewer(town):
    return town.actor(privileges=BOTH)


def states(harvest):
    return [ResultState(state) for state in harvest.results.order_by("number").values_list("state", flat=True)]


def tasks():
    return sorted(Task.objects.values_list("kind", flat=True))


def result_of(harvest, number=1):
    return Result.objects.get(harvest=harvest, number=number)


def test_an_endorsed_result_takes_its_harvest_along(desk, reviewer):
    """The others are passed over, the archive is asked, the owner and programs hear it."""
    harvest = desk.harvested(results=3)
    endorse_result(reviewer, result_id=result_of(harvest, 2).pk, note="Good.")
    harvest.refresh_from_db()
    row = result_of(harvest, 2)
    assert states(harvest) == [ResultState.REJECTED, ResultState.ENDORSED, ResultState.REJECTED]
    assert (harvest.state, row.decided_by_id, row.reason) == (HarvestState.ENDORSED, reviewer.user, "Good.")
    assert tasks() == ["archive-harvest"]
    assert Notification.objects.get().kind == "harvest-endorsed"
    assert {"curation.mark_result", "curation.index_harvest"} <= set(Job.objects.values_list("kind", flat=True))
    assert PreservationEvent.objects.get(harvest=harvest).kind == "appraisal"
    assert HarvestEvent.objects.filter(harvest=harvest, name="endorse", by=reviewer.username).exists()


def test_the_audit_log_keeps_what_an_endorsement_stood_on(desk, reviewer):
    """The advice as it was, the digest of the result, and how many pages were looked at."""
    harvest = desk.harvested(results=0)
    row = desk.result(harvest, digest="ab" * 32)
    Assessment(
        result=row, made_at=desk.now, advice=Advice.LOOK, headline="Look at 2 pages.", digest="ab" * 32, pages=9
    ).save()
    PageVerdict(
        harvest=harvest, result=1, url="http://www.site.example/", key="k", cluster="c", verdict="good",
        by_id=reviewer.user, created=desk.now, updated=desk.now,
    ).save()  # fmt: skip
    endorse_result(reviewer, result_id=row.pk)
    (entry,) = [one for one in AuditEntry.objects.filter(action="result.endorse") if "evidence" in (one.after or {})]
    found = entry.after["evidence"]
    seen = found["coverage"]
    assert (found["advice"], found["digest"], seen["pages_seen"], seen["clusters_seen"]) == (
        "Look at pages", "ab" * 32, 1, 1,
    )  # fmt: skip


def test_the_second_of_two_reviewers_is_told(desk, town, reviewer):
    """Whoever saw an older version gets both, and a result that was decided is not decided again."""
    harvest = desk.harvested()
    row, reason = result_of(harvest), desk.reason()
    reject_result(reviewer, result_id=row.pk, reason_id=reason.pk, version=row.version)
    with pytest.raises(Stale):
        endorse_result(reviewer, result_id=row.pk, version=row.version)
    with pytest.raises(NoSuchMove, match="rejected"):
        endorse_result(reviewer, result_id=row.pk)


def test_the_last_rejection_rejects_the_harvest(desk, reviewer):
    """Not before: as long as a result is left, the harvest waits for review; then the clock of purging starts."""
    harvest, reason = desk.harvested(results=2), desk.reason()
    reject_result(reviewer, result_id=result_of(harvest, 1).pk, reason_id=reason.pk)
    harvest.refresh_from_db()
    assert (harvest.state, harvest.archived_at) == (HarvestState.HARVESTED, None)
    reject_result(reviewer, result_id=result_of(harvest, 2).pk, reason_id=reason.pk, note="Empty.")
    harvest.refresh_from_db()
    assert (harvest.state, harvest.archived_at) == (HarvestState.REJECTED, desk.now)
    assert result_of(harvest, 2).reason == "Mostly empty pages. Empty."
    assert tasks() == []
    assert Notification.objects.get().kind == "harvest-rejected"


@pytest.mark.parametrize("wrong", ["none", "other agency", "for targets only"])
def test_a_rejection_needs_a_reason_meant_for_harvests(desk, town, reviewer, wrong):
    """From the list of the harvest's agency."""
    harvest = desk.harvested()
    given = {
        "none": lambda: None,
        "other agency": lambda: desk.reason(agency=town.museum).pk,
        "for targets only": lambda: desk.reason(for_harvests=False).pk,
    }[wrong]()
    with pytest.raises(InvalidFields) as caught:
        reject_result(reviewer, result_id=result_of(harvest).pk, reason_id=given)
    assert "reason" in caught.value.messages
    assert states(harvest) == [ResultState.UNASSESSED]


def test_an_endorsement_can_be_taken_back(desk, reviewer):
    """Those that were passed over come back; what was rejected for a reason stays so; people are asked again."""
    harvest, reason = desk.harvested(results=3), desk.reason()
    reject_result(reviewer, result_id=result_of(harvest, 1).pk, reason_id=reason.pk)
    endorse_result(reviewer, result_id=result_of(harvest, 3).pk)
    unendorse_result(reviewer, result_id=result_of(harvest, 3).pk, note="A page is missing.")
    harvest.refresh_from_db()
    assert states(harvest) == [ResultState.REJECTED, ResultState.UNASSESSED, ResultState.UNASSESSED]
    assert harvest.state == HarvestState.HARVESTED
    assert (result_of(harvest, 3).decided_by_id, tasks()) == (None, ["endorse-harvest"])
    endorse_result(reviewer, result_id=result_of(harvest, 2).pk)
    assert states(harvest)[1] == ResultState.ENDORSED


def test_an_archived_harvest_keeps_its_endorsement(desk, reviewer):
    """The archive has it."""
    harvest = desk.harvested(results=0, state=HarvestState.ARCHIVED)
    row = desk.result(harvest, state=ResultState.ENDORSED)
    with pytest.raises(NoSuchMove):
        unendorse_result(reviewer, result_id=row.pk)
    assert states(harvest) == [ResultState.ENDORSED]


def test_two_people_must_agree_where_the_agency_wants_it(desk, town, reviewer):
    """The first endorsement is a proposal; the same person cannot confirm it, and the system cannot at all."""
    ReviewPolicy(agency=town.library, four_eyes=True, created=desk.now, updated=desk.now).save()
    harvest = desk.harvested()
    row = result_of(harvest)
    with pytest.raises(SecondPersonNeeded, match="two people"):
        endorse_result(town.system, result_id=row.pk)
    endorse_result(reviewer, result_id=row.pk, note="Looks good.")
    assert (states(harvest), tasks()) == ([ResultState.UNASSESSED], ["second-endorsement"])
    with pytest.raises(SecondPersonNeeded, match="already"):
        endorse_result(reviewer, result_id=row.pk)
    second = town.actor(privileges=BOTH)
    endorse_result(second, result_id=row.pk)
    row.refresh_from_db()
    assert (row.state, row.seconded_by_id, row.decided_by_id) == (ResultState.ENDORSED, reviewer.user, second.user)
    assert tasks() == ["archive-harvest"]


@pytest.mark.parametrize("state", [ResultState.CRAWLING, ResultState.MODIFYING])
def test_nothing_is_endorsed_while_a_result_is_made(desk, reviewer, state):
    """It could be the better one."""
    harvest = desk.harvested()
    desk.result(harvest, 2, state=state)
    with pytest.raises(StillMade, match="Result 2"):
        endorse_result(reviewer, result_id=result_of(harvest).pk)


def test_a_harvest_is_decided_as_a_whole_from_lists(desk, reviewer):
    """Endorsed with its newest result, rejected with all; one without a result that waits is refused."""
    one, other, reason = desk.harvested(results=2), desk.harvested(results=2), desk.reason()
    endorse_harvest(reviewer, harvest_id=one.pk)
    reject_harvest(reviewer, harvest_id=other.pk, reason_id=reason.pk)
    assert states(one) == [ResultState.REJECTED, ResultState.ENDORSED]
    assert states(other) == [ResultState.REJECTED, ResultState.REJECTED]
    assert Harvest.objects.get(pk=other.pk).state == HarvestState.REJECTED
    with pytest.raises(NothingToDecide):
        reject_harvest(reviewer, harvest_id=other.pk, reason_id=reason.pk)


def test_marks_follow_the_state(desk, reviewer):
    """What the archive has to protect; imported results have no files."""
    harvest = desk.harvested()
    row = result_of(harvest)
    assert not wanted_marks(row.pk).endorsed
    endorse_result(reviewer, result_id=row.pk)
    assert wanted_marks(row.pk).endorsed
    assert not wanted_marks(row.pk).archived
    Harvest.objects.filter(pk=harvest.pk).update(state=HarvestState.ARCHIVED)
    assert wanted_marks(row.pk).archived
    Result.objects.filter(pk=row.pk).update(imported=True)
    assert wanted_marks(row.pk) is None


def test_hostile_notes_are_kept_within_bounds(desk, reviewer):
    """Whatever is in them."""
    harvest = desk.harvested()
    endorse_result(reviewer, result_id=result_of(harvest).pk, note=HOSTILE)
    assert result_of(harvest).reason == HOSTILE.strip()[:4_000]


def test_others_agencies_are_out_of_reach(desk, town):
    """A reviewer of another agency cannot decide."""
    stranger = town.actor(agency=town.museum, privileges=BOTH)
    harvest = desk.harvested()
    with pytest.raises(NotAllowed):
        endorse_result(stranger, result_id=result_of(harvest).pk)

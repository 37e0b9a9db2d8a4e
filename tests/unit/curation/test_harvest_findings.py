"""What the end of a harvest tells about its site becomes rows, events and tasks."""

import datetime

import pytest

from opilio.curation.actions.harvest_revisits import examine
from opilio.curation.harvest_findings import keep_changes
from opilio.curation.models import HarvestChanges, HarvestEvent, HarvestState
from opilio.curation.queries import indexing
from opilio.curation.site_health import DEAD_AFTER, Finding, Trouble
from opilio.people.models import Notification, Task
from opilio.works.change_history import Tally
from tests.harvest_desk import HarvestDesk

DAY = datetime.timedelta(days=1)


@pytest.fixture
def desk(db):
    return HarvestDesk()


def _ended(desk, row, *findings, day=0):
    made = desk.harvest(row, state=HarvestState.HARVESTED, started_at=desk.now + day * DAY)
    examine(desk.town.system, harvest_id=made.pk, findings=findings)
    return made


def _kinds():
    return sorted(Task.objects.values_list("kind", flat=True))


def test_a_moved_site_is_asked_about_once(desk):
    """With its evidence; the task goes when a later harvest finds the site where its seeds say."""
    row = desk.ready()
    moved = Finding(trouble=Trouble.MOVED, evidence=["http://a.example/ leads to http://<b>.example/ for good."])
    _ended(desk, row, moved)
    made = _ended(desk, row, moved, day=1)
    task = Task.objects.get(kind="site-moved")
    assert (task.resource_type, task.resource_id, task.agency_id) == ("target", row.pk, row.agency_id)
    assert "leads to http://<b>.example/ for good" in task.message
    assert Notification.objects.filter(kind="site-moved", user_id=row.owner_id).count() == 1
    event = HarvestEvent.objects.get(harvest=made, name="health")
    assert list(event.details) == ["site-moved"]
    _ended(desk, row, day=2)
    assert _kinds() == []


def test_a_site_is_dead_after_several_harvests_in_a_row(desk):
    """One in between that answered begins the count anew; so the first ones ask nobody."""
    row = desk.ready()
    dead = Finding(trouble=Trouble.DEAD, evidence=["http://a.example/: dns."])
    plan = [dead] * (DEAD_AFTER - 1) + [None] + [dead] * (DEAD_AFTER - 1)
    for day, finding in enumerate(plan):
        _ended(desk, row, *([finding] if finding else []), day=day)
        assert _kinds() == []
    _ended(desk, row, dead, day=len(plan))
    assert _kinds() == ["site-dead"]


def test_troubles_of_other_targets_are_left_alone(desk):
    """A well site closes its own tasks only."""
    closed = Finding(trouble=Trouble.CLOSED, evidence=["status 401."])
    _ended(desk, desk.ready(), closed)
    _ended(desk, desk.ready())
    assert _kinds() == ["site-closed"]


def test_changes_are_kept_once(desk):
    """Counted again, they replace what was there; an earlier harvest that is gone is not named."""
    row = desk.ready()
    first, second = (desk.harvest(row, state=HarvestState.HARVESTED) for _ in range(2))
    keep_changes(second.pk, Tally(since=987_654, days=2, changed=1))
    keep_changes(second.pk, Tally(since=first.pk, days=7, same=3, changed=4, new=5, gone=6, not_modified=7))
    kept = HarvestChanges.objects.get(harvest=second)
    assert (kept.since_id, kept.days, kept.same, kept.changed, kept.new) == (first.pk, 7, 3, 4, 5)
    assert (kept.gone, kept.not_modified) == (6, 7)


def test_what_nobody_reviews_any_more_leaves_the_working_index(desk):
    """Archived, rejected, aborted, purged and unknown harvests."""
    row = desk.ready()
    kept = desk.harvest(row, state=HarvestState.ENDORSED)
    gone = [
        desk.harvest(row, state=HarvestState.ARCHIVED), desk.harvest(row, state=HarvestState.REJECTED),
        desk.harvest(row, state=HarvestState.HARVESTED, purged=True),
    ]  # fmt: skip
    numbers = {one.pk for one in gone} | {123_456}
    assert indexing.over({kept.pk, *numbers}) == numbers
    assert indexing.to_index(kept.pk).target == row.pk
    assert indexing.to_index(gone[0].pk) is None

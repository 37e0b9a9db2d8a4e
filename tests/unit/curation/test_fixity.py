"""Whose turn it is to be read, what an agent makes of it, and who hears of damage."""

import datetime
from types import SimpleNamespace

import pytest

from opilio.agents.fixity import check_fixity, check_what_is_due
from opilio.archive.store.disk import DiskStore
from opilio.curation.actions.fixity import order_check
from opilio.curation.fixity import CheckFixity, due
from opilio.curation.models import FixityCheck, Harvest, HarvestState, PreservationEvent
from opilio.curation.queries import fixity as queries
from opilio.jobs.models import Job
from opilio.kernel.errors import Conflict, Missing
from opilio.people.errors import NotAllowed
from opilio.people.models import Notification, Task, User
from opilio.people.privileges import Privilege, Scope
from opilio.works.archive_results import archive_results
from tests.review_desk import ReviewDesk, at_home

DAY = datetime.timedelta(days=1)


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


def _run(town, harvest):
    context = SimpleNamespace(clock=town.clock, check=lambda: None, progress=lambda percent, words: None)
    check_fixity(CheckFixity(harvest=harvest.pk), context)


def _spoil(home, harvest):
    path = next((home / "harvests" / str(harvest.pk) / "warcs").glob("*.warc.gz"))
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(data)
    return path


def _archivist(town):
    made = town.user(
        "archivist", privileges={Privilege.ARCHIVE_HARVEST: Scope.AGENCY}, email="archivist@library.example"
    )
    User.objects.filter(pk=made.pk).update(notify_on_warnings=True)
    return made


def test_a_sound_harvest_is_written_down(desk, town, home):
    """A row with numbers, and an event of preservation for each result."""
    made = desk.sealed(home, results=2)
    _run(town, made)
    row = FixityCheck.objects.get()
    assert (row.place, row.files, row.damaged, row.failure) == ("harvest folder", 3, 0, "")
    assert row.bytes > 10_000
    events = PreservationEvent.objects.filter(harvest=made, kind="fixity check")
    assert [(event.result, event.outcome) for event in events] == [(1, "success"), (2, "success")]
    assert not Task.objects.exists()


def test_damage_without_another_copy_is_a_task_and_a_warning(desk, town, home):
    """Those who archive are asked, the owner is told, and the result's page can say it; until it is whole again."""
    archivist = _archivist(town)
    made = desk.sealed(home)
    path = _spoil(home, made)
    _run(town, made)
    task = Task.objects.get(kind="fixity-damage")
    assert (task.resource_id, task.agency_id) == (made.pk, made.agency_id)
    assert path.name in task.message
    assert set(Notification.objects.values_list("user_id", "category")) >= {(archivist.pk, "warning")}
    (told,) = queries.damage(made.pk)
    assert path.name in told
    assert queries.standing(town.system).damaged == 1
    _run(town, made)
    assert Task.objects.filter(kind="fixity-damage").count() == 1
    _spoil(home, made)  # the same bit again: it is whole
    _run(town, made)
    assert not Task.objects.exists()
    assert not queries.damage(made.pk)


def test_damage_is_mended_from_the_archive(desk, town, home):
    """The row says so, the outcome is a warning, and nobody has to do anything."""
    _archivist(town)
    made = desk.sealed(home, state=HarvestState.ARCHIVED)
    archive_results(home / "harvests" / str(made.pk), DiskStore(home / "archive"), user="archivist")
    whole = _spoil(home, made)
    _run(town, made)
    first, second = FixityCheck.objects.order_by("id")
    assert (first.damaged, first.repaired, second.place, second.damaged) == (1, 1, "archive", 0)
    assert first.details[0]["repaired"]
    assert whole.is_file()
    assert not Task.objects.exists()
    assert Notification.objects.filter(kind="fixity-damage").exists()
    assert PreservationEvent.objects.filter(kind="fixity check", outcome="warning").count() == 1


def test_repairing_can_be_switched_off(desk, town, home):
    """Then the damage stays, and is told."""
    town.parameter("fixity_repair", "no")
    made = desk.sealed(home, state=HarvestState.ARCHIVED)
    archive_results(home / "harvests" / str(made.pk), DiskStore(home / "archive"), user="archivist")
    _spoil(home, made)
    _run(town, made)
    assert FixityCheck.objects.get(place="harvest folder").repaired == 0


def test_a_harvest_that_is_elsewhere_is_told(desk, town, home):
    """The job is tried again by an agent that has it."""
    with pytest.raises(Missing, match="no copy"):
        _run(town, desk.harvested())
    assert not FixityCheck.objects.exists()


def test_each_has_its_turn(desk, town):
    """Never-read ones first, then those whose last reading is too old; nothing when the days are 0."""
    made = [desk.harvested() for _ in range(3)]
    desk.harvested(state=HarvestState.ABORTED)
    assert list(due(town.clock.now())) == [made[0].pk]
    for each in made:
        FixityCheck(harvest=each, place="harvest folder", begun_at=desk.now, ended_at=desk.now).save()
    assert not due(town.clock.now() + 89 * DAY)
    assert list(due(town.clock.now() + 91 * DAY)) == [made[0].pk]
    town.parameter("fixity_days", "0")
    assert not due(town.clock.now() + 9_000 * DAY)


def test_the_chore_orders_readings(desk, town):
    """One job for each harvest, however often it looks."""
    made = desk.harvested()
    turn = SimpleNamespace(clock=town.clock, should_stop=lambda: False)
    for _ in range(2):
        check_what_is_due(turn)
    assert [job.dedup_key for job in Job.objects.all()] == [str(made.pk)]


def test_people_order_a_reading(desk, town):
    """Whoever archives may; others, and for what is not kept, may not."""
    made = desk.harvested()
    actor = town.actor(privileges={Privilege.ARCHIVE_HARVEST: Scope.AGENCY})
    order_check(actor, harvest_id=made.pk)
    assert Job.objects.count() == 1
    Harvest.objects.filter(pk=made.pk).update(state=HarvestState.REJECTED)
    with pytest.raises(Conflict, match="rejected"):
        order_check(actor, harvest_id=made.pk)
    with pytest.raises(NotAllowed):
        order_check(town.actor(privileges={}), harvest_id=made.pk)


def test_days_are_summed_for_the_plot(desk, town):
    """Bytes and damage of one day are one point."""
    made = desk.harvested()
    for size in (5, 7):
        FixityCheck(
            harvest=made, place="archive", begun_at=desk.now, ended_at=desk.now, bytes=size, damaged=1, repaired=1
        ).save()
    (point,) = queries.days(town.system)
    assert (point.bytes, point.damaged) == (12, 2)

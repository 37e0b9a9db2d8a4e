"""When data may be purged, who may order it, and what an agent makes of the order."""

import contextlib
import datetime
from types import SimpleNamespace

import pytest

from opilio.agents.purge import purge_harvest as run_purge
from opilio.agents.purge import purge_what_is_due
from opilio.curation.actions.purge import purge_harvest
from opilio.curation.models import (
    Deposit,
    Depository,
    DepositState,
    Harvest,
    HarvestEvent,
    HarvestState,
    PreservationEvent,
)
from opilio.curation.purging import PurgeHarvest, judged, standing_on
from opilio.curation.queries import purging
from opilio.jobs.models import Job
from opilio.kernel.errors import Conflict
from opilio.kernel.locks import locked
from opilio.people.errors import NotAllowed
from opilio.people.privileges import Privilege, Scope
from tests.review_desk import ReviewDesk, at_home, crawled

DAY = datetime.timedelta(days=1)


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


def _over(desk, state, days, **fields):
    made = desk.harvested(state=state, archived_at=desk.now, **fields)
    return made, desk.now + days * DAY


def _deposited(desk, harvest, state=DepositState.DONE, **receipt):
    place = Depository(name=f"Vault {harvest.pk}", place="/vault", **desk._moments())
    place.save()
    Deposit(
        harvest=harvest, result=1, depository=place, state=state, begun_at=desk.now, archive_id="vault-7",
        receipt={"check": {"files": 3}, **receipt}, **desk._moments(),
    ).save()  # fmt: skip


def _context(clock):
    moments = []
    return SimpleNamespace(clock=clock, put_off=moments.append, moments=moments, finishing=contextlib.nullcontext)


@pytest.mark.parametrize(("state", "days"), [(HarvestState.REJECTED, 14), (HarvestState.ABORTED, 7)])
def test_data_stays_for_its_days(desk, state, days):
    """Rejected data may go after two weeks, aborted data after one."""
    made, then = _over(desk, state, days)
    assert not judged(made, then - DAY / 2).allowed
    assert judged(made, then).allowed
    assert judged(made, then).due == then


def test_archived_data_waits_for_a_checked_receipt(desk):
    """Neither a deposit that failed nor a receipt that was found wrong lets the data go."""
    made, then = _over(desk, HarvestState.ARCHIVED, 14)
    _deposited(desk, made, DepositState.FAILED)
    assert "receipt" in judged(made, then).why_not
    Deposit.objects.update(state=DepositState.DONE, receipt={"answer": {"id": "vault-7"}})
    assert "receipt" in judged(made, then).why_not
    Deposit.objects.update(receipt={"check": {"files": 3}})
    assert judged(made, then).allowed


@pytest.mark.parametrize("state", [HarvestState.HARVESTED, HarvestState.ENDORSED, HarvestState.RUNNING])
def test_what_is_not_over_is_never_purged(desk, state):
    """However long ago it was."""
    made, then = _over(desk, state, 9_000)
    assert "only archived" in judged(made, then).why_not


def test_a_harvest_that_goes_by_it_holds_it(desk):
    """While a later harvest asks for what changed since, the earlier one stays."""
    made, then = _over(desk, HarvestState.REJECTED, 30)
    later = desk.harvest(state=HarvestState.RUNNING, since=made)
    assert str(later.pk) in judged(made, then).why_not
    Harvest.objects.filter(pk=later.pk).update(state=HarvestState.HARVESTED)
    assert judged(made, then).allowed


def test_the_parameters_say_how_long(desk, town):
    """An agency that wants to keep data for longer sets the days."""
    town.parameter("purge_aborted_days", "30")
    made, then = _over(desk, HarvestState.ABORTED, 7)
    assert not judged(made, then).allowed


def test_a_purge_is_ordered_and_done(desk, town, home):
    """The order is a job; the agent removes the data, and record, events and audit say so."""
    made = desk.sealed(home, state=HarvestState.REJECTED, archived_at=desk.now, results=2)
    town.clock.advance(15 * 86_400)
    actor = town.actor(privileges={Privilege.PURGE: Scope.AGENCY})
    row = purging.of_asker(actor, made.pk)
    found = purging.preview(actor, row)
    assert found.allowed
    assert found.files > 0
    purge_harvest(actor, harvest_id=made.pk)
    assert Job.objects.filter(kind="curation.purge_harvest").count() == 1
    run_purge(PurgeHarvest(harvest=made.pk, by=actor.username), _context(town.clock))
    made.refresh_from_db()
    assert (made.purged, made.purged_at) == (True, town.clock.now())
    assert not (home / "harvests" / str(made.pk) / "warcs").exists()
    assert [event.result for event in PreservationEvent.objects.filter(kind="deletion")] == [1, 2]
    told = HarvestEvent.objects.get(harvest=made, name="purged")
    assert actor.username in told.reason
    assert "already" in purging.preview(actor, made).why_not


def test_an_order_too_early_is_refused(desk, town):
    """With the day from which on it may."""
    made, _ = _over(desk, HarvestState.REJECTED, 14)
    actor = town.actor(privileges={Privilege.PURGE: Scope.AGENCY})
    with pytest.raises(Conflict, match="kept until"):
        purge_harvest(actor, harvest_id=made.pk)
    assert not Job.objects.exists()


def test_people_of_another_agency_may_not(desk, town):
    """The privilege ends at the agency."""
    made, _ = _over(desk, HarvestState.REJECTED, 14)
    other = town.actor(agency=town.museum, privileges={Privilege.PURGE: Scope.AGENCY})
    assert made not in purging.candidates(other)
    with pytest.raises(NotAllowed):
        purge_harvest(other, harvest_id=made.pk)


def test_a_folder_in_use_is_tried_again(desk, town, home):
    """The job waits and loses no attempt."""
    made = desk.sealed(home, state=HarvestState.ABORTED)
    town.clock.advance(8 * 86_400)
    context = _context(town.clock)
    with locked(home / "harvests" / str(made.pk) / "lock", purpose="sealing"):
        run_purge(PurgeHarvest(harvest=made.pk), context)
    assert len(context.moments) == 1
    made.refresh_from_db()
    assert not made.purged


def test_a_harvest_that_never_had_data_is_done_with(desk, town, home):
    """An aborted harvest without a folder is marked; nothing fails."""
    made, _ = _over(desk, HarvestState.ABORTED, 7)
    (home / "harvests").mkdir()
    town.clock.advance(8 * 86_400)
    run_purge(PurgeHarvest(harvest=made.pk), _context(town.clock))
    made.refresh_from_db()
    assert made.purged


def test_the_chore_orders_what_is_due_unless_switched_off(desk, town):
    """Rejected and aborted harvests only, as long as nobody wants archived ones too."""
    rejected, _ = _over(desk, HarvestState.REJECTED, 0)
    archived, _ = _over(desk, HarvestState.ARCHIVED, 0)
    _deposited(desk, archived)
    town.clock.advance(20 * 86_400)
    turn = SimpleNamespace(clock=town.clock, should_stop=lambda: False)
    town.parameter("purge_automatically", "no")
    purge_what_is_due(turn)
    assert not Job.objects.exists()
    town.parameter("purge_automatically", "yes")
    purge_what_is_due(turn)
    assert [job.dedup_key for job in Job.objects.all()] == [str(rejected.pk)]
    town.parameter("purge_archived_automatically", "yes")
    purge_what_is_due(turn)
    assert {job.dedup_key for job in Job.objects.all()} == {str(rejected.pk), str(archived.pk)}


def test_what_another_harvest_needs_is_named_and_stays(desk, town, home, monkeypatch):
    """The reason is written down once, and the preview shows it."""
    made = desk.sealed(home, state=HarvestState.REJECTED, archived_at=desk.now)
    later = desk.sealed(home, since=made)
    town.clock.advance(15 * 86_400)
    found = SimpleNamespace(
        crawl=str(home / "harvests" / str(later.pk)), original=SimpleNamespace(url=crawled().url("/owls.html"))
    )
    monkeypatch.setattr(
        "opilio.works.purge_harvest.dependents",
        lambda folder, others: iter([found] if str(later.pk) in {each.name for each in others} else []),
    )
    for _ in range(2):
        run_purge(PurgeHarvest(harvest=made.pk), _context(town.clock))
    made.refresh_from_db()
    assert not made.purged
    (told,) = HarvestEvent.objects.filter(harvest=made, name="purge-refused")
    assert f"harvest {later.pk} needs captures" in told.reason
    assert str(later.pk) in purging.preview(town.system, made).needed_by[0]


def test_followers_are_found_beyond_one_that_was_purged(desk, home):
    """However many there are in between; those without a result, or without data, refer to nothing."""
    first = desk.harvested(state=HarvestState.REJECTED)
    second = desk.harvested(state=HarvestState.REJECTED, since=first, purged=True)
    third = desk.harvested(since=second)
    desk.harvested(results=0, since=third)
    fourth = desk.harvested(since=third)
    assert [path.name for path in standing_on(first.pk)] == [str(third.pk), str(fourth.pk)]
    assert list(standing_on(fourth.pk)) == []


def test_a_follower_whose_data_lies_elsewhere_keeps_it(desk, town, home):
    """Nobody here can tell what it refers to: nothing is removed, and the preview says so."""
    made = desk.sealed(home, state=HarvestState.REJECTED, archived_at=desk.now)
    later = desk.harvested(since=made)
    town.clock.advance(15 * 86_400)
    run_purge(PurgeHarvest(harvest=made.pk), _context(town.clock))
    made.refresh_from_db()
    assert not made.purged
    assert (home / "harvests" / str(made.pk) / "warcs").is_dir()
    assert f"harvest {later.pk} went by it" in HarvestEvent.objects.get(harvest=made, name="purge-refused").reason
    found = purging.preview(town.system, made)
    assert (found.allowed, found.needed_by) == (False, (f"harvest {later.pk}, whose data is not on this machine",))

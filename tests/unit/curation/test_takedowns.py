"""Takedowns: who orders what, which rules they become, what agents destroy and prove, and when people are asked."""

import contextlib
import datetime
from types import SimpleNamespace

import pytest

from opilio.agents.takedowns import SAME, destroy_captures, look_after_takedowns
from opilio.archive.store.disk import DiskStore
from opilio.archive.store.ocfl.archive import Archive
from opilio.curation import takedown_checks
from opilio.curation.actions.takedowns import (
    confirm_takedown,
    lift_takedown,
    order_takedown,
    prove_takedown,
    review_takedown,
)
from opilio.curation.models import (
    Deposit,
    Depository,
    DepositState,
    Harvest,
    HarvestFile,
    HarvestState,
    PreservationEvent,
    Result,
    Takedown,
    TakedownProof,
    TakedownState,
)
from opilio.curation.queries import takedowns as queries
from opilio.curation.takedown_jobs import DestroyCaptures
from opilio.curation.takedown_rules import takedown_rules
from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.access import PUBLIC, Default, Reader, Rules, decide
from opilio.kernel.errors import Conflict
from opilio.kernel.locks import locked
from opilio.people.errors import InvalidFields, NotAllowed
from opilio.people.models import Task
from opilio.people.privileges import Privilege, Scope
from opilio.works.archive_results import archive_results, identifier_of
from opilio.works.run_harvest import HarvestFolder
from tests.review_desk import ReviewDesk, at_home, crawled
from tests.unit.works.test_redact_harvest import SECRET, unpacked_bytes

DAY = datetime.timedelta(days=1)


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def officer(town):
    return town.actor(username="officer", privileges={Privilege.TAKEDOWN: Scope.AGENCY})


@pytest.fixture
def second(town):
    return town.actor(username="second", privileges={Privilege.TAKEDOWN: Scope.AGENCY})


def _order(actor, town, **changes):
    given = {
        "agency_id": town.library.pk, "level": "block", "reach": "url", "value": "http://example.org/secret.html",
        "authority": "Court of the county", "reason": "Personal data of a child", "reference": "C 12/26", **changes,
    }  # fmt: skip
    return order_takedown(actor, **given)


def _decision(row, url, reader=PUBLIC, harvest="1"):
    return decide(
        Rules(takedown_rules(), default=Default.OPEN), url=url, captured=row.ordered_at, agency=str(row.agency_id),
        reader=reader, now=row.ordered_at, target="1", harvest=harvest,
    )  # fmt: skip


def _run(town):
    """All jobs of destructions, as an agent does them."""
    for job in Job.objects.filter(kind="curation.destroy_captures", state=JobState.READY).order_by("id"):
        takedown, harvest = (int(each) for each in job.dedup_key.split(":"))
        context = SimpleNamespace(clock=town.clock, put_off=lambda moment: None, finishing=lambda j=job: _finished(j))
        destroy_captures(DestroyCaptures(takedown=takedown, harvest=harvest), context)


@contextlib.contextmanager
def _finished(job):
    yield
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)


def test_a_block_is_a_rule_at_once(officer, town):
    """Nobody sees it, whoever they are; other URLs are untouched; lifting ends it."""
    row = _order(officer, town)
    staff = Reader(user="1", staff_of=frozenset({str(town.library.pk)}))
    for reader in (PUBLIC, staff):
        found = _decision(row, "http://example.org/secret.html", reader)
        assert (found.allowed, found.told) == (False, True)
    assert _decision(row, "http://example.org/other.html").allowed
    lift_takedown(officer, takedown_id=row.pk, why="The court changed its mind")
    assert _decision(row, "http://example.org/secret.html").allowed
    row.refresh_from_db()
    assert (row.state, row.lifted_by_id) == (TakedownState.LIFTED, officer.user)


def test_what_is_hidden_only_staff_sees(officer, town):
    """Readers do not even learn of it."""
    row = _order(officer, town, level="hide", reach="domain", value="example.org")
    found = _decision(row, "http://www.example.org/secret.html")
    assert (found.allowed, found.told) == (False, False)
    assert _decision(row, "http://example.org/", Reader(user="1", staff_of=frozenset({str(town.library.pk)}))).allowed


def test_a_destruction_needs_two_people_and_blocks_meanwhile(officer, second, town, desk):
    """The proposer cannot confirm; a task asks the others; confirmed, every harvest of the agency has its job."""
    made = desk.harvested()
    row = _order(officer, town, level="destroy")
    assert row.state == TakedownState.PROPOSED
    assert not _decision(row, "http://example.org/secret.html").allowed
    assert not Job.objects.exists()
    assert Task.objects.get().kind == "takedown-confirm"
    with pytest.raises(NotAllowed, match="own proposal"):
        confirm_takedown(officer, takedown_id=row.pk)
    confirm_takedown(second, takedown_id=row.pk)
    assert not Task.objects.exists()
    assert [job.dedup_key for job in Job.objects.all()] == [f"{row.pk}:{made.pk}"]
    with pytest.raises(Conflict, match="stays so"):
        lift_takedown(officer, takedown_id=row.pk, why="no")
    with pytest.raises(Conflict, match="proposal"):
        confirm_takedown(second, takedown_id=row.pk)


def test_a_proposal_can_be_taken_back(officer, town):
    """Nothing was destroyed."""
    row = _order(officer, town, level="destroy")
    lift_takedown(officer, takedown_id=row.pk, why="A mistake")
    assert _decision(row, "http://example.org/secret.html").allowed
    assert not Task.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"authority": "  "}, "authority"), ({"reason": ""}, "reason"), ({"level": "burn"}, "level"),
        ({"reach": "galaxy"}, "reach"), ({"value": ""}, "value"), ({"reach": "pattern", "value": "("}, "value"),
        ({"reach": "host", "value": "not a host/"}, "value"), ({"reach": "all"}, "reach"), ({"value": "*"}, "value"),
        ({"harvest_id": 99}, "harvest"), ({"target_id": 99}, "target"),
        ({"captured_from": datetime.datetime(2026, 2, 1, tzinfo=datetime.UTC),
          "captured_to": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)}, "captured_to"),
    ],
)  # fmt: skip
def test_an_order_that_cannot_be_meant_is_refused(officer, town, changes, field):
    """The field is named, and nothing is kept."""
    with pytest.raises(InvalidFields) as told:
        _order(officer, town, **changes)
    assert field in told.value.messages
    assert not Takedown.objects.exists()


def test_another_agency_is_out_of_reach(officer, town, desk):
    """Neither its captures nor its takedowns."""
    with pytest.raises(NotAllowed):
        _order(officer, town, agency_id=town.museum.pk)
    row = _order(town.system, town, agency_id=town.museum.pk)
    assert row not in queries.takedowns(officer)
    with pytest.raises(NotAllowed):
        lift_takedown(officer, takedown_id=row.pk, why="no")


def test_a_preview_counts_what_is_reached(officer, town, desk, home):
    """Each harvest with its captures; those without are left out."""
    made = desk.sealed(home, results=2)
    desk.sealed(home)
    row = _order(officer, town, value=crawled().url("/owls.html"), harvest_id=made.pk)
    found = queries.preview(row)
    assert (found.captures, found.of, found.more) == (1, 1, False)
    assert found.harvests[0].found.results == {1: 1, 2: 1}
    assert queries.preview(_order(officer, town)).captures == 0


def test_what_was_handed_over_is_named_before_and_open_after(officer, second, town, desk, home):
    """A depository that Opilio cannot reach into is a place of its own, until somebody wrote down what it did."""
    made = desk.sealed(home, state=HarvestState.ARCHIVED)
    vault = Depository(name="Vault", place="/vault", **desk._moments())
    vault.save()
    ours = Depository(name="Ours", place="store:", form="ocfl", **desk._moments())  # takedowns reach into it
    ours.save()
    for place in (vault, ours):
        Deposit(
            harvest=made, result=1, depository=place, state=DepositState.DONE, begun_at=desk.now, archive_id="vault-7",
            **desk._moments(),
        ).save()  # fmt: skip
    asked = takedown_checks.made(
        agency_id=town.library.pk, level="destroy", reach="url", value=crawled().url("/owls.html"), authority="Court",
        reason="Order",
    )  # fmt: skip
    assert asked.pk is None
    (place,) = queries.preview_for(officer, asked).deposits
    row = _order(officer, town, level="destroy", value=crawled().url("/owls.html"))
    confirm_takedown(second, takedown_id=row.pk)
    _run(town)
    assert {each.name: each.done for each in queries.places(row)}[place] is False
    prove_takedown(officer, takedown_id=row.pk, place=place, what="Vault wrote that it is gone")
    look_after_takedowns(SimpleNamespace(clock=town.clock, should_stop=lambda: False))
    assert {each.name: each.done for each in queries.places(row)}[place] is True


def test_destroyed_captures_are_gone_from_the_whole_home(officer, second, town, desk, home):
    """Folder, archive and every other place; the proofs say it, digests of the catalogue follow, other pages stay."""
    made = desk.sealed(home, results=2, state=HarvestState.ARCHIVED)
    other = desk.sealed(home)
    folder = home / "harvests" / str(made.pk)
    archive_results(folder, DiskStore(home / "archive"), user="archivist")
    assert any(SECRET in data for path, data in unpacked_bytes(home))
    row = _order(officer, town, level="destroy", value=crawled().url("/owls.html"))
    confirm_takedown(second, takedown_id=row.pk)
    _run(town)
    assert [path for path, data in unpacked_bytes(home) if SECRET in data] == []
    places = {place.name: place.done for place in queries.places(row)}
    assert places == {
        f"harvest {made.pk}": True, f"harvest {other.pk}": True, f"archive, harvest {made.pk}": True,
        "index generations": True, SAME: True, "backups": False,
    }  # fmt: skip
    kept = HarvestFile.objects.get(harvest=made)
    assert {kept.digest} == {each.digest for each in HarvestFolder(path=folder).files()}
    assert set(Result.objects.filter(harvest=made).values_list("digest", flat=True)).isdisjoint({""})
    assert PreservationEvent.objects.filter(harvest=made, kind="deletion").count() == 2
    inventory = Archive.open(DiskStore(home / "archive")).inventory(identifier_of(folder))
    assert inventory.head.number == 2
    row.refresh_from_db()
    assert row.state == TakedownState.IN_FORCE  # backups are still open
    prove_takedown(officer, takedown_id=row.pk, place="backups", what="The last tape was overwritten")
    turn = SimpleNamespace(clock=town.clock, should_stop=lambda: False)
    look_after_takedowns(turn)
    row.refresh_from_db()
    assert row.state == TakedownState.DONE
    told = queries.document(row)
    assert told["proofs"][0]["details"]["files"][0]["before"] != told["proofs"][0]["details"]["files"][0]["after"]


def test_the_same_bytes_at_another_url_are_found(officer, second, town, desk, home):
    """The order does not name them: people decide, and the takedown stays open until they did."""
    town.parameter("takedown_two_people", "no")
    first, other = desk.sealed(home), desk.sealed(home)
    row = _order(officer, town, level="destroy", value=crawled().url("/owls.html"), harvest_id=first.pk)
    assert row.state == TakedownState.IN_FORCE
    _run(town)
    proof = TakedownProof.objects.get(takedown=row, place=SAME)
    assert not proof.done
    assert f"/owls.html in harvest {other.pk}" in proof.what
    prove_takedown(officer, takedown_id=row.pk, place=SAME, what="Public there by agreement")
    turn = SimpleNamespace(clock=town.clock, should_stop=lambda: False)
    look_after_takedowns(turn)
    assert TakedownProof.objects.filter(takedown=row, place=SAME).count() == 2


def test_a_job_is_done_again_without_trace(officer, town, desk, home):
    """Whatever was written down the first time is not written twice."""
    town.parameter("takedown_two_people", "no")
    made = desk.sealed(home)
    row = _order(officer, town, level="destroy", value=crawled().url("/owls.html"))
    _run(town)
    before = (TakedownProof.objects.count(), PreservationEvent.objects.count())
    Job.objects.update(state=JobState.READY)
    _run(town)
    assert (TakedownProof.objects.count(), PreservationEvent.objects.count()) == before
    assert made.pk
    assert row.pk


def test_a_folder_in_use_is_waited_for(officer, town, desk, home):
    """The job is put off."""
    town.parameter("takedown_two_people", "no")
    made = desk.sealed(home)
    row = _order(officer, town, level="destroy", value=crawled().url("/owls.html"))
    moments = []
    context = SimpleNamespace(clock=town.clock, put_off=moments.append, finishing=contextlib.nullcontext)
    with locked(home / "harvests" / str(made.pk) / "lock", purpose="deriving"):
        destroy_captures(DestroyCaptures(takedown=row.pk, harvest=made.pk), context)
    assert len(moments) == 1
    assert not TakedownProof.objects.exists()


def test_a_day_of_review_makes_a_task(officer, town):
    """Once; looking at it closes the task and sets the next day."""
    row = _order(officer, town, review_on=town.clock.now().date() + 30 * DAY)
    turn = SimpleNamespace(clock=town.clock, should_stop=lambda: False)
    look_after_takedowns(turn)
    assert not Task.objects.exists()
    town.clock.advance(31 * 86_400)
    for _ in range(2):
        look_after_takedowns(turn)
    assert [task.kind for task in Task.objects.all()] == ["takedown-review"]
    later = town.clock.now().date() + 365 * DAY
    review_takedown(officer, takedown_id=row.pk, note="Still needed", review_on=later)
    row.refresh_from_db()
    assert (row.review_on, row.state) == (later, TakedownState.IN_FORCE)
    assert not Task.objects.exists()
    assert TakedownProof.objects.get(takedown=row).what == "Still needed"


def test_hostile_texts_are_kept_as_they_are(officer, town):
    """Markup, other directions and pictures are text; what is too long is refused."""
    row = _order(officer, town, reason="<script>x</script> ‮abc 🦉", reference="<b>1</b>")
    row.refresh_from_db()
    assert row.reason == "<script>x</script> ‮abc 🦉"
    with pytest.raises(InvalidFields):
        _order(officer, town, reason="x" * 4_001)


def test_everything_of_one_harvest_can_be_meant(officer, town, desk):
    """The rule is about its captures only."""
    made = desk.harvested()
    row = _order(officer, town, reach="all", value="", harvest_id=made.pk)
    assert not _decision(row, "http://example.org/", harvest=str(made.pk)).allowed
    assert _decision(row, "http://example.org/", harvest="5").allowed
    assert Harvest.objects.filter(pk=made.pk).exists()

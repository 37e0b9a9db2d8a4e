"""Archiving in rows: depositories with their rules, the form they ask, and what becomes of harvests."""

import pytest

from opilio.curation import deposit_questions
from opilio.curation.actions.depositories import create_depository, update_depository
from opilio.curation.actions.deposits import DepositOver, archive_harvest, give_up_deposit, retry_deposit
from opilio.curation.deposit_addresses import address_of
from opilio.curation.deposit_choice import OWN_NAME, NoDepository
from opilio.curation.deposit_takedowns import TakedownWaits, withheld
from opilio.curation.depositing import NoReferenceNumber, NothingEndorsed
from opilio.curation.models import (
    Deposit,
    Depository,
    Harvest,
    HarvestEvent,
    HarvestState,
    ResultState,
    ReviewPolicy,
    Takedown,
    Target,
)
from opilio.curation.queries import deposits as queries
from opilio.curation.workflow import NoSuchMove
from opilio.jobs.models import Job
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.errors import InvalidFields, NotAllowed, NotFound, Stale
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope
from tests.deposit_desk import DepositDesk
from tests.review_desk import at_home

HOSTILE = "<script>alert(1)</script> \u202e\N{GRINNING FACE}"


@pytest.fixture
def desk(db):
    return DepositDesk()


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def me(desk):
    return desk.archivist()


def endorsed(desk, **fields):
    """An endorsed harvest, rows only."""
    made = desk.harvested(results=0, state=HarvestState.ENDORSED, **fields)
    desk.result(made, state=ResultState.ENDORSED)
    return made


def test_a_harvest_is_archived_by_an_agent(desk, home, me):
    """The deposit waits, the harvest is archiving, and a job was made."""
    harvest = endorsed(desk)
    made = archive_harvest(me, harvest_id=harvest.pk)
    made.refresh_from_db()
    assert (made.state, made.by_id, made.result) == ("waiting", me.user, 1)
    assert Harvest.objects.get(pk=harvest.pk).state == "archiving"
    assert Job.objects.get(pk=made.job).kind == "curation.deposit_result"
    assert HarvestEvent.objects.filter(harvest=harvest, name="archive").count() == 1


@pytest.mark.parametrize("state", [HarvestState.HARVESTED, HarvestState.ARCHIVED, HarvestState.ARCHIVING])
def test_only_endorsed_harvests_are_archived(state, desk, home, me):
    """Two people who archive at once are told so."""
    harvest = endorsed(desk)
    Harvest.objects.filter(pk=harvest.pk).update(state=state)
    with pytest.raises(NoSuchMove):
        archive_harvest(me, harvest_id=harvest.pk)
    assert not Deposit.objects.exists()


def test_a_version_that_is_old_is_refused(desk, home, me):
    """Somebody else did something first."""
    harvest = endorsed(desk)
    with pytest.raises(Stale):
        archive_harvest(me, harvest_id=harvest.pk, version=harvest.version + 1)


@pytest.mark.parametrize("how", ["none", "purged", "imported"])
def test_what_has_no_data_is_not_archived(how, desk, home, me):
    """An endorsed result whose files are here is needed."""
    harvest = endorsed(desk)
    if how == "none":
        harvest.results.all().delete()
    elif how == "imported":
        harvest.results.update(imported=True)
    else:
        Harvest.objects.filter(pk=harvest.pk).update(purged=True)
    with pytest.raises(NothingEndorsed):
        archive_harvest(me, harvest_id=harvest.pk)


def test_an_agency_may_want_a_reference(desk, home, me):
    """Nothing is archived without one; it is filled in where the target has none, and nowhere else."""
    harvest = endorsed(desk)
    ReviewPolicy(agency_id=harvest.agency_id, reference_required=True, **desk._moments()).save()
    with pytest.raises(NoReferenceNumber):
        archive_harvest(me, harvest_id=harvest.pk)
    archive_harvest(me, harvest_id=harvest.pk, reference=" REF-7 ")
    assert Target.objects.get(pk=harvest.abstract_target_id).reference == "REF-7"
    other = endorsed(desk, row=Target.objects.get(pk=harvest.abstract_target_id))
    archive_harvest(me, harvest_id=other.pk, reference="REF-8")
    assert Target.objects.get(pk=harvest.abstract_target_id).reference == "REF-7"


def takedown(desk, harvest, level, **fields):
    """A takedown in the agency of a harvest."""
    given = {"state": "in-force", "reach": "url", "value": "http://owls.example/x", "authority": "A court",
             "reason": "Privacy", "ordered_at": desk.now, "agency_id": harvest.agency_id, **fields}  # fmt: skip
    Takedown(level=level, **given, **desk._moments()).save()


def test_what_is_to_be_destroyed_is_not_handed_over(desk, home, me):
    """Until that is done or lifted; other takedowns travel with the package."""
    harvest, other = endorsed(desk), endorsed(desk)
    takedown(desk, harvest, "hide")
    takedown(desk, harvest, "destroy", harvest_id=harvest.pk)
    with pytest.raises(TakedownWaits):
        archive_harvest(me, harvest_id=harvest.pk)
    archive_harvest(me, harvest_id=other.pk)
    Takedown.objects.filter(level="destroy").update(state="done")
    archive_harvest(me, harvest_id=harvest.pk)
    assert [one.level for one in withheld(harvest, desk.now)] == ["hide", "destroy"]
    assert [one.level for one in withheld(other, desk.now)] == ["hide"]


def test_the_preferred_depository_is_taken(desk, home, me):
    """Of the agency's own and of everybody's; others must be chosen."""
    desk.depository(home, name="Attic")
    first = desk.depository(home, name="Zinc cellar", preferred=True)
    assert archive_harvest(me, harvest_id=endorsed(desk).pk).depository_id == first.pk
    desk.depository(home, name="New cellar", preferred=True)
    first.refresh_from_db()
    assert not first.preferred


def test_another_agencys_depository_is_not_offered(desk, home, me):
    """Nor one that is switched off."""
    foreign = desk.depository(home, name="Foreign", agency_id=desk.town.museum.id)
    off = desk.depository(home, name="Off", active=False)
    for one in (foreign, off):
        with pytest.raises(InvalidFields, match="Choose a depository"):
            archive_harvest(me, harvest_id=endorsed(desk).pk, depository_id=one.pk)


def test_the_own_store_is_made_once(desk, home, me):
    """Switched off, nothing is archived until there is another."""
    archive_harvest(me, harvest_id=endorsed(desk).pk)
    archive_harvest(me, harvest_id=endorsed(desk).pk)
    assert Depository.objects.filter(name=OWN_NAME).count() == 1
    Depository.objects.update(active=False)
    with pytest.raises(NoDepository):
        archive_harvest(me, harvest_id=endorsed(desk).pk)


def test_what_failed_is_taken_up_again(desk, home, me):
    """With the same key; other answers make another deposit."""
    harvest = endorsed(desk)
    made = archive_harvest(me, harvest_id=harvest.pk)
    give_up_deposit(me, deposit_id=made.pk, reason=HOSTILE)
    made.refresh_from_db()
    assert HOSTILE in made.failure
    assert Job.objects.get(pk=made.job).state == "cancelled"
    again = archive_harvest(me, harvest_id=harvest.pk)
    assert (again.pk, again.package, Deposit.objects.count()) == (made.pk, made.package, 1)
    with pytest.raises(DepositOver):
        retry_deposit(me, deposit_id=made.pk)


def test_what_is_over_is_not_given_up(desk, home, me):
    """Nor is what never was."""
    made = archive_harvest(me, harvest_id=endorsed(desk).pk)
    give_up_deposit(me, deposit_id=made.pk)
    with pytest.raises(DepositOver):
        give_up_deposit(me, deposit_id=made.pk)
    with pytest.raises(NotFound):
        give_up_deposit(me, deposit_id=999)


def test_a_retry_is_for_the_result_that_is_endorsed(desk, home, me):
    """Another one may be endorsed by now."""
    harvest = endorsed(desk)
    made = archive_harvest(me, harvest_id=harvest.pk)
    give_up_deposit(me, deposit_id=made.pk)
    harvest.results.update(state=ResultState.REJECTED)
    desk.result(harvest, 2, state=ResultState.ENDORSED)
    with pytest.raises(DepositOver, match="Result 2"):
        retry_deposit(me, deposit_id=made.pk)


def test_a_secret_is_sealed_and_never_told(desk, home, me):
    """Not in the audit log either; for its own place only it is opened."""
    row = create_depository(
        me, name="Far", kind="http", place="https://archive.example/in", username="owl", secret="reed-password"
    )
    kept = bytes(Depository.objects.get(pk=row.pk).secret)
    assert b"reed-password" not in kept
    assert address_of(Depository.objects.get(pk=row.pk)).secret == "reed-password"
    assert "reed-password" not in str([(one.before, one.after) for one in AuditEntry.objects.all()])
    assert "reed-password" not in repr(address_of(row))


def test_whoever_changes_where_a_secret_goes_must_know_it(desk, home, me):
    """Other changes leave it as it is."""
    row = create_depository(me, name="Far", kind="http", place="https://archive.example/in", secret="reed")
    with pytest.raises(InvalidFields, match="Enter it again"):
        update_depository(me, depository_id=row.pk, version=1, place="https://evil.example/in")
    update_depository(me, depository_id=row.pk, version=1, name="Far away")
    assert address_of(Depository.objects.get(pk=row.pk)).secret == "reed"
    update_depository(me, depository_id=row.pk, version=2, place="https://other.example/in", secret="new")
    assert address_of(Depository.objects.get(pk=row.pk)).secret == "new"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"place": "/etc"}, "place"), ({"place": "../x"}, "place"), ({"kind": "pigeon"}, "place"),
        ({"kind": "command", "place": "/bin/sh"}, "place"), ({"kind": "http", "place": "javascript:1"}, "place"),
        ({"kind": "s3", "place": "s3://bucket"}, "place"), ({"form": "tar"}, "form"), ({"timeout": 0}, "timeout"),
        ({"timeout": 10**9}, "timeout"), ({"questions": [{"name": "A B", "label": ""}]}, "questions"),
        ({"name": ""}, "name"), ({"name": "x" * 300}, "name"), ({"place": "x" * 3_000}, "place"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_depository_is_told_by_field(given, field, desk, home, me):
    """With what to do instead."""
    good = {"name": "Cellar", "kind": "directory", "place": str(home / "depositories/a"), "form": "bag"}
    with pytest.raises(InvalidFields) as told:
        create_depository(me, **{**good, **given})
    assert field in told.value.messages


def test_names_are_unique_while_they_are_used(desk, home, me):
    """A deleted one gives its name back, and can be restored under it."""
    row = desk.depository(home)
    with pytest.raises(InvalidFields, match="already"):
        desk.depository(home)
    delete_row(me, kind_name="depository", row_id=row.pk)
    restore_row(me, kind_name="depository", row_id=row.pk)
    assert queries.depository(me, row.pk).name == "Cellar"


def test_a_trial_says_what_was_found(desk, home, me):
    """Whoever may not manage depositories does not see them."""
    row = desk.depository(home)
    assert "can be written to" in queries.probe(me, row.pk)
    with pytest.raises(NotFound):
        queries.probe(desk.town.actor(privileges={Privilege.ARCHIVE_HARVEST: Scope.AGENCY}), row.pk)


def test_deposits_of_other_agencies_are_hidden(desk, home, me):
    """As their harvests are."""
    made = archive_harvest(me, harvest_id=endorsed(desk).pk)
    stranger = desk.archivist(agency=desk.town.museum)
    assert queries.deposit(me, made.pk).pk == made.pk
    with pytest.raises(NotFound):
        queries.deposit(stranger, made.pk)
    with pytest.raises(NotAllowed):
        retry_deposit(stranger, deposit_id=made.pk)


ASKED = deposit_questions.questions([
    {"name": "series", "label": "Series", "required": True},
    {"name": "kind", "label": "Kind", "kind": "choice", "choices": ["a", "b"]},
    {"name": "number", "label": "Number", "kind": "number"}, {"name": "day", "label": "Day", "kind": "date"},
    {"name": "open", "label": "Open", "kind": "yes-no"}, {"name": "note", "label": "Note", "kind": "long"},
])  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ({"series": "Owls"}, set()), ({}, {"series"}), ({"series": "  "}, {"series"}),
        ({"series": "x" * 501}, {"series"}), ({"series": "a\x00b"}, {"series"}), ({"series": HOSTILE}, set()),
        ({"series": "x", "kind": "c"}, {"kind"}), ({"series": "x", "kind": "b"}, set()),
        ({"series": "x", "number": "many"}, {"number"}), ({"series": "x", "number": -7}, set()),
        ({"series": "x", "day": "tomorrow"}, {"day"}), ({"series": "x", "day": "2026-02-30"}, {"day"}),
        ({"series": "x", "open": True}, set()), ({"series": "x", "open": "maybe"}, {"open"}),
        ({"series": "x", "note": "y" * 4_001}, {"note"}), ({"series": "x", "strange": "1"}, {"strange"}),
        ({"series": ["a"]}, set()), ({"series": None}, {"series"}),
    ],
)  # fmt: skip
def test_answers_fit_the_form(answers, wrong):
    """Whatever was sent, each field says what is wrong with it."""
    assert set(deposit_questions.checked(ASKED, answers)[1]) == wrong


@pytest.mark.parametrize(
    "rows",
    [
        "text", [1], [{}], [{"name": "a", "label": "A", "kind": "odd"}], [{"name": "a", "label": "A"}] * 2,
        [{"name": "a", "label": "A", "kind": "choice"}], [{"name": "a", "label": "A", "choices": [1]}],
        [{"name": "Ä", "label": "A"}], [{"name": "a", "label": "x" * 201}],
        [{"name": f"a{n}", "label": "A"} for n in range(31)],
        [{"name": "a", "label": "A", "help": 7}],
    ],
)  # fmt: skip
def test_forms_that_make_no_sense_are_refused(rows):
    """With the number of the field."""
    assert deposit_questions.faults_of(rows)


def test_answers_are_asked_before_anything_is_done(desk, home, me):
    """The harvest stays endorsed."""
    row = desk.depository(home, questions=[{"name": "series", "label": "Series", "required": True}])
    harvest = endorsed(desk)
    with pytest.raises(InvalidFields) as told:
        archive_harvest(me, harvest_id=harvest.pk, depository_id=row.pk)
    assert "series" in told.value.messages
    assert Harvest.objects.get(pk=harvest.pk).state == "endorsed"

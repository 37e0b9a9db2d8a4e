"""The job that archives: packs, hands over, reads again; in one attempt or several, whatever an earlier one left."""

import io
import zipfile
from types import SimpleNamespace

import bagit
import pytest
from lxml import etree

from opilio.agents.context import Interrupted, Stop
from opilio.agents.deposits import deposit_result, look_after_deposits
from opilio.archive.store.addresses import open_store
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.wacz.reader import WaczFile
from opilio.curation.actions.deposits import archive_harvest, give_up_deposit, retry_deposit
from opilio.curation.deposit_facts import facts_of
from opilio.curation.deposit_jobs import MOST_ATTEMPTS, DepositResult
from opilio.curation.models import (
    Authorisation,
    AuthorisingAgent,
    Deposit,
    Harvest,
    HarvestState,
    ModificationNote,
    Permission,
    PreservationEvent,
    Profile,
    Seed,
    Target,
    UrlPattern,
)
from opilio.curation.queries.deposits import is_proven
from opilio.jobs.models import Job
from opilio.people.actions.annotations import add_annotation
from opilio.people.models import Agency, Notification, Task, User
from opilio.people.privileges import Privilege, Scope
from opilio.works import package_result
from opilio.works.depositories.errors import NoAnswer
from tests.deposit_desk import DepositDesk, allowing, attempt, endorsed_result, run_deposit
from tests.review_desk import at_home
from tests.schemas import require_valid
from tests.servers.deposits import DepositServer

OPILIO = "{urn:opilio:package:1}"
LOOPBACK = ("127.0.0.0/8",)


@pytest.fixture
def desk(db):
    return DepositDesk()


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def clock(desk):
    return desk.town.clock


@pytest.fixture
def server(settings, home):
    allowing(settings, deposit_allow_private=LOOPBACK)
    with DepositServer() as made:
        yield made


def handed(desk, harvest, depository=None, **given):
    """A deposit that waits for an agent."""
    number = depository.pk if depository else None
    return archive_harvest(desk.archivist(), harvest_id=harvest.pk, depository_id=number, **given)


def state_of(harvest):
    return HarvestState(Harvest.objects.get(pk=harvest.pk).state)


def test_a_bag_is_handed_over_and_the_harvest_archived(desk, home, clock):
    """The bag is valid, its description too; the receipt is proven before the harvest is archived."""
    harvest = desk.endorsed(home, results=2)
    deposit = handed(desk, harvest, desk.depository(home))
    assert state_of(harvest) is HarvestState.ARCHIVING
    done = run_deposit(deposit, clock)
    place = home / "depositories/cellar" / done.package
    assert (done.state, done.failure, is_proven(done)) == ("done", "", True)
    assert bagit.Bag(str(place)).validate()
    root, _ = require_valid((place / "data/mets.xml").read_bytes())
    assert root.get("OBJID") == f"info:opilio/harvest/{harvest.pk}/result/2"
    kept = Harvest.objects.get(pk=harvest.pk)
    assert (kept.state, kept.archive_id, kept.archived_at) == ("archived", done.package, clock.now())
    assert not (home / "deposits" / str(deposit.pk)).exists()


def test_the_bag_has_all_that_belongs_to_the_harvest(desk, home, clock):
    """WARC files, index, results, plan, report, log, snapshot and profile; each is in the list of the description."""
    harvest = desk.endorsed(home)
    done = run_deposit(handed(desk, harvest, desk.depository(home)), clock)
    data = home / "depositories/cellar" / done.package / "data"
    names = {path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file()}
    wanted = {"index.cdxj", "plan.json", "report.json", "results/result-1.db", "snapshot.json", "profile.json",
              "logs/crawl.log", "mets.xml"}  # fmt: skip
    assert wanted <= names
    assert any(name.startswith("warcs/") for name in names)
    root = etree.parse(data / "mets.xml").getroot()
    listed = {one.get("{http://www.w3.org/1999/xlink}href") for one in root.iter("{http://www.loc.gov/METS/}FLocat")}
    assert listed == {f"data/{name}" for name in names - {"mets.xml"}}


def test_the_package_says_what_was_frozen_though_everything_was_edited_since(desk, home, clock):
    """Target, seeds, rights, profile, owner and agency are told as they were when the harvest was queued."""
    harvest = desk.endorsed(home)
    depository = desk.depository(home)
    deposit = handed(desk, harvest, depository)
    clock.advance(60)
    first = run_deposit(deposit, clock)
    before = (home / "depositories/cellar" / first.package / "data/mets.xml").read_bytes()
    Target.objects.update(name="Edited", description="Edited", evaluation_note="Edited", display_note="Edited")
    Seed.objects.update(url="http://edited.example/")
    Permission.objects.update(copyright_statement="Edited", special_requirements="Edited", access_status="Edited")
    Authorisation.objects.update(title="Edited")
    AuthorisingAgent.objects.update(name="Edited")
    UrlPattern.objects.update(pattern="http://edited.example/*")
    Profile.objects.update(name="Edited")
    User.objects.filter(pk=harvest.owner_id).update(first_name="Edited", username="edited")
    Agency.objects.filter(pk=harvest.agency_id).update(name="Edited")
    Harvest.objects.filter(pk=harvest.pk).update(state=HarvestState.ENDORSED)
    Deposit.objects.filter(pk=first.pk).update(state="waiting")
    again = Deposit.objects.select_related("harvest", "depository", "by").get(pk=first.pk)
    made = package_result.packaged(
        home / "harvests" / str(harvest.pk), home / "again", facts_of(again),
        package_result.PackageWishes(key=first.package, result=1),
    )  # fmt: skip
    after = (made.package.path / "data/mets.xml").read_bytes()
    assert b"dited" not in after
    assert after == before


def test_what_happened_since_is_told_too(desk, home, clock):
    """Where the result came from, what was changed in it, and what people noted."""
    harvest = desk.endorsed(home, results=2)
    ModificationNote(result=endorsed_result(harvest), position=0, note="Without the herons.").save()
    by = desk.town.actor(privileges={Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY})
    add_annotation(by, kind_name="harvest", row_id=harvest.pk, note="A fine <b>harvest</b>.")
    done = run_deposit(handed(desk, harvest, desk.depository(home), answers={}), clock)
    text = (home / "depositories/cellar" / done.package / "data/mets.xml").read_text()
    assert "Without the herons." in text
    assert "Without what is too much." in text
    assert "A fine &lt;b&gt;harvest&lt;/b&gt;." in text


def test_events_tasks_and_notices_follow(desk, home, clock):
    """An event of preservation, a notice for owner and archivist, and nobody is asked to archive any more."""
    harvest = desk.endorsed(home)
    Target.objects.update(follow_reference=True)
    run_deposit(handed(desk, harvest, desk.depository(home)), clock)
    event = PreservationEvent.objects.get(harvest=harvest, kind="ingestion")
    assert (event.outcome, event.result) == ("success", 1)
    told = Notification.objects.filter(kind="archive-success")
    assert harvest.owner_id in told.values_list("user_id", flat=True)
    assert not Task.objects.filter(kind="archive-harvest").exists()
    assert Target.objects.get().reference_harvest_id == harvest.pk


def test_a_wacz_is_handed_over(desk, home, clock):
    """With its description and the snapshot beside its own files; it has no fault."""
    harvest = desk.endorsed(home)
    done = run_deposit(handed(desk, harvest, desk.depository(home, form="wacz")), clock)
    path = home / "depositories/cellar" / f"{done.package}.wacz"
    with WaczFile(path) as found, zipfile.ZipFile(path) as entries:
        assert list(found.faults()) == []
        wanted = {f"description/{name}" for name in ("mets.xml", "snapshot.json", "profile.json")}
        assert wanted <= set(entries.namelist())
        require_valid(entries.read("description/mets.xml"))


def test_the_store_of_the_settings_takes_what_has_no_other_place(desk, home, clock):
    """It is made at first use, an archive in OCFL: the harvest an object, the result a version with its description."""
    harvest = desk.endorsed(home, results=2)
    done = run_deposit(handed(desk, harvest), clock)
    assert (done.state, done.depository.form, done.depository.place) == ("done", "ocfl", "store:")
    archive = Archive.open(open_store(str(home / "archive")))
    state = archive.inventory(f"info:opilio/harvest/{harvest.pk}").version(2).state
    assert {"mets.xml", "snapshot.json"} <= set(state)
    with archive.open_file(f"info:opilio/harvest/{harvest.pk}", "mets.xml", 2) as stream:
        require_valid(stream.read())
    assert done.archive_id == f"info:opilio/harvest/{harvest.pk} v2"
    assert done.size > 0


def test_a_server_takes_one_zip_file(desk, home, clock, server):
    """Which holds the bag; its receipt and what was read again are kept."""
    harvest = desk.endorsed(home)
    depository = desk.depository(home, kind="http", place=server.url, timeout=5)
    done = run_deposit(handed(desk, harvest, depository), clock)
    assert done.archive_id == f"archive/{done.package}"
    assert done.receipt["check"]["how"] == "The package was read again from the server."
    with zipfile.ZipFile(io.BytesIO(server.posted[0].body)) as entries:
        entries.extractall(home / "unzipped")
    assert bagit.Bag(str(home / "unzipped" / done.package)).validate()


def test_answers_of_the_form_are_in_the_description(desk, home, clock):
    """As people entered them."""
    asked = [{"name": "series", "label": "Series", "required": True}]
    harvest = desk.endorsed(home)
    done = run_deposit(
        handed(desk, harvest, desk.depository(home, questions=asked), answers={"series": "<Owls>"}), clock
    )
    root = etree.parse(home / "depositories/cellar" / done.package / "data/mets.xml").getroot()
    assert root.findtext(f".//{OPILIO}answer[@name='series']") == "<Owls>"


def test_a_depository_that_does_not_answer_is_asked_again(desk, home, clock, server):
    """The package is posted once, though its answer got lost; the reason is shown until then."""
    server.manners.loses_answer = 1
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home, kind="http", place=server.url, timeout=5))
    with pytest.raises(NoAnswer):
        run_deposit(deposit, clock)
    deposit.refresh_from_db()
    assert (deposit.state, "closed without an answer" in deposit.failure) == ("sending", True)
    assert state_of(harvest) is HarvestState.ARCHIVING
    _later(clock)
    assert run_deposit(deposit, clock).state == "done"
    assert len(server.posted) == 1


def test_a_depository_that_never_answers_gives_the_harvest_back(desk, home, clock, server):
    """After the last attempt it is endorsed again, with the error; the owner is warned."""
    server.manners.answers = [503] * 20
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home, kind="http", place=server.url, timeout=5))
    for _ in range(MOST_ATTEMPTS - 1):
        with pytest.raises(NoAnswer):
            run_deposit(deposit, clock)
        _later(clock)
    done = run_deposit(deposit, clock)
    assert (done.state, state_of(harvest)) == ("failed", HarvestState.ENDORSED)
    assert "503" in done.failure
    assert Notification.objects.filter(kind="archive-failed", user_id=harvest.owner_id).exists()
    assert PreservationEvent.objects.get(harvest=harvest, kind="ingestion").outcome == "failure"


def _later(clock):
    """When the next attempt is due."""
    Job.objects.filter(state="running").update(state="ready", owner="", lease_until=None)
    Job.objects.update(run_after=clock.now())


@pytest.mark.parametrize(
    ("lies", "words"), [({"size": 7}, "says it has 7"), ({"id": ""}, "no identifier"), ({"sha512": "ab"}, "no sha512")]
)
def test_a_depository_that_lies_fails_at_once(lies, words, desk, home, clock, server):
    """No second attempt: the harvest is endorsed with what was wrong."""
    server.manners.lies = lies
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home, kind="http", place=server.url, timeout=5))
    done = run_deposit(deposit, clock)
    assert (done.state, state_of(harvest)) == ("failed", HarvestState.ENDORSED)
    assert words in done.failure
    assert Harvest.objects.get(pk=harvest.pk).archive_id == ""


def test_what_was_refused_is_tried_again_under_the_same_key(desk, home, clock, server):
    """Archiving it anew, or trying the deposit again, never hands over a second package."""
    server.manners.spoils = b"other bytes"
    harvest = desk.endorsed(home)
    depository = desk.depository(home, kind="http", place=server.url, timeout=5)
    first = run_deposit(handed(desk, harvest, depository), clock)
    assert "gives back" in first.failure
    server.manners.spoils = b""
    again = retry_deposit(desk.archivist(), deposit_id=first.pk)
    assert (again.pk, again.package) == (first.pk, first.package)
    assert run_deposit(again, clock).state == "done"
    assert len(server.posted) == 1


def test_a_full_disk_fails_at_once_and_leaves_nothing(desk, home, clock, monkeypatch):
    """The error says how much is needed."""
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home, form="wacz"))
    monkeypatch.setattr("opilio.kernel.files.free_space", lambda path: 10)
    done = run_deposit(deposit, clock)
    assert done.state == "failed"
    assert "are free" in done.failure
    assert not (home / "deposits" / str(deposit.pk)).exists()


def test_a_disk_that_fills_up_while_packing_fails_too(desk, home, clock, monkeypatch):
    """Whoever notices it."""

    def full(*_, **__):
        raise OSError(28, "No space left on device", "x.warc.gz")

    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home))
    monkeypatch.setattr("opilio.agents.deposits.packaged", full)
    assert "the disk is full" in run_deposit(deposit, clock).failure
    assert state_of(harvest) is HarvestState.ENDORSED


def test_a_damaged_file_is_not_handed_over(desk, home, clock):
    """The error names the file; the depository has nothing."""
    harvest = desk.endorsed(home)
    warc = next((home / "harvests" / str(harvest.pk) / "warcs").iterdir())
    data = bytearray(warc.read_bytes())
    data[len(data) // 2] ^= 0xFF
    warc.write_bytes(data)
    done = run_deposit(handed(desk, harvest, desk.depository(home)), clock)
    assert "not as it was sealed" in done.failure
    assert warc.name in done.failure
    assert not (home / "depositories").exists() or list((home / "depositories/cellar").iterdir()) == []


def test_a_harvest_whose_data_is_elsewhere_waits_for_its_agent(desk, home, clock):
    """Another agent may have it."""
    deposit = handed(desk, desk.endorsed(), desk.depository(home))
    with pytest.raises(Exception, match="share the home folder"):
        run_deposit(deposit, clock)
    deposit.refresh_from_db()
    assert deposit.state == "packing"


@pytest.mark.parametrize("step", ["packed", "sent", "finish"])
def test_an_agent_that_falls_is_followed_by_one_that_does_what_is_left(step, desk, home, clock, server, monkeypatch):
    """Whatever was done is found: one package, one post, one end."""
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home, kind="http", place=server.url, timeout=5))
    packs = []
    true_pack = package_result.pack
    monkeypatch.setattr(package_result, "pack", lambda *a, **k: packs.append(1) or true_pack(*a, **k))

    def fall(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"opilio.agents.deposits.deposit_running.{step}", fall)
        with pytest.raises(KeyboardInterrupt):
            run_deposit(deposit, clock)
    _later(clock)
    assert run_deposit(deposit, clock).state == "done"
    assert (len(packs), len(server.posted), state_of(harvest)) == (1, 1, HarvestState.ARCHIVED)


def test_a_package_that_was_left_half_done_is_made_anew(desk, home, clock):
    """Without the file that says that it is whole, nothing of it counts."""
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home))
    left = home / "deposits" / str(deposit.pk) / deposit.package
    left.mkdir(parents=True)
    (left / "bagit.txt").write_text("half")
    assert run_deposit(deposit, clock).state == "done"


def test_an_agent_that_is_told_to_leave_does_so(desk, home, clock):
    """Between two files; another goes on."""
    deposit = handed(desk, desk.endorsed(home), desk.depository(home))
    context = attempt(clock)
    context.tell(Stop.DRAIN)
    with pytest.raises(Interrupted):
        deposit_result(DepositResult(deposit=deposit.pk), context)
    deposit.refresh_from_db()
    assert (deposit.state, deposit.failure) == ("packing", "")


def test_a_deposit_that_was_given_up_is_not_done(desk, home, clock):
    """Its job is cancelled, and an agent that has it already writes nothing."""
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home))
    context = attempt(clock)
    give_up_deposit(desk.archivist(), deposit_id=deposit.pk, reason="wrong place")
    with pytest.raises(Exception, match=r"(?i)lease|holds|taken|cancel"):
        deposit_result(DepositResult(deposit=deposit.pk), context)
    deposit.refresh_from_db()
    assert (deposit.state, state_of(harvest)) == ("failed", HarvestState.ENDORSED)
    assert "wrong place" in deposit.failure


def test_deposits_without_a_job_are_ended(desk, home, clock, settings):
    """And what was packed for those that are over is removed."""
    harvest = desk.endorsed(home)
    deposit = handed(desk, harvest, desk.depository(home))
    Job.objects.filter(pk=Deposit.objects.get(pk=deposit.pk).job).update(state="dead", last_error="It fell.")
    (home / "deposits" / "999").mkdir(parents=True)
    look_after_deposits(SimpleNamespace(clock=clock, settings=settings.OPILIO))
    deposit.refresh_from_db()
    assert (deposit.state, state_of(harvest)) == ("failed", HarvestState.ENDORSED)
    assert "It fell." in deposit.failure
    assert not (home / "deposits" / "999").exists()

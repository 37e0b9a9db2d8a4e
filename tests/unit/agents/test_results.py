"""The job that derives a result: in one attempt or several, with whatever an earlier one left."""

import signal
import subprocess
import sys
from datetime import timedelta

import pytest

from opilio.agents.context import RunContext
from opilio.agents.results import look_after_results, make_result, make_tree
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.curation.actions.result_prune import NotPrunable, prune
from opilio.curation.actions.results import ready
from opilio.curation.models import (
    HarvestFile,
    HarvestState,
    ModificationNote,
    PreservationEvent,
    Result,
    ResultState,
    ReviewPolicy,
)
from opilio.curation.result_jobs import MakeResult, MakeTree, begun
from opilio.jobs import claims
from opilio.jobs.models import Job
from opilio.kernel.errors import Missing, NoSpace
from opilio.kernel.locks import locked
from opilio.people.acting import Act
from opilio.people.actor import system
from opilio.people.errors import InvalidFields, NotAllowed, Stale
from opilio.people.models import AuditEntry, Notification
from opilio.people.privileges import Privilege, Scope
from opilio.works import make_result as making
from opilio.works.make_result import Asked, NothingLeft
from opilio.works.result_change import WantedChange, change_of
from opilio.works.result_picks import Pick
from opilio.works.result_tree_making import has_tree
from tests.people import Town
from tests.review_desk import ReviewDesk, at_home, crawled, pruned

LEASE = timedelta(seconds=60)


@pytest.fixture
def town(db):
    return Town()


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def reviewer(town):
    return town.actor(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})


def folder_of(home, harvest):
    return ResultsFolder(home / "harvests" / str(harvest.pk))


def first(harvest):
    return Result.objects.get(harvest=harvest, number=1)


def page(path):
    return Pick(url=crawled().url(path))


def nest(reviewer, harvest, *paths, note="The nests are another collection."):
    picks = [page(path) for path in paths or ("/nests/1.html",)]
    return prune(reviewer, result_id=first(harvest).pk, picks=picks, note=note)


def attempt(clock, kind="curation.make_result"):
    (found,) = claims.claim(owner="a#1", limit=1, now=clock.now(), lease=LEASE, kinds=[kind])
    return RunContext(found, clock=clock, lease=LEASE)


def run(row, clock):
    context = attempt(clock)
    make_result(MakeResult(result=row.pk), context)
    row.refresh_from_db()
    return context


def test_a_pruned_result_is_made_and_waits_for_a_decision(desk, home, reviewer):
    """Counts, digest, notes and events are written; its tree is there; it is assessed next."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest, "/nests/1.html", "/nests/2.html")
    assert (row.number, row.derived_from, row.state) == (2, 1, ResultState.MODIFYING)
    run(row, desk.town.clock)
    results = folder_of(home, harvest)
    assert row.state == ResultState.UNASSESSED
    assert row.resources == first(harvest).resources - 2
    assert (row.digest, row.bytes > 0) == (results.digest(2), True)
    assert "2 removed" in ModificationNote.objects.filter(result=row).last().note
    assert PreservationEvent.objects.get(harvest=harvest, result=2).kind == "deletion"
    assert has_tree(results, 2)
    assert Job.objects.filter(kind="curation.assess_result", payload={"result": row.pk}).exists()
    with ResultView(results, 2) as view:
        assert view.resource(crawled().url("/nests/1.html")) is None
        assert view.head.by == reviewer.username
    assert AuditEntry.objects.filter(action="result.prune", subject_id=row.pk).exists()


def test_a_result_that_was_made_before_the_agent_fell_is_only_written_down(desk, home, reviewer, monkeypatch):
    """Nothing is derived twice."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)
    asked = Asked(number=2, parent=1, change=change_of(row.change), note=row.provenance_note, by=reviewer.username)
    making.make_result(home / "harvests" / str(harvest.pk), asked)
    monkeypatch.setattr(making, "derive", None)
    run(row, desk.town.clock)
    assert row.state == ResultState.UNASSESSED
    assert folder_of(home, harvest).numbers() == [1, 2]


def test_what_an_attempt_left_half_done_is_cleared_away(desk, home, reviewer):
    """As after kill -9 while the file was written."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)
    results = folder_of(home, harvest)
    results.begin(2, ["result-2-half.warc.gz"])
    (results.path / ".result-2.db.new").write_bytes(b"half")
    (results.warcs / "result-2-half.warc.gz").write_bytes(b"half")
    run(row, desk.town.clock)
    assert row.state == ResultState.UNASSESSED
    assert not (results.warcs / "result-2-half.warc.gz").exists()
    assert not list(results.path.glob(".result*"))


_KILLED = """
import os, signal, sys
from pathlib import Path
from opilio.works.make_result import Asked, make_result
from opilio.works.result_change import WantedChange
from opilio.works.result_picks import Pick
steps = []
def told(step, done, total):
    steps.append(step)
    if len(set(steps)) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
change = WantedChange(remove=(Pick(url=sys.argv[2]),))
make_result(Path(sys.argv[1]), Asked(number=2, parent=1, change=change, note="n", by="curator"), told=told)
"""


@pytest.mark.parametrize("step", [2, 4])
def test_a_killed_process_leaves_nothing_that_the_next_attempt_trips_over(desk, home, step):
    """In whichever step it was killed, the result is whole in the end, once."""
    harvest = desk.sealed(home)
    folder = home / "harvests" / str(harvest.pk)
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(folder), crawled().url("/owls.html"), str(step)], check=False
    )
    assert done.returncode == -signal.SIGKILL
    change = WantedChange(remove=(page("/owls.html"),))
    made = making.make_result(folder, Asked(number=2, parent=1, change=change, note="n", by="curator"))
    assert made.removed == 1
    assert ResultsFolder(folder).numbers() == [1, 2]
    ResultsFolder(folder).digest(2)


def test_warc_files_of_the_folder_are_added(desk, home, town):
    """A patch or an import hands them over by their names."""
    harvest = desk.sealed(home)
    folder = home / "harvests" / str(harvest.pk)
    warc = next((folder / "warcs").glob("*.warc.gz"))
    (folder / "patches" / "2").mkdir(parents=True)
    (folder / "patches" / "2" / "new.warc.gz").write_bytes(warc.read_bytes())
    change = WantedChange(add=("patches/2/new.warc.gz",))
    row = _begun(town, harvest, change)
    run(row, town.clock)
    assert (row.state, row.reason) == (ResultState.UNASSESSED, "")
    assert HarvestFile.objects.filter(harvest=harvest, result=2).get().digest.startswith("sha256:")
    assert PreservationEvent.objects.get(harvest=harvest, result=2).kind == "derivation"


def _begun(town, harvest, change, note="Patched."):
    act = Act(actor=system(clock=town.clock), name="result.patch")
    act.require_that(True, "", "")
    return begun(act, first(harvest), change, note)


@pytest.mark.parametrize("name", ["../../secret.warc.gz", "/etc/passwd", "", "patches/../../x"])
def test_files_outside_of_the_folder_are_refused(desk, home, town, name):
    """Whatever the row says."""
    harvest = desk.sealed(home)
    row = _begun(town, harvest, WantedChange(add=(name,)))
    run(row, town.clock)
    assert row.state == ResultState.ABORTED
    assert Notification.objects.filter(kind="result-failed").exists()


def test_a_result_that_would_be_empty_is_refused(desk, home, reviewer):
    """At once where everything is meant; when it is made where a filter happens to mean everything."""
    harvest = desk.sealed(home)
    with pytest.raises(NothingLeft, match="Nothing would be left"):
        prune(reviewer, result_id=first(harvest).pk, picks=[Pick()], note="All of it.")
    row = prune(reviewer, result_id=first(harvest).pk, picks=[Pick(text="/")], note="All of it.")
    run(row, desk.town.clock)
    assert (row.state, "Nothing would be left" in row.reason) == (ResultState.ABORTED, True)
    assert folder_of(home, harvest).numbers() == [1]


def test_what_is_not_in_the_result_makes_none(desk, home, reviewer):
    """The reason says so."""
    harvest = desk.sealed(home)
    row = prune(reviewer, result_id=first(harvest).pk, picks=[Pick(host="nowhere.example")], note="Too much.")
    run(row, desk.town.clock)
    assert (row.state, "nowhere.example" in row.reason) == (ResultState.ABORTED, True)


def test_a_folder_in_use_is_waited_for(desk, home, reviewer):
    """The job loses no attempt."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)
    with locked(folder_of(home, harvest).lock, purpose="a test"):
        assert run(row, desk.town.clock).finished
    assert row.state == ResultState.MODIFYING
    assert Job.objects.get(pk=row.job).state == "ready"


def test_another_result_under_its_number_is_never_taken_for_it(desk, home, reviewer):
    """One that the command line derived stays what it is."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)
    pruned(folder_of(home, harvest).crawl, crawled().url("/owls.html"), note="By hand.")
    run(row, desk.town.clock)
    assert (row.state, "another result 2" in row.reason) == (ResultState.ABORTED, True)


def test_a_full_disk_is_waited_for_and_told(desk, home, reviewer, monkeypatch):
    """It is tried again, however long that takes."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)

    def full(*_, **__):
        raise NoSpace("the disk is full", where="disk", remedy="Free some space.")

    monkeypatch.setattr(making, "derive", full)
    run(row, desk.town.clock)
    assert (row.state, "full" in row.reason) == (ResultState.MODIFYING, True)


def test_data_that_is_elsewhere_is_tried_again(desk, home, reviewer):
    """The agent of another machine may have it."""
    harvest = desk.harvested()
    row = nest(reviewer, harvest)
    with pytest.raises(Missing, match="share the home folder"):
        run(row, desk.town.clock)
    row.refresh_from_db()
    assert row.state == ResultState.MODIFYING


def test_a_harvest_that_was_decided_about_meanwhile_gets_no_further_result(desk, home, reviewer):
    """The decision stands."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)
    type(harvest).objects.filter(pk=harvest.pk).update(state=HarvestState.ENDORSED)
    run(row, desk.town.clock)
    assert (row.state, "decided" in row.reason) == (ResultState.ABORTED, True)


def test_a_patched_harvest_waits_for_review_again(desk, home, reviewer):
    """Whether the result came about or not."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)
    type(harvest).objects.filter(pk=harvest.pk).update(state=HarvestState.PATCHING)
    run(row, desk.town.clock)
    harvest.refresh_from_db()
    assert (row.state, harvest.state) == (ResultState.UNASSESSED, HarvestState.HARVESTED)


@pytest.mark.parametrize("state", [HarvestState.ENDORSED, HarvestState.ARCHIVING, HarvestState.PATCHING])
def test_only_a_harvest_that_waits_for_review_is_pruned(desk, reviewer, state):
    """What was decided, or is being packed or patched, stays as it is."""
    harvest = desk.harvested(state=state)
    with pytest.raises(NotPrunable, match="stay as they are"):
        nest(reviewer, harvest)


def test_two_reviewers_at_once_do_not_overwrite_each_other(desk, reviewer):
    """The second sees that the result changed."""
    harvest = desk.harvested()
    row = first(harvest)
    with pytest.raises(Stale):
        prune(reviewer, result_id=row.pk, picks=[page("/")], note="x", version=row.version + 1)


@pytest.mark.parametrize(("picks", "note"), [([], "why"), ([Pick(text="x")], " "), ([Pick(text="x")], "n" * 40_000)])
def test_pruning_needs_something_to_prune_and_a_reason(desk, reviewer, picks, note):
    """Both stay with the result."""
    harvest = desk.harvested()
    with pytest.raises(InvalidFields):
        prune(reviewer, result_id=first(harvest).pk, picks=picks, note=note)


def test_who_may_not_endorse_may_not_prune(desk, town):
    """The same privilege rules both."""
    harvest = desk.harvested()
    with pytest.raises(NotAllowed):
        nest(town.actor(privileges={Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY}), harvest)


def test_the_tree_of_a_result_is_made_in_the_background(desk, home, town):
    """Once result 1 is ready, and where its files lie."""
    harvest = desk.sealed(home)
    Result.objects.filter(harvest=harvest).update(state=ResultState.INDEXING)
    ready(system(clock=town.clock), harvest_id=harvest.pk)
    make_tree(MakeTree(result=first(harvest).pk), attempt(town.clock, "curation.make_tree"))
    assert has_tree(folder_of(home, harvest), 1)


@pytest.mark.parametrize("of_target", [True, False])
def test_what_was_pruned_from_the_archived_harvest_is_pruned_again(desk, home, reviewer, town, of_target):
    """By a rule of the target or of its agency; it is audited, and done once."""
    earlier = desk.sealed(home, results=1)
    row = nest(reviewer, earlier, "/nests/1.html")
    Result.objects.filter(pk=row.pk).update(state=ResultState.ENDORSED)
    type(earlier).objects.filter(pk=earlier.pk).update(state=HarvestState.ARCHIVED)
    target = earlier.abstract_target
    if of_target:
        type(target).objects.filter(pk=target.pk).update(prune_again=True)
    else:
        ReviewPolicy(agency=earlier.agency, auto_prune=True, created=town.clock.now(), updated=town.clock.now()).save()
    Job.objects.all().delete()
    later = desk.sealed(home, target)
    Result.objects.filter(harvest=later).update(state=ResultState.INDEXING)
    ready(system(clock=town.clock), harvest_id=later.pk)
    made = Result.objects.get(harvest=later, number=2)
    assert f"harvest {earlier.pk}" in made.provenance_note
    run(made, town.clock)
    assert (made.state, made.resources) == (ResultState.UNASSESSED, first(later).resources - 1)
    assert later.events.filter(name="prune-again").count() == 1


def test_nothing_is_pruned_again_unless_somebody_said_so(desk, home, reviewer, town):
    """Rules are off until they are switched on."""
    earlier = desk.sealed(home)
    row = nest(reviewer, earlier)
    Result.objects.filter(pk=row.pk).update(state=ResultState.ENDORSED)
    type(earlier).objects.filter(pk=earlier.pk).update(state=HarvestState.ARCHIVED)
    later = desk.harvested(earlier.abstract_target)
    Result.objects.filter(harvest=later).update(state=ResultState.INDEXING)
    ready(system(clock=town.clock), harvest_id=later.pk)
    assert later.results.count() == 1


def test_a_result_that_lost_its_job_gets_another(desk, home, reviewer, settings):
    """However its agents fell."""
    harvest = desk.sealed(home)
    row = nest(reviewer, harvest)
    Job.objects.all().delete()
    look_after_results(_Turn(desk.town.clock))
    run(row, desk.town.clock)
    assert row.state == ResultState.UNASSESSED


class _Turn:
    def __init__(self, clock):
        self.clock = clock

    def should_stop(self):
        return False

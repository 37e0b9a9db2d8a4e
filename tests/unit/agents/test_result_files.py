"""The jobs that need the folder of a harvest: marks, undoing, and the end of indexing."""

from types import SimpleNamespace

import pytest

from opilio.agents.harvest_index import index_harvest
from opilio.agents.result_files import mark_result, ready_for_review, undo_result
from opilio.archive.results.errors import NoResult
from opilio.archive.results.folder import Protection, ResultsFolder
from opilio.curation.actions.result_decisions import endorse_result, reject_result, unendorse_result
from opilio.curation.actions.results import undo_result as ask
from opilio.curation.harvest_jobs import IndexHarvest
from opilio.curation.models import Harvest, HarvestState, Result, ResultState
from opilio.curation.result_marks import MarkResult
from opilio.curation.result_undoing import UndoResult
from opilio.kernel.clock import SYSTEM
from opilio.kernel.locks import locked
from opilio.works.derive_result import undo
from opilio.works.followed_crawls import followed_file
from opilio.works.result_facts import facts_of
from tests.review_desk import ReviewDesk, at_home


@pytest.fixture
def desk(db):
    return ReviewDesk()


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


class Context(SimpleNamespace):
    """What a runner is given, as far as these use it."""

    def __init__(self):
        self.moments = []
        super().__init__(clock=SYSTEM, put_off=self.moments.append)


def result_of(harvest, number=1):
    return Result.objects.get(harvest=harvest, number=number)


def test_the_archive_knows_what_was_endorsed(desk, home):
    """The mark comes and goes with the endorsement, however often the job is run; what is archived stays marked."""
    harvest = desk.sealed(home, results=2)
    row, folder = result_of(harvest, 2), ResultsFolder(home / "harvests" / str(harvest.pk))
    endorse_result(desk.town.system, result_id=row.pk)
    for _ in range(2):
        mark_result(MarkResult(result=row.pk), Context())
        assert folder.protection(2) is Protection.ENDORSED
    unendorse_result(desk.town.system, result_id=row.pk)
    mark_result(MarkResult(result=row.pk), Context())
    assert folder.protection(2) is None
    endorse_result(desk.town.system, result_id=row.pk)
    Harvest.objects.filter(pk=harvest.pk).update(state=HarvestState.ARCHIVED)
    mark_result(MarkResult(result=row.pk), Context())
    assert folder.protection(2) is Protection.ARCHIVED


def test_a_mark_waits_for_the_folder(desk, home):
    """Where the data is not, the job fails and is tried elsewhere."""
    harvest = desk.harvested()
    endorse_result(desk.town.system, result_id=result_of(harvest).pk)
    with pytest.raises(NoResult):
        mark_result(MarkResult(result=result_of(harvest).pk), Context())


def test_a_derived_result_is_undone(desk, home):
    """Its files go, its row says so; a second run finds nothing to do."""
    harvest = desk.sealed(home, results=2)
    row, folder = result_of(harvest, 2), ResultsFolder(home / "harvests" / str(harvest.pk))
    ask(desk.town.system, result_id=row.pk, why="Too much is gone.")
    for _ in range(2):
        undo_result(UndoResult(result=row.pk), Context())
    row.refresh_from_db()
    assert (row.state, folder.numbers()) == (ResultState.ABORTED, [1])


def test_an_undoing_that_was_cut_off_is_finished(desk, home):
    """The files were gone before the row was written."""
    harvest = desk.sealed(home, results=2)
    row = result_of(harvest, 2)
    ask(desk.town.system, result_id=row.pk, why="Too much is gone.")
    undo(home / "harvests" / str(harvest.pk), 2, why="Too much is gone.")
    undo_result(UndoResult(result=row.pk), Context())
    row.refresh_from_db()
    assert row.state == ResultState.ABORTED


def test_an_undoing_waits_for_others_and_is_refused_for_good_reason(desk, home):
    """While somebody works in the folder it is put off; a result that is protected stays."""
    harvest = desk.sealed(home, results=2)
    row, folder = result_of(harvest, 2), ResultsFolder(home / "harvests" / str(harvest.pk))
    ask(desk.town.system, result_id=row.pk, why="Too much is gone.")
    context = Context()
    with locked(folder.lock, purpose="deriving a result"):
        undo_result(UndoResult(result=row.pk), context)
    assert len(context.moments) == 1
    folder.protect(2, Protection.ENDORSED)
    undo_result(UndoResult(result=row.pk), Context())
    row.refresh_from_db()
    assert row.state == ResultState.UNASSESSED
    assert "endorsed" in row.reason


def test_an_indexed_harvest_waits_for_review(desk, home):
    """With the facts of its folder."""
    harvest = desk.sealed(home)
    Result.objects.filter(harvest=harvest).update(state=ResultState.INDEXING, resources=0, bytes=0, digest="")
    index_harvest(IndexHarvest(harvest=harvest.pk), Context())
    row, facts = result_of(harvest), facts_of(home / "harvests" / str(harvest.pk), 1)
    assert (row.state, row.resources, row.bytes, row.digest) == (
        ResultState.UNASSESSED, facts.resources, facts.bytes, facts.digest,
    )  # fmt: skip
    assert facts.resources == 10


def test_the_index_follows_a_rejection(desk, home):
    """The pages of a harvest that was rejected leave the working index; once is enough."""
    harvest = desk.sealed(home)
    index_harvest(IndexHarvest(harvest=harvest.pk), Context())
    assert [each.name for each in followed_file(home / "index" / "working").all()] == [f"harvest-{harvest.pk}"]
    reject_result(desk.town.system, result_id=result_of(harvest).pk, reason_id=desk.reason().pk)
    for _ in range(2):
        index_harvest(IndexHarvest(harvest=harvest.pk), Context())
    assert followed_file(home / "index" / "working").all() == []


def test_a_result_that_cannot_be_read_is_reviewed_all_the_same(desk, home):
    """Without its counts; the log says why."""
    harvest = desk.sealed(home)
    Result.objects.filter(harvest=harvest).update(state=ResultState.INDEXING, resources=0)
    (home / "harvests" / str(harvest.pk) / "results" / "result-1.db").write_bytes(b"no result")
    ready_for_review(harvest.pk, SYSTEM)
    assert (result_of(harvest).state, result_of(harvest).resources) == (ResultState.UNASSESSED, 0)


def test_bytes_are_those_of_what_is_left(desk, home):
    """A pruned page does not count."""
    harvest = desk.sealed(home, results=2)
    folder = home / "harvests" / str(harvest.pk)
    before, after = facts_of(folder, 1), facts_of(folder, 2)
    assert before.resources - after.resources == 1
    assert before.bytes - after.bytes == 74
    assert after.notes

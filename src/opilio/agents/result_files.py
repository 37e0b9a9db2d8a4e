"""Does the jobs MarkResult and UndoResult, and reads the facts of a result: what needs the folder of its harvest."""

from datetime import timedelta

from opilio.agents.context import RunContext
from opilio.archive.results.folder import ResultsFolder
from opilio.curation import result_undoing
from opilio.curation.actions.results import ready, undone
from opilio.curation.harvest_folders import folder_of
from opilio.curation.result_marks import MarkResult, wanted_marks
from opilio.curation.result_undoing import Undoing, UndoResult
from opilio.kernel.clock import Clock
from opilio.kernel.errors import Conflict, OpilioError
from opilio.kernel.locks import held_by
from opilio.kernel.logs import logger
from opilio.people.actor import system
from opilio.works import derive_result
from opilio.works.mark_result import mark
from opilio.works.result_facts import ResultFacts, facts_of

_LATER = timedelta(seconds=5)  # until a folder in which somebody works is tried again
_BY = "results"

_log = logger(__name__)


def mark_result(payload: MarkResult, context: RunContext) -> None:
    """Protect the files of what was endorsed, and let go of what is not any more."""
    wanted = wanted_marks(payload.result)
    if wanted is not None:
        mark(
            folder_of(wanted.harvest).path, wanted.number, endorsed=wanted.endorsed, archived=wanted.archived,
            note=wanted.note,
        )  # fmt: skip


def undo_result(payload: UndoResult, context: RunContext) -> None:
    """Remove the files of a derived result, then say so; a second attempt finds them gone."""
    asked = result_undoing.under_way(payload.result)
    if asked is None:
        return
    refused = ""
    try:
        _undo(asked, context.clock)
    except Conflict as error:
        if held_by(ResultsFolder(folder_of(asked.harvest).path).lock) is not None:
            context.put_off(context.clock.now() + _LATER)
            return
        refused = str(error)
    undone(system(name=_BY, clock=context.clock), result_id=payload.result, refused=refused)


def ready_for_review(harvest: int, clock: Clock) -> None:
    """The pages of the first result can be found: from now on it waits for a decision."""
    ready(system(name=_BY, clock=clock), harvest_id=harvest, facts=_read(harvest))


def _read(harvest: int) -> ResultFacts | None:
    try:
        return facts_of(folder_of(harvest).path, 1)
    except OpilioError as error:
        _log.warning("result_unread", harvest=harvest, error=str(error))
        return None


def _undo(asked: Undoing, clock: Clock) -> None:
    folder = folder_of(asked.harvest).path
    if any(record["number"] == asked.number for record in ResultsFolder(folder).undone()):
        return  # an earlier attempt came so far
    derive_result.undo(folder, asked.number, why=asked.why, by=asked.by, clock=clock)

"""Does the jobs MakeResult and MakeTree: derives a result where the harvest lies, and counts its folders.

Every write to the catalogue is fenced by the lease of the job. Whatever an earlier attempt left is looked at first:
what is whole is only written down, what is not is cleared away and made again.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from opilio.agents.context import Interrupted, RunContext
from opilio.agents.periodic import Periodic, Turn
from opilio.archive.results.folder import ResultsFolder
from opilio.curation.actions import result_making
from opilio.curation.actions.harvest_running import File
from opilio.curation.harvest_folders import folder_of
from opilio.curation.queries.result_making import ToMake, orphans, place_of, to_make
from opilio.curation.result_jobs import CompareResults, MakeResult, MakeTree
from opilio.jobs.errors import Fenced
from opilio.kernel.errors import Conflict, InvalidInput, Missing, NoSpace, NotWritable, OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor, system
from opilio.works.host_graph import host_graph
from opilio.works.make_result import AnotherResult, Asked, Made
from opilio.works.make_result import make_result as make
from opilio.works.result_change import change_of
from opilio.works.result_comparison import Pair, Side, make_comparison
from opilio.works.result_tree_making import make_tree as tree_of

_LATER = timedelta(seconds=2)  # until a folder that is in use is tried again
_FINAL = (InvalidInput, AnotherResult)  # trying again would not help

_log = logger(__name__)


def make_result(payload: MakeResult, context: RunContext) -> None:
    """Make it, or finish what was begun; whatever happened before, it ends ready or aborted, once."""
    asked = to_make(payload.result)
    if asked is not None:
        _Making(payload.result, asked, context).work()


def make_tree(payload: MakeTree, context: RunContext) -> None:
    """Count the folders of a result."""
    place = place_of(payload.result)
    if place is None:
        return
    folder = folder_of(place[0])
    _require_here(place[0])
    try:
        tree_of(ResultsFolder(folder.path), place[1])
        host_graph(ResultsFolder(folder.path), place[1])
    except Conflict as busy:
        _log.info("result_in_use", harvest=place[0], result=place[1], reason=busy.what)
        context.put_off(context.clock.now() + _LATER)


def compare_results(payload: CompareResults, context: RunContext) -> None:
    """Compare two results, and keep what differs."""
    places = [place_of(payload.before), place_of(payload.after)]
    sides = [Side(harvest=one[0], folder=folder_of(one[0]).path, number=one[1]) for one in places if one is not None]
    if len(sides) < 2:
        return
    for side in sides:
        _require_here(side.harvest)
    try:
        make_comparison(Pair(before=sides[0], after=sides[1]))
    except Conflict as busy:
        _log.info("result_in_use", harvest=sides[1].harvest, result=sides[1].number, reason=busy.what)
        context.put_off(context.clock.now() + _LATER)


class _Making:
    """One attempt at one result."""

    def __init__(self, result: int, asked: ToMake, context: RunContext) -> None:
        self._result = result
        self._asked = asked
        self._context = context
        self._actor: Actor = system(name="agent", clock=context.clock)

    def work(self) -> None:
        """Make it, then write down what became of it."""
        try:
            self._settle(self._made())
        except (Fenced, Interrupted):
            raise
        except _FINAL as wrong:
            self._fail(wrong)
        except Conflict as busy:
            self._later(busy, _LATER)
        except (NoSpace, NotWritable) as away:
            self._fenced(result_making.trouble, reason=str(away))
            self._later(away, timedelta(seconds=settings.OPILIO.agent_lease_seconds))
        except OpilioError as error:
            self._trouble(error)
            raise

    def _made(self) -> Made:
        _require_here(self._asked.harvest)
        asked = Asked(
            number=self._asked.number, parent=self._asked.parent, change=change_of(self._asked.change),
            note=self._asked.note, by=self._asked.by,
        )  # fmt: skip
        return make(folder_of(self._asked.harvest).path, asked, clock=self._context.clock, told=self._told)

    def _told(self, step: str, done: int, total: int) -> None:
        self._context.check()
        self._context.progress(done * 100 // total if total else None, step)

    def _settle(self, made: Made) -> None:
        figures = {"resources": made.resources, "bytes": made.bytes, "digest": made.digest}
        files = [
            File(name=one.file, size=one.size, digest=f"sha256:{one.sha256}", compressed=one.file.endswith(".gz"))
            for one in made.files
        ]
        if self._fenced(result_making.made, figures=figures, notes=made.notes, files=files):
            with self._context.finishing():
                result_making.ready(self._actor, result_id=self._result)
        _log.info("result_made", harvest=self._asked.harvest, result=self._asked.number, resources=made.resources)

    def _later(self, why: OpilioError, wait: timedelta) -> None:
        _log.info("result_in_use", harvest=self._asked.harvest, result=self._asked.number, reason=why.what)
        self._context.put_off(self._context.clock.now() + wait)

    def _trouble(self, error: OpilioError) -> None:
        last = self._context.claimed.attempt >= self._context.claimed.max_attempts
        self._fenced(result_making.fail if last else result_making.trouble, reason=str(error))

    def _fail(self, error: OpilioError) -> None:
        with self._context.finishing():
            result_making.fail(self._actor, result_id=self._result, reason=str(error))

    def _fenced(self, write: Callable[..., Any], **arguments: Any) -> Any:
        """Write, unless the lease is lost."""
        with transaction.atomic():
            self._context.heartbeat()
            return write(self._actor, result_id=self._result, **arguments)


def _require_here(harvest: int) -> None:
    folder = folder_of(harvest)
    if not folder.sealed():
        remedy = "Run an agent where the data of the harvest lies, or share the home folder."
        raise Missing("the result of the harvest is not here", where=str(folder.path), remedy=remedy)


def look_after_results(turn: Turn) -> None:
    """Give results that lost their job another one."""
    actor = system(name="agents", clock=turn.clock)
    healed = sum(not turn.should_stop() and result_making.heal(actor, result_id=each) for each in orphans())
    if healed:
        _log.warning("results_healed", count=healed)


RESULT_CHORES: tuple[Periodic, ...] = (
    Periodic(name="look_after_results", every=lambda settings: settings.agent_lease_seconds, work=look_after_results),
)

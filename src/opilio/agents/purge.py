"""Removes the data of harvests: the job, and the daily chore that finds those whose days are over."""

from datetime import timedelta

from opilio.agents.context import RunContext
from opilio.agents.periodic import Periodic, Turn
from opilio.curation.actions import purge as actions
from opilio.curation.harvest_folders import folder_of, shared_store
from opilio.curation.purging import PurgeHarvest, due_now, purge_soon, standing_on
from opilio.curation.queries.purging import judgement
from opilio.kernel.errors import Conflict, Missing
from opilio.kernel.logs import logger
from opilio.people.actor import system
from opilio.people.parameters import value
from opilio.works.purge_harvest import Purged, StillNeeded, purge

_LATER = timedelta(seconds=30)  # until a folder that is in use is tried again
_DAY = 86_400.0  # seconds

_log = logger(__name__)


def purge_harvest(payload: PurgeHarvest, context: RunContext) -> None:
    """Look again whether the data may go, remove it, and write that down."""
    actor = system(name="purge", clock=context.clock)
    found = judgement(payload.harvest, context.clock.now())
    if found is None or not found.allowed:
        return
    try:
        done = _removed(payload.harvest, context)
    except StillNeeded as needed:
        with context.finishing():
            actions.purge_refused(actor, harvest_id=payload.harvest, reason=str(needed))
        return
    except Conflict as busy:
        _log.info("purge_waits", harvest=payload.harvest, reason=busy.what)
        context.put_off(context.clock.now() + _LATER)
        return
    with context.finishing():
        actions.purged(actor, harvest_id=payload.harvest, done=done, by=payload.by)
    _log.info("harvest_purged", harvest=payload.harvest, files=done.files, bytes=done.bytes)


def _removed(harvest: int, context: RunContext) -> Purged:
    folder = folder_of(harvest)
    if not folder.path.is_dir() and not folder.path.parent.is_dir():
        remedy = "Run an agent where the data of the harvest lies, or share the home folder."
        raise Missing("the folder of the harvest is not here", where=str(folder.path), remedy=remedy)
    if not folder.path.is_dir():
        return Purged(files=0, bytes=0, results={})  # it was aborted before it had any
    done = purge(folder.path, list(standing_on(harvest)), clock=context.clock)
    if (shared := shared_store()) is not None:
        shared.drop_parts(harvest)
    return done


def purge_what_is_due(turn: Turn) -> None:
    """Have the data removed whose days are over, unless a parameter says that people do it."""
    if not value("purge_automatically"):
        return
    now = turn.clock.now()
    found = due_now(now, archived=bool(value("purge_archived_automatically")))
    for harvest in found:
        if turn.should_stop():
            return
        purge_soon(harvest, now)
    if found:
        _log.info("purge_ordered", count=len(found))


PURGE_CHORES = (Periodic(name="purge_what_is_due", every=lambda _: _DAY, work=purge_what_is_due),)

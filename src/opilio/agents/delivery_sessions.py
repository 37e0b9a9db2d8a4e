"""Runs delivery sessions: the job, and the chore that orders one when it is due."""

from datetime import timedelta

from django.conf import settings

from opilio.agents.context import RunContext
from opilio.agents.periodic import Periodic, Turn
from opilio.deliveries.states import Phase
from opilio.kernel.logs import bound, logger
from opilio.kernel.traces import span
from opilio.people.actor import system
from opilio.tracker import profiles, session_jobs, sessions
from opilio.tracker.actions.retention import expire
from opilio.tracker.clerk import SessionRuns
from opilio.tracker.delivery_folder import delivery_files
from opilio.tracker.session_jobs import RunDeliverySession
from opilio.tracker.sessions import Wishes

BY = "schedule"
_LATER = timedelta(seconds=30)  # until a session that somebody else runs is asked for again
_MINUTE = 60.0  # seconds
_HOUR = 3_600.0  # seconds

_log = logger(__name__)


def run_session(payload: RunDeliverySession, context: RunContext) -> None:
    """Run it to its end; while another is under way, later. One that is cut off goes on where it was."""
    try:
        with bound(profile=payload.profile), span("delivery session", profile=payload.profile):
            ended = sessions.run(_wishes(payload, context))
    except SessionRuns as busy:
        context.progress(None, busy.what)
        context.put_off(context.clock.now() + _LATER)
        return
    _log.info("delivery_session_ended", session=ended.session, profile=payload.profile, good=ended.good)
    context.check()


def _wishes(payload: RunDeliverySession, context: RunContext) -> Wishes:
    def begun(phase: Phase) -> None:
        context.progress(100 * (phase - 1) // len(Phase), phase.title)

    return Wishes(
        profile=profiles.named(payload.profile), files=delivery_files(), by=payload.by,
        downloaders=payload.downloaders, validators=payload.validators, dry_run=payload.dry_run, clock=context.clock,
        lease=timedelta(seconds=settings.OPILIO.agent_lease_seconds), stopped=context.should_stop, begun=begun,
    )  # fmt: skip


def run_what_is_due(turn: Turn) -> None:
    """Order the session that waits longest; the next one has its turn when this has ended."""
    for profile in session_jobs.due(turn.clock.now())[:1]:
        made = session_jobs.run_soon(session_jobs.ordered(profile, BY), turn.clock.now())
        if made.fresh:
            _log.info("delivery_session_ordered", profile=profile, job=made.id)


def remove_old_deliveries(turn: Turn) -> None:
    """Remove files whose time is over, a portion at a time; later, while a session runs."""
    actor = system(name="retention", clock=turn.clock)
    try:
        while not turn.should_stop() and (gone := expire(actor, files=delivery_files())):
            _log.info("deliveries_removed", count=len(gone))
    except SessionRuns as busy:
        _log.info("delivery_retention_waits", reason=busy.what)


DELIVERY_CHORES = (
    Periodic(name="run_delivery_sessions", every=lambda _: _MINUTE, work=run_what_is_due),
    Periodic(name="remove_old_deliveries", every=lambda _: _HOUR, work=remove_old_deliveries),
)

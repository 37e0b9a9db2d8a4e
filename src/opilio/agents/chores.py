"""What agents do every so often. Add a line to CHORES; the work is a function of one Turn."""

from datetime import timedelta

from opilio.agents.access_file import ACCESS_CHORES
from opilio.agents.delivery_sessions import DELIVERY_CHORES
from opilio.agents.deposits import DEPOSIT_CHORES
from opilio.agents.fixity import FIXITY_CHORES
from opilio.agents.harvest_chores import HARVEST_CHORES
from opilio.agents.patches import PATCH_CHORES
from opilio.agents.periodic import Periodic, Turn
from opilio.agents.publish_chores import PUBLISH_CHORES
from opilio.agents.purge import PURGE_CHORES
from opilio.agents.results import RESULT_CHORES
from opilio.agents.running_index import RUNNING_CHORES
from opilio.agents.takedowns import TAKEDOWN_CHORES
from opilio.catalogue import statistics
from opilio.curation import clockwork, plan_ahead
from opilio.curation.actions import group_expiry
from opilio.curation.actions.harvester_health import warn_lost
from opilio.curation.bulk import forgetting
from opilio.jobs import queue, roster
from opilio.kernel.logs import logger
from opilio.people import housekeeping, seals
from opilio.people.actor import system

KEPT = timedelta(days=30)  # finished jobs and ended agents stay visible so long
_SILENT_LEASES = 2
_HOUR = 3_600.0  # seconds
_QUARTER = 900.0  # seconds
_SIX_HOURS = 21_600.0  # seconds

_log = logger(__name__)


def mark_lost_agents(turn: Turn) -> None:
    """Mark the agents that fell silent; their jobs are taken over by whoever claims next."""
    silence = timedelta(seconds=turn.settings.agent_lease_seconds * _SILENT_LEASES)
    names = roster.silent(now=turn.clock.now(), silence=silence)
    lost = roster.mark_lost(now=turn.clock.now(), silence=silence)
    if lost:
        _log.warning("agents_lost", count=lost)
        warn_lost(system(name="agents", clock=turn.clock), agents=names)


def forget_old_jobs(turn: Turn) -> None:
    """Delete what was finished long ago, in short transactions."""
    before = turn.clock.now() - KEPT
    roster.forget(before=before)
    while not turn.should_stop() and queue.forget_finished(before=before):
        pass


def seal_audit_log(turn: Turn) -> None:
    """Chain the audit entries that have been committed since the last turn."""
    with turn.writing():
        sealed = seals.seal(turn.clock.now())
    if sealed:
        _log.debug("audit_sealed", count=sealed)


def tidy_people(turn: Turn) -> None:
    """End sign-in sessions that are over, and forget old failures and notifications."""
    idle = timedelta(minutes=turn.settings.signin_idle_minutes)
    longest = timedelta(hours=turn.settings.signin_max_hours)
    housekeeping.tidy(turn.clock.now(), idle=idle, longest=longest)


def count_tables(turn: Turn) -> None:
    """Let the database know how its tables have grown, if it does not look by itself."""
    statistics.refresh()


def watch_permissions(turn: Turn) -> None:
    """Remind authorising agents, and tell people what expires and what is not answered."""
    actor = system(name="clockwork", clock=turn.clock)
    clockwork.turn(actor, base_url=turn.settings.server_public_url, should_stop=turn.should_stop)


def plan_harvests_ahead(turn: Turn) -> None:
    """Plan the harvests that have come within the look-ahead of their schedules."""
    made = plan_ahead.extend_all(system(clock=turn.clock), should_stop=turn.should_stop)
    if made:
        _log.info("harvests_planned", count=made)


def expire_groups(turn: Turn) -> None:
    """End the groups whose last day is over."""
    ended = group_expiry.expire_due(system(clock=turn.clock), should_stop=turn.should_stop)
    if ended:
        _log.info("groups_ended", count=ended)


def forget_bulk_work(turn: Turn) -> None:
    """Delete bulk work that was done long ago, or prepared and never started, in short transactions."""
    while not turn.should_stop() and forgetting.forget(turn.clock.now()):
        pass


CHORES: tuple[Periodic, ...] = (
    Periodic(name="mark_lost_agents", every=lambda settings: settings.agent_lease_seconds, work=mark_lost_agents),
    Periodic(name="seal_audit_log", every=lambda settings: settings.audit_seal_seconds, work=seal_audit_log),
    Periodic(name="tidy_people", every=lambda _: _QUARTER, work=tidy_people),
    Periodic(name="count_tables", every=lambda _: _SIX_HOURS, work=count_tables),
    Periodic(name="watch_permissions", every=lambda _: _HOUR, work=watch_permissions),
    Periodic(name="forget_old_jobs", every=lambda _: _HOUR, work=forget_old_jobs),
    Periodic(name="forget_bulk_work", every=lambda _: _HOUR, work=forget_bulk_work),
    Periodic(name="plan_harvests_ahead", every=lambda _: _HOUR, work=plan_harvests_ahead),
    *HARVEST_CHORES,
    *RESULT_CHORES,
    *PATCH_CHORES,
    *ACCESS_CHORES,
    *PUBLISH_CHORES,
    *RUNNING_CHORES,
    *PURGE_CHORES,
    *FIXITY_CHORES,
    *TAKEDOWN_CHORES,
    *DEPOSIT_CHORES,
    *DELIVERY_CHORES,
    Periodic(name="expire_groups", every=lambda _: _HOUR, work=expire_groups),
)

"""What agents do every so often for harvests: begin what is due, look after what hangs, divide the line."""

from opilio.agents.periodic import Periodic, Turn
from opilio.curation import harvest_care, result_care, scheduler
from opilio.curation.actions.bandwidth import divide_line
from opilio.curation.actions.harvester_health import warn_narrow, warn_unwell
from opilio.curation.networks import network_of
from opilio.jobs import roster
from opilio.kernel.logs import logger
from opilio.people.actor import system

_MINUTE = 60.0  # seconds

_log = logger(__name__)


def run_scheduler(turn: Turn) -> None:
    """Hand harvests whose time came to the run guard."""
    network = network_of(turn.settings)
    actor = system(name="scheduler", clock=turn.clock)
    counts = scheduler.tick(actor, network, should_stop=turn.should_stop, rest=turn.rest)
    if counts:
        _log.info("scheduler_tick", **{verdict.value: count for verdict, count in counts.items()})


def look_after_harvests(turn: Turn) -> None:
    """Heal harvests that lost their job, and flag late ones."""
    cared = harvest_care.look_after(system(name="scheduler", clock=turn.clock), should_stop=turn.should_stop)
    if cared:
        _log.warning("harvests_cared_for", count=cared)


def adopt_results(turn: Turn) -> None:
    """Let every harvest that ended be reviewed, whatever was lost on the way."""
    cared = result_care.look_after(system(name="results", clock=turn.clock), should_stop=turn.should_stop)
    if cared:
        _log.info("results_cared_for", count=cared)


def divide_the_line(turn: Turn) -> None:
    """Keep running harvests within what the line may carry now."""
    told = divide_line(system(name="line", clock=turn.clock))
    if told:
        _log.info("line_divided", count=told)


def watch_health(turn: Turn) -> None:
    """Warn those who look after agents of unwell machines and of a line that is too narrow."""
    actor = system(name="agents", clock=turn.clock)
    warn_unwell(actor, reasons=roster.unwell())
    warn_narrow(actor)


HARVEST_CHORES: tuple[Periodic, ...] = (
    Periodic(name="run_scheduler", every=lambda settings: settings.scheduler_seconds, work=run_scheduler),
    Periodic(name="look_after_harvests", every=lambda settings: settings.agent_lease_seconds, work=look_after_harvests),
    Periodic(name="adopt_results", every=lambda _: _MINUTE, work=adopt_results),
    Periodic(name="divide_the_line", every=lambda settings: settings.scheduler_seconds, work=divide_the_line),
    Periodic(name="watch_health", every=lambda settings: settings.agent_lease_seconds, work=watch_health),
)

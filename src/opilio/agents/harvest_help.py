"""Does the job HelpHarvest: takes part in a harvest that another agent leads, through the leases of its crawl store.

A helper decides nothing about the harvest: it fetches for the hosts that it was leased, brings its captures into the
work store, and leaves when nothing waits any more, or when it is told to.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.db import connections

from opilio.agents.context import RunContext, Stop
from opilio.agents.shield import DATABASE_LOST
from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.settings import DEFAULTS, EngineSettings
from opilio.crawl.report.live import Look
from opilio.curation import harvest_folders, harvest_plan, snapshots
from opilio.curation.harvest_jobs import HelpHarvest, helpers_at
from opilio.curation.queries.harvest_helpers import Led, led
from opilio.jobs.errors import Fenced
from opilio.kernel.errors import Unavailable
from opilio.kernel.logs import logger
from opilio.kernel.settings import Settings
from opilio.works.crawl_to_archive import Crew
from opilio.works.run_harvest import FolderInUse, HarvestFolder
from opilio.works.sharing.shared_harvest import SharedHarvest, Terms

_LATER = timedelta(seconds=3)  # until a helper looks again whether it is needed
_SHORTEST = 10.0  # seconds of a lease of hosts; a commit may take some
_LOOK = 0.5  # seconds between two looks whether helpers have left

_log = logger(__name__)


def shared_by(
    context: RunContext, harvest: int, folder: HarvestFolder, *, ordered: Callable[[], str]
) -> SharedHarvest | None:
    """A harvest in the work store, as the agent has it that leads it; None where all share the home folder."""
    store = harvest_folders.shared_store()
    if store is None:
        return None
    terms = Terms(
        every=settings.OPILIO.harvest_checkpoint_seconds, allowed=context.heartbeat, wait=_waiting(context),
        alone=lambda: _wait_until_alone(context, harvest), ordered=ordered,
    )  # fmt: skip
    return SharedHarvest(folder=folder, copying=store.copying(harvest), terms=terms)


def rhythm_of(given: Settings) -> EngineSettings:
    """How workers of harvests work: their hosts are given to others about when their agent's jobs are."""
    return replace(DEFAULTS, ttl=max(_SHORTEST, given.agent_lease_seconds))


def help_harvest(payload: HelpHarvest, context: RunContext) -> None:
    """Help as long as there is something to do; done when the harvest does not run any more."""
    found = led(payload.harvest)
    if found is None:
        return
    store, address = harvest_folders.shared_store(), harvest_folders.address_of(payload.harvest)
    if store is None or not address.url:
        return
    if found.agent != context.claimed.owner:  # one agent needs no help of its own
        copying = store.helping(payload.harvest)
        folder = HarvestFolder(path=copying.folder, address=address)
        terms = Terms(
            every=settings.OPILIO.harvest_checkpoint_seconds, allowed=context.heartbeat, wait=_waiting(context)
        )
        try:
            SharedHarvest(folder=folder, copying=copying, terms=terms).help(_crew(payload.harvest, found, context))
        except FolderInUse as busy:
            _log.info("help_put_off", harvest=payload.harvest, reason=busy.what)
    context.check()
    context.put_off(context.clock.now() + _LATER)


def _crew(harvest: int, found: Led, context: RunContext) -> Crew:
    brake = Brake()

    def attend(look: Look) -> None:
        """Called about every second beside the crawl: whether to leave."""
        try:
            if not context.should_stop():
                context.heartbeat()
        except Fenced:
            context.tell(Stop.LOST)
        except (*DATABASE_LOST, Unavailable) as error:
            _log.warning("help_without_database", harvest=harvest, error=str(error).strip())
        finally:
            connections.close_all()
        if context.should_stop() and not brake.pulls:
            brake.pull()

    return Crew(
        workers=settings.OPILIO.harvest_workers, brake=brake, look=attend, clock=context.clock,
        book=harvest_plan.book_for(snapshots.frozen_plan(harvest)), since=_earlier(found),
        settings=rhythm_of(settings.OPILIO),
    )  # fmt: skip


def _earlier(found: Led) -> str:
    """Where the earlier harvest lies here; empty when there is none, or it cannot be read: then all is fetched."""
    if found.since is None:
        return ""
    folder = harvest_folders.folder_of(found.since)
    return str(folder.path) if folder.readable() else ""


def _waiting(context: RunContext) -> Callable[[float], None]:
    def wait(seconds: float) -> None:
        context.wait(seconds)
        context.check()

    return wait


def _wait_until_alone(context: RunContext, harvest: int) -> None:
    """Helpers leave by themselves once nothing waits; one that fell is known by the end of its lease."""
    wait = _waiting(context)
    while helpers_at(harvest, context.clock.now()):
        wait(_LOOK)

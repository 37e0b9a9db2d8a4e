"""The demo's harvests: the sample site collected as a target, one that waits for its time, one held with a reason."""

import contextlib
import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from opilio.agents.context import RunContext
from opilio.agents.harvests import run_harvest
from opilio.cli import demo_rights
from opilio.cli.demo_data import LIBRARY, MUSEUM, actor_named
from opilio.cli.lookups import agency_named
from opilio.curation import scheduler
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.actions.harvests import plan_harvest
from opilio.curation.actions.profiles import create_profile
from opilio.curation.actions.seeds import add_seed, update_seed
from opilio.curation.actions.target_moves import move_target
from opilio.curation.actions.targets import create_target
from opilio.curation.harvest_folders import folder_of
from opilio.curation.harvest_jobs import RUN_KIND, RunHarvest
from opilio.curation.harvest_plan import Network
from opilio.curation.queries import harvests as query
from opilio.curation.queries import targets as queries
from opilio.curation.seeding import Link
from opilio.curation.words import HarvestState
from opilio.jobs import claims
from opilio.people.actor import Actor
from opilio.server.errors import DemoFailed
from opilio.works.sealed_crawl import SealedCrawl, results_of

if TYPE_CHECKING:
    from opilio.curation.models import Target

SAMPLE, DIARY = "Sample site", "Museum diary"
_LOOPBACK = Network(allow_private=("127.0.0.0/8",))
_SOON = datetime.timedelta(seconds=0.1)
_LEASE = datetime.timedelta(minutes=10)
_PROFILE = {"scope": {"kind": "host"}, "manners": {"preset": "own-site"}}


@dataclass(frozen=True, kw_only=True)
class Harvested:
    """What there is to look at now."""

    id: int
    folder: Path
    pages: int
    broken_links: int
    scheduled: int  # harvests that wait for their time
    held: int  # a harvest that waits for a person
    reason: str  # why


def run(me: Actor, site: str) -> Harvested:
    """Harvest the sample site now, in this process, as an agent does; its port differs each time."""
    held = _held(me)
    target = _sample(me, f"{site}/")
    made = harvest_now(me, holder_id=target.pk, network=_LOOPBACK)
    _work(me, made.pk)
    scheduler.tick(me, _LOOPBACK, should_stop=lambda: False)
    folder = folder_of(made.pk)
    with contextlib.closing(SealedCrawl(results_of(folder.crawl).result)) as sealed:
        report = sealed.report()
    return Harvested(
        id=made.pk, folder=folder.path, pages=report["counted"], broken_links=report["broken_links"]["links"],
        scheduled=query.counts(me).get(HarvestState.SCHEDULED, 0), held=held,
        reason=query.harvest(me, held).reason,
    )  # fmt: skip


def _work(me: Actor, harvest: int) -> None:
    """Take the job and run it."""
    claimed = claims.claim(owner="demo", limit=1, now=me.clock.now(), lease=_LEASE, kinds={RUN_KIND})
    if not claimed or claimed[0].document["harvest"] != harvest:
        raise DemoFailed("Another harvest waits before the demo's", where="demo", remedy="Use a new --home.")
    run_harvest(RunHarvest(harvest=harvest), RunContext(claimed[0], clock=me.clock, lease=_LEASE))


def _sample(me: Actor, url: str) -> "Target":
    found = queries.targets(me).filter(name=SAMPLE).first()
    if found is None:
        return _made(me, SAMPLE, LIBRARY, "curator", url)
    seed = queries.seeds_of(found).first()
    if seed is not None and seed.url != url:
        update_seed(me, seed_id=seed.pk, version=seed.version, url=url)
    return found


def _held(me: Actor) -> int:
    """A harvest of an agency that has no profile yet: when its time comes, it waits until somebody makes one."""
    found = query.harvests(me).filter(held=True).first()
    if found is not None:
        return int(found.pk)
    target = _made(me, DIARY, MUSEUM, "museum-curator", "http://diary.museum.example/")
    return int(plan_harvest(me, holder_id=target.pk, at=me.clock.now() + _SOON).pk)


def _made(me: Actor, name: str, agency_name: str, owner: str, url: str) -> "Target":
    """An approved target with one seed and its right."""
    agency, user = agency_named(me, agency_name), actor_named(me, owner).user
    profile = None
    if name == SAMPLE:
        profile = create_profile(
            me, agency_id=agency.id, name="Own sites", description="For servers of one's own.", settings=_PROFILE
        ).pk
    permission = demo_rights.granted(me, agency.id, name, f"{url}*")
    target = create_target(me, name=name, agency_id=agency.id, owner_id=user, profile_id=profile)
    add_seed(me, target_id=target.pk, url=url, link=Link.PERMISSION, permission_id=permission)
    move_target(me, target_id=target.pk, verb="approve")
    return target

"""The demo's harvests: one to review, one archived, one aborted, one rejected, one that runs, one held with a reason.

Each is made once; a second run finds it.
"""

import contextlib
import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opilio.cli import demo_jobs, demo_rights
from opilio.cli.demo_data import LIBRARY, MUSEUM, actor_named
from opilio.cli.lookups import agency_named
from opilio.curation import scheduler
from opilio.curation.actions.depositories import create_depository
from opilio.curation.actions.deposits import archive_harvest
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.actions.harvest_orders import order_move
from opilio.curation.actions.harvests import plan_harvest
from opilio.curation.actions.profiles import create_profile
from opilio.curation.actions.publications import start_publication
from opilio.curation.actions.rejection_reasons import create_reason
from opilio.curation.actions.result_decisions import endorse_harvest, reject_harvest
from opilio.curation.actions.seeds import add_seed, update_seed
from opilio.curation.actions.target_moves import move_target
from opilio.curation.actions.targets import create_target
from opilio.curation.harvest_folders import folder_of
from opilio.curation.harvest_plan import Network
from opilio.curation.queries import deposits, profiles
from opilio.curation.queries import harvests as query
from opilio.curation.queries import targets as queries
from opilio.curation.seeding import Link
from opilio.curation.words import HarvestState
from opilio.people.actor import Actor
from opilio.works.sealed_crawl import SealedCrawl, results_of

if TYPE_CHECKING:
    from opilio.curation.models import Harvest, Target

SAMPLE, DIARY, NEWS, CAMERAS = "Sample site", "Museum diary", "Museum news", "Tide cameras"
TIMETABLE, BOATS = "Timetable of 1998", "Boat register"
_LOOPBACK = Network(allow_private=("127.0.0.0/8",))
_SOON = datetime.timedelta(seconds=0.1)
_OWN = ("Own sites", "For servers of one's own.", {"preset": "own-site"})
_SLOW = ("Very gentle", "One request in twelve seconds.", {"preset": "own-site", "delay": 12.0})
_LIVE = frozenset({HarvestState.QUEUED, HarvestState.RUNNING, HarvestState.PAUSED, HarvestState.STOPPING})


@dataclass(frozen=True, kw_only=True)
class Harvested:
    """What there is to look at now."""

    id: int
    folder: Path
    pages: int
    broken_links: int
    scheduled: int  # harvests that wait for their time
    archived: int
    running: int
    held: int  # a harvest that waits for a person
    reason: str  # why


def run(me: Actor, site: str, home: Path) -> Harvested:
    """Build what is not there yet, in this process, as an agent does; the one that runs is left to the agent."""
    held = _held(me)
    review = _to_review(me, f"{site}/")
    archived = _archived(me, f"{site}/news/", home)
    _rejected(me, f"{site}/timetable-1998/")
    _aborted(me, f"{site}/boats/")
    scheduler.tick(me, _LOOPBACK, should_stop=lambda: False)
    demo_jobs.rest(me)
    running = _running(me, f"{site}/collections/")
    folder = folder_of(review)
    with contextlib.closing(SealedCrawl(results_of(folder.crawl).result)) as sealed:
        report = sealed.report()
    return Harvested(
        id=review, folder=folder.path, pages=report["counted"], broken_links=report["broken_links"]["links"],
        scheduled=query.counts(me).get(HarvestState.SCHEDULED, 0), archived=archived, running=running, held=held,
        reason=query.harvest(me, held).reason,
    )  # fmt: skip


def _to_review(me: Actor, url: str) -> int:
    """The whole sample site, harvested, indexed and measured; again only if the site has moved."""
    target, moved = _placed(me, SAMPLE, url, _OWN)
    found = _of(me, target, HarvestState.HARVESTED)
    return int(found.pk) if found is not None and not moved else _harvested(me, target)


def _archived(me: Actor, url: str, home: Path) -> int:
    """A harvest that was endorsed, handed to a depository and published."""
    target, _ = _placed(me, NEWS, url, _OWN)
    found = _of(me, target, HarvestState.ARCHIVED)
    if found is not None:
        return int(found.pk)
    made = _harvested(me, target)
    endorse_harvest(me, harvest_id=made, note="Complete, and every picture is there.")
    demo_jobs.rest(me)
    if not deposits.depositories(me).exists():
        place = str(home / "depositories" / "cellar")
        create_depository(me, name="Cellar", kind="directory", place=place, form="bag")
    archive_harvest(me, harvest_id=made)
    start_publication(me)
    demo_jobs.rest(me)
    return made


def _rejected(me: Actor, url: str) -> None:
    """A site that is gone: nothing came, and a reviewer said no."""
    target, _ = _placed(me, TIMETABLE, url, _OWN)
    if _of(me, target, HarvestState.REJECTED) is not None:
        return
    made = _harvested(me, target)
    reason = create_reason(me, agency_id=agency_named(me, LIBRARY).id, name="Nothing was collected", for_harvests=True)
    reject_harvest(me, harvest_id=made, reason_id=reason.pk, note="The page is gone.")


def _aborted(me: Actor, url: str) -> None:
    """One that somebody ended before it began."""
    target, _ = _placed(me, BOATS, url, _OWN)
    if _of(me, target, HarvestState.ABORTED) is None:
        made = harvest_now(me, holder_id=target.pk, network=_LOOPBACK)
        order_move(actor_named(me, "archivist"), harvest_id=made.pk, what="abort")


def _running(me: Actor, url: str) -> int:
    """One that takes a quarter of an hour, so that there is something to watch."""
    target, moved = _placed(me, CAMERAS, url, _SLOW)
    found = _of(me, target, *_LIVE)
    if found is not None and not moved:
        return int(found.pk)
    return int(harvest_now(me, holder_id=target.pk, network=_LOOPBACK).pk)


def _held(me: Actor) -> int:
    """A harvest of an agency that has no profile yet: when its time comes, it waits until somebody makes one."""
    found = query.harvests(me).filter(held=True).first()
    if found is not None:
        return int(found.pk)
    target = _made(me, DIARY, MUSEUM, "museum-curator", "http://diary.museum.example/", None)
    return int(plan_harvest(me, holder_id=target.pk, at=me.clock.now() + _SOON).pk)


def _harvested(me: Actor, target: "Target") -> int:
    made = harvest_now(me, holder_id=target.pk, network=_LOOPBACK)
    demo_jobs.harvest(me, made.pk)
    demo_jobs.rest(me)
    return int(made.pk)


def _of(me: Actor, target: "Target", *states: str) -> "Harvest | None":
    """The latest harvest of a target in one of these states."""
    return query.harvests(me).filter(abstract_target_id=target.pk, state__in=states).order_by("-id").first()


def _placed(me: Actor, name: str, url: str, manner: tuple[str, str, dict[str, Any]]) -> tuple["Target", bool]:
    """The target, and whether its site lies elsewhere than at the last run."""
    found = queries.targets(me).filter(name=name).first()
    if found is None:
        return _made(me, name, LIBRARY, "curator", url, manner), False
    seed = queries.seeds_of(found).first()
    moved = seed is not None and seed.url != url
    if seed is not None and moved:
        update_seed(me, seed_id=seed.pk, version=seed.version, url=url, root=url)
    return found, moved


def _made(
    me: Actor, name: str, agency_name: str, owner: str, url: str, manner: tuple[str, str, dict[str, Any]] | None
) -> "Target":  # fmt: skip
    """An approved target with one seed and its right."""
    agency, user = agency_named(me, agency_name), actor_named(me, owner).user
    profile = _profile(me, agency.id, manner) if manner is not None else None
    permission = demo_rights.granted(me, agency.id, name, f"{url}*")
    target = create_target(me, name=name, agency_id=agency.id, owner_id=user, profile_id=profile)
    add_seed(me, target_id=target.pk, url=url, root=url, link=Link.PERMISSION, permission_id=permission)
    move_target(me, target_id=target.pk, verb="approve")
    return target


def _profile(me: Actor, agency_id: int, manner: tuple[str, str, dict[str, Any]]) -> int:
    name, about, manners = manner
    found = profiles.profiles(me).filter(agency_id=agency_id, name=name).first()
    if found is not None:
        return int(found.pk)
    settings = {"scope": {"kind": "host"}, "manners": manners}
    return int(create_profile(me, agency_id=agency_id, name=name, description=about, settings=settings).pk)

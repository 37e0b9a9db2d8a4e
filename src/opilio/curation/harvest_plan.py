"""The crawl plan of a target or group from its rows, and the credentials that it needs.

For a harvest it is read once, when the harvest is frozen; for people who look at a target, as often as they do.
"""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.plan import CrawlPlan
from opilio.curation import credentials, overriding, rights_of
from opilio.curation.group_harvest import combined_harvest
from opilio.curation.harvested import targets_of
from opilio.curation.models import (
    AbstractTarget,
    Credential,
    ExcludedUrl,
    Group,
    Harvest,
    ObjectType,
    Overrides,
    Profile,
    Seed,
    Target,
)
from opilio.curation.plans import PlanCredential, PlanSeed, Wanted, crawl_plan
from opilio.curation.profile_settings import ProfileSettings, from_plain
from opilio.curation.profiling import default_profile
from opilio.curation.run_guard import LeftOut, Rights


@dataclass(frozen=True, kw_only=True)
class Network:
    """What the operator of the installation adds to every plan."""

    allow_private: tuple[str, ...] = ()
    contact: str = ""  # where a profile names none


NOWHERE = Network()


def day_of(harvest: Harvest, now: datetime.datetime) -> datetime.date:
    """The day that it is for the agency of a harvest."""
    return now.astimezone(ZoneInfo(harvest.agency.time_zone or "UTC")).date()


def profile_of(row: AbstractTarget) -> Profile | None:
    """The profile that a target or group is crawled with: its own, or the default of its agency."""
    return row.profile or default_profile(row.agency_id)


def collected(harvest: Harvest, now: datetime.datetime) -> tuple[Rights, list[Target]]:
    """What the permissions say, and the targets that may be collected: one, or members of a group harvested as one."""
    row = harvest.abstract_target
    if row.object_type == ObjectType.TARGET:
        problems = rights_of.run_problems(row.pk, day_of(harvest, now))
        return Rights(problems=problems), [] if problems else list(Target.objects.filter(pk=row.pk))
    agency = harvest.schedule.owner.agency_id if harvest.schedule else row.agency_id
    found = combined_harvest(Group.objects.get(pk=row.pk), agency_id=agency, at=now)
    left_out = [LeftOut(name=one.name, reasons=(one.reason,)) for one in found.left_out]
    nothing = () if found.runs else ("No member of the group may be collected now.",)
    targets = Target.objects.filter(pk__in={seed.target for seed in found.seeds}).order_by("pk")
    return Rights(problems=nothing, left_out=left_out), list(targets)


def plan_for(harvest: Harvest, targets: Sequence[Target], on: datetime.date, network: Network) -> CrawlPlan:
    """The plan of a harvest; `BadPlan` or `BadProfile` names what cannot be carried out."""
    row = harvest.abstract_target
    numbers = [target.pk for target in targets]
    return _plan(row, numbers, harvest.overrides or row.overrides, on, network)


def plan_of(row: AbstractTarget, on: datetime.date, network: Network = NOWHERE) -> CrawlPlan:
    """How a target, or a group as one, would be crawled on a day."""
    return _plan(row, targets_of(row), row.overrides, on, network)


def settings_of(row: AbstractTarget) -> ProfileSettings:
    """The settings of the profile that a target or group has, or else of its agency's default."""
    profile = profile_of(row)
    return from_plain(profile.settings) if profile is not None else ProfileSettings()


def exclusions_of(targets: Iterable[int], on: datetime.date) -> list[rights_of.Exclusion]:
    """What permissions keep out of the harvests of these targets."""
    return [one for target in targets for one in rights_of.exclusions_of(target, on)]


def book_for(plan: CrawlPlan) -> CredentialBook:
    """The credentials that the seeds of a plan name, opened; over http only where a seed itself is."""
    named = {seed.credential for seed in plan.seeds if seed.active and seed.credential}
    plain = {seed.credential for seed in plan.seeds if seed.url.startswith("http:")}
    rows = Credential.objects.filter(pk__in=[int(name.rpartition("-")[2]) for name in named])
    return CredentialBook(
        {name: credentials.for_crawl(row, https_only=name not in plain)
         for row in rows if (name := credentials.crawl_name(row))}
    )  # fmt: skip


def _plan(
    row: AbstractTarget, targets: Sequence[int], overrides: Overrides | None, on: datetime.date, network: Network
) -> CrawlPlan:
    made = crawl_plan(
        Wanted(
            seeds=_seeds(targets),
            settings=_within(settings_of(row), network),
            overrides=overriding.values_of(overrides),
            credentials=_credentials(overrides),
            excluded_urls=_excluded_urls(targets),
            exclusions=[one.expression for one in exclusions_of(targets, on)],
        )
    )
    return replace(made, fetch=replace(made.fetch, allow_private=network.allow_private))


def _seeds(targets: Sequence[int]) -> list[PlanSeed]:
    """The active seeds of targets, each URL once, in the order of targets and places."""
    found: dict[str, PlanSeed] = {}
    rows = Seed.objects.filter(target_id__in=targets, active=True).select_related("credential")
    for row in rows.order_by("target_id", "position", "id"):
        found.setdefault(row.url, _seed(row))
    return list(found.values())


def _seed(row: Seed) -> PlanSeed:
    return PlanSeed(
        url=row.url, root=row.root, depth=row.depth_limit, max_pages=row.page_limit or None, append=row.append,
        credential=credentials.crawl_name(row.credential) if row.credential else "",
    )  # fmt: skip


def _credentials(overrides: Overrides | None) -> list[PlanCredential]:
    rows = Credential.objects.filter(overrides=overrides) if overrides else []
    return [PlanCredential(name=credentials.crawl_name(one), domain=one.domain) for one in rows]


def _within(settings: ProfileSettings, network: Network) -> ProfileSettings:
    contact = settings.manners.contact or network.contact
    return replace(settings, manners=replace(settings.manners, contact=contact))


def _excluded_urls(targets: Sequence[int]) -> list[str]:
    rows = ExcludedUrl.objects.filter(target_id__in=targets)
    return list(rows.order_by("url").values_list("url", flat=True).distinct())

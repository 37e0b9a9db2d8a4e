"""The crawl plan of a harvest, from what its target or group says now: read once, when the harvest is frozen."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from opilio.crawl.plan import CrawlPlan
from opilio.curation import rights_of
from opilio.curation.credentials import crawl_name
from opilio.curation.group_harvest import combined_harvest
from opilio.curation.models import (
    AbstractTarget,
    Credential,
    ExcludedUrl,
    Harvest,
    ObjectType,
    OverridePattern,
    Overrides,
    PatternUse,
    Profile,
    Seed,
    Target,
)
from opilio.curation.overrides import NONE, SWITCHED, OverrideValues
from opilio.curation.plans import PlanSeed, Wanted, crawl_plan
from opilio.curation.profile_settings import ProfileSettings, from_plain
from opilio.curation.profiling import default_profile
from opilio.curation.run_guard import LeftOut, Rights

_PLAIN = tuple(name for name in SWITCHED if name not in ("exclusions", "inclusions", "credentials"))


@dataclass(frozen=True, kw_only=True)
class Network:
    """What the operator of the installation adds to every plan."""

    allow_private: tuple[str, ...] = ()
    contact: str = ""  # where a profile names none


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
    found = combined_harvest(row.pk, agency_id=agency, at=now)
    left_out = [LeftOut(name=one.name, reasons=(one.reason,)) for one in found.left_out]
    nothing = () if found.runs else ("No member of the group may be collected now.",)
    targets = Target.objects.filter(pk__in={seed.target for seed in found.seeds}).order_by("pk")
    return Rights(problems=nothing, left_out=left_out), list(targets)


def plan_for(harvest: Harvest, targets: Sequence[Target], on: datetime.date, network: Network) -> CrawlPlan:
    """The plan; `BadPlan` or `BadProfile` names what cannot be carried out."""
    row = harvest.abstract_target
    profile = profile_of(row)
    settings = from_plain(profile.settings) if profile is not None else ProfileSettings()
    made = crawl_plan(
        Wanted(
            seeds=seeds_of(targets),
            settings=_within(settings, network),
            overrides=override_values(harvest.overrides or row.overrides),
            excluded_urls=_excluded_urls(targets),
            exclusions=_exclusions(targets, on),
        )
    )
    return replace(made, fetch=replace(made.fetch, allow_private=network.allow_private))


def seeds_of(targets: Iterable[Target]) -> tuple[PlanSeed, ...]:
    """The active seeds of targets, each URL once, in the order of targets and places."""
    rows = Seed.objects.filter(target__in=[target.pk for target in targets], active=True)
    found: dict[str, PlanSeed] = {}
    for row in rows.select_related("credential").order_by("target_id", "position", "id"):
        found.setdefault(row.url, _plan_seed(row))
    return tuple(found.values())


def override_values(row: Overrides | None) -> OverrideValues:
    """The overrides of a row as plain values."""
    if row is None:
        return NONE
    plain = {name: getattr(row, name) for name in _PLAIN}
    plain["excluded_mime_types"] = tuple(row.excluded_mime_types.split())
    patterns = list(OverridePattern.objects.filter(overrides=row).order_by("position", "id"))
    return OverrideValues(
        **plain,
        exclusions=tuple(one.expression for one in patterns if one.use == PatternUse.EXCLUDE),
        inclusions=tuple(one.expression for one in patterns if one.use == PatternUse.INCLUDE),
        on=frozenset(name for name in SWITCHED if getattr(row, f"overrides_{name}")),
    )


def credentials_of(plan: CrawlPlan) -> list[Credential]:
    """The credentials that the seeds of a plan name."""
    names = {seed.credential for seed in plan.seeds if seed.credential}
    numbers = [int(name.rpartition("-")[2]) for name in names]
    return list(Credential.objects.filter(pk__in=numbers))


def _plan_seed(row: Seed) -> PlanSeed:
    return PlanSeed(
        url=row.url, root=row.root, depth=row.depth_limit, max_pages=row.page_limit or None, append=row.append,
        credential=crawl_name(row.credential) if row.credential else "",
    )  # fmt: skip


def _within(settings: ProfileSettings, network: Network) -> ProfileSettings:
    contact = settings.manners.contact or network.contact
    return replace(settings, manners=replace(settings.manners, contact=contact))


def _excluded_urls(targets: Iterable[Target]) -> tuple[str, ...]:
    rows = ExcludedUrl.objects.filter(target__in=[target.pk for target in targets])
    return tuple(rows.order_by("url").values_list("url", flat=True).distinct())


def _exclusions(targets: Iterable[Target], on: datetime.date) -> tuple[str, ...]:
    found = (exclusion.pattern for target in targets for exclusion in rights_of.exclusions_of(target.pk, on))
    return tuple(dict.fromkeys(found))

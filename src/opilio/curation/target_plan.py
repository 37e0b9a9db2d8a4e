"""From the rows of a target or group to its crawl plan and the credentials that the crawl needs."""

from collections.abc import Sequence
from datetime import date

from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.plan import CrawlPlan
from opilio.curation import credentials, overriding, rights_of
from opilio.curation.harvested import targets_of
from opilio.curation.models import AbstractTarget, Credential, ExcludedUrl, Seed
from opilio.curation.plans import PlanCredential, PlanSeed, Wanted, crawl_plan
from opilio.curation.profile_settings import ProfileSettings, from_plain
from opilio.curation.profiling import default_profile


def plan_for(row: AbstractTarget, on: date) -> CrawlPlan:
    """How a target, or a group as one, is crawled on a day; `BadPlan` says why it cannot be."""
    targets = targets_of(row)
    seeds = Seed.objects.filter(target_id__in=targets).select_related("credential").order_by("position", "id")
    excluded = ExcludedUrl.objects.filter(target_id__in=targets).values_list("url", flat=True)
    return crawl_plan(
        Wanted(
            seeds=[_seed(seed) for seed in seeds], settings=settings_of(row),
            overrides=overriding.values_of(row.overrides), excluded_urls=list(excluded),
            credentials=_credentials(row),
            exclusions=[one.expression for one in exclusions_of(targets, on)],
        )
    )  # fmt: skip


def settings_of(row: AbstractTarget) -> ProfileSettings:
    """The settings of the profile that a target or group has, or else of its agency's default."""
    profile = row.profile or default_profile(row.agency_id)
    return from_plain(profile.settings) if profile is not None else ProfileSettings()


def exclusions_of(targets: Sequence[int], on: date) -> list[rights_of.Exclusion]:
    """What permissions keep out of the harvests of these targets."""
    return [one for target in targets for one in rights_of.exclusions_of(target, on)]


def book_for(plan: CrawlPlan) -> CredentialBook:
    """The credentials that the seeds of a plan name, opened; over http only where a seed itself is."""
    named = {seed.credential: seed.url for seed in plan.seeds if seed.active and seed.credential}
    plain = {name for name in named if any(s.credential == name and s.url.startswith("http:") for s in plan.seeds)}
    rows = Credential.objects.filter(id__in=[int(name.rpartition("-")[2]) for name in named])
    return CredentialBook(
        {name: credentials.for_crawl(row, https_only=name not in plain)
         for row in rows if (name := credentials.crawl_name(row))}
    )  # fmt: skip


def _credentials(row: AbstractTarget) -> list[PlanCredential]:
    rows = Credential.objects.filter(overrides=row.overrides) if row.overrides else []
    return [PlanCredential(name=credentials.crawl_name(one), domain=one.domain) for one in rows]


def _seed(row: Seed) -> PlanSeed:
    return PlanSeed(
        url=row.url, root=row.root, depth=row.depth_limit, max_pages=row.page_limit, append=row.append,
        active=row.active, credential=credentials.crawl_name(row.credential) if row.credential else "",
    )  # fmt: skip

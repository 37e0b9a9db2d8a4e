"""Puts a crawl plan together: seeds, profile, overrides, credentials, excluded pages, exclusions of permissions. Pure.

Exclusions of permissions are the law of a plan: no exception of a profile or of overrides takes one back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from opilio.crawl.plan import CrawlPlan, Scope, Seed
from opilio.curation.overrides import NONE, OverrideValues, applied, hops
from opilio.curation.profile_settings import ProfileSettings, plan_of


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanSeed:
    """A seed as its target has it."""

    url: str
    root: str = ""
    depth: int | None = None
    max_pages: int | None = None
    append: str = ""
    credential: str = ""  # name in the book of credentials
    active: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanCredential:
    """A credential of the target, for seeds that name none themselves."""

    name: str  # in the book of credentials
    domain: str  # a host, or a domain with all its hosts

    def fits(self, url: str) -> bool:
        """Whether it is for the host of a URL."""
        host, domain = (urlsplit(url).hostname or "").lower(), self.domain.strip().lower().partition(":")[0]
        return bool(domain) and (host == domain or host.endswith(f".{domain}"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Everything that decides how a target is crawled."""

    seeds: Sequence[PlanSeed]
    settings: ProfileSettings
    overrides: OverrideValues = NONE
    credentials: Sequence[PlanCredential] = ()  # count by the switch of the overrides
    excluded_urls: Sequence[str] = ()  # exactly these pages
    exclusions: Sequence[str] = ()  # of permissions, as RE2 over canonical URLs


def crawl_plan(wanted: Wanted) -> CrawlPlan:
    """The plan; `BadPlan` names what cannot be carried out."""
    settings = applied(wanted.settings, wanted.overrides)
    scope = _narrowed(settings.scope, wanted)
    return plan_of(replace(settings, scope=scope), tuple(_seed(seed, wanted) for seed in wanted.seeds))


def _seed(seed: PlanSeed, wanted: Wanted) -> Seed:
    most = hops(wanted.overrides)
    depth = most if seed.depth is None else seed.depth
    return Seed(
        url=seed.url, root=seed.root, depth=depth, max_pages=seed.max_pages, append=seed.append,
        credential=seed.credential or _credential(seed, wanted), active=seed.active,
    )  # fmt: skip


def _credential(seed: PlanSeed, wanted: Wanted) -> str:
    """The credential for the host of a seed that names none; the narrowest domain wins."""
    if not wanted.overrides.counts("credentials"):
        return ""
    fitting = [one for one in wanted.credentials if one.fits(seed.url)]
    return max(fitting, key=lambda one: len(one.domain)).name if fitting else ""


def _narrowed(scope: Scope, wanted: Wanted) -> Scope:
    """The scope without what may not be collected; no exception takes back what a permission keeps out."""
    urls = tuple(dict.fromkeys((*scope.excluded_urls, *wanted.excluded_urls)))
    return replace(scope, excluded_urls=urls, forbidden=tuple(dict.fromkeys(wanted.exclusions)))

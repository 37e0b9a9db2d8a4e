"""A crawl plan from the options of the command line."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import (
    CrawlPlan,
    Extract,
    Fetch,
    Limits,
    Manners,
    Order,
    Preset,
    RobotsPolicy,
    Scope,
    ScopeKind,
    Seed,
    Warc,
)
from opilio.crawl.proxies import EVERY_HOST
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import reading


@dataclass(frozen=True, kw_only=True)
class Given:
    """What was typed."""

    urls: tuple[str, ...]
    seeds_file: Path | None
    scope: ScopeKind
    root: str
    depth: int | None
    max_pages: int | None
    max_bytes: int | None
    max_seconds: int | None
    exclude: tuple[str, ...]
    exclude_url: tuple[str, ...]
    include: tuple[str, ...]
    append: str
    order: Order
    preset: Preset
    delay: float | None
    robots: RobotsPolicy
    user_agent: str
    contact: str
    allow_private: bool
    private_range: tuple[str, ...]
    offsite_embeds: bool
    sitemaps: bool
    since: Path | None = None
    revisits: bool = True
    proxy: tuple[str, ...] = ()
    proxy_dns: bool = False
    detect_language: bool = False


def plan_from(given: Given) -> CrawlPlan:
    """The plan; `BadPlan` and `BadUrl` name what cannot be used."""
    urls = (*given.urls, *_listed(given.seeds_file))
    if not urls:
        raise BadPlan("no URL was given", remedy="Name at least one URL, or a file of URLs with --seeds.")
    return CrawlPlan(
        seeds=tuple(Seed(url=url, root=given.root, depth=given.depth, append=given.append) for url in urls),
        scope=Scope(
            kind=given.scope,
            include=given.include,
            exclude=given.exclude,
            excluded_urls=given.exclude_url,
            offsite_embeds=given.offsite_embeds,
        ),
        limits=Limits(pages=given.max_pages, bytes=given.max_bytes, seconds=given.max_seconds),
        manners=Manners(
            preset=given.preset,
            delay=given.delay,
            robots=given.robots,
            user_agent=given.user_agent,
            contact=given.contact,
        ),
        fetch=Fetch(
            allow_private=("all",) if given.allow_private else given.private_range,
            since=str(given.since.absolute()) if given.since else "",
            proxies=dict(_proxy(text) for text in given.proxy),
            proxy_dns=given.proxy_dns,
        ),
        warc=Warc(revisits=given.revisits),
        extract=Extract(sitemaps=given.sitemaps, detect_language=given.detect_language),
        order=given.order,
    )


def refuse_beside(names: Iterable[str]) -> None:
    """`BadPlan` for options that the plan of a file answers already."""
    given = sorted(names)
    if given:
        listed = ", ".join("URL" if name == "urls" else f"--{name.replace('_', '-')}" for name in given)
        remedy = "Write it into the plan, or leave --plan out."
        raise BadPlan(f"a plan was given, and beside it: {listed}", where="--plan", remedy=remedy)


def _proxy(text: str) -> tuple[str, str]:
    """Host and URL of `HOST=URL`; without a host it is for all."""
    host, equals, url = text.partition("=")
    return (host.strip().lower(), url.strip()) if equals and "://" not in host else (EVERY_HOST, text.strip())


def _listed(file: Path | None) -> list[str]:
    """The URLs of a file, one per line; empty lines and those that begin with # are left out."""
    if file is None:
        return []
    with reading(file):
        data = file.read_bytes()
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InvalidInput("the file of seeds is no UTF-8 text", where=str(file), remedy="Save it as UTF-8.") from None
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]

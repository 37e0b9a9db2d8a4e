"""Crawls for programs: one call, and what became of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import CrawlPlan, Extract, Fetch, Limits, Manners, Preset, RobotsPolicy, Scope, ScopeKind, Seed
from opilio.works.crawl_to_archive import CrawlSummary, Crew, crawl, resume

Where = str | PathLike[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class BrokenLink:
    """A URL that pages link to and that could not be had."""

    url: str
    outcome: str
    reason: str
    linked_from: tuple[str, ...]  # some of the pages


@dataclass(frozen=True, kw_only=True, slots=True)
class Crawled:
    """A crawl that ended."""

    folder: Path
    whole: bool  # whether nothing was left undone by a stop; else `resume_crawl` goes on with it
    report: Mapping[str, Any]  # all that is known; docs/reference/report.md names each field

    @property
    def pages(self) -> int:
        """Pages that were fetched; images, styles and scripts are not counted."""
        return int(self.report["counted"])

    @property
    def outcomes(self) -> Mapping[str, int]:
        """How many URLs had which outcome."""
        return dict(self.report["outcomes"])

    def broken_links(self) -> Iterator[BrokenLink]:
        """The links that lead nowhere, with pages that hold them."""
        for row in self.report["broken_links"]["listed"]:
            yield BrokenLink(
                url=row["url"], outcome=row["outcome"], reason=row["reason"], linked_from=tuple(row["linked_from"])
            )


def crawl_site(
    urls: str | Sequence[str],
    into: Where,
    *,
    contact: str = "",
    scope: Literal["page", "prefix", "host", "domain"] = "prefix",
    depth: int | None = None,
    max_pages: int | None = None,
    exclude: Sequence[str] = (),
    include: Sequence[str] = (),
    delay: float | None = None,
    preset: Literal["gentle", "normal", "brisk", "own-site"] = "normal",
    obey_robots: bool = True,
    sitemaps: bool = True,
    allow_private: bool = False,
    workers: int = 1,
) -> Crawled:
    """Crawl into a new folder, politely; returns when it is done. One that dies loses nothing: see `resume_crawl`.

    `contact` (an e-mail address or a URL for webmasters) is needed for public sites. What each word means is told in
    docs/reference/library.md; a plan can say more than these arguments: `opilio crawl --plan FILE`.
    """
    starts = (urls,) if isinstance(urls, str) else tuple(urls)
    if not starts:
        raise BadPlan("no URL was given", remedy="Name at least one URL.")
    plan = CrawlPlan(
        seeds=tuple(Seed(url=url, depth=depth) for url in starts),
        scope=Scope(kind=ScopeKind(scope), include=tuple(include), exclude=tuple(exclude)),
        limits=Limits(pages=max_pages),
        manners=Manners(
            preset=Preset(preset), delay=delay, contact=contact,
            robots=RobotsPolicy.OBEY if obey_robots else RobotsPolicy.IGNORE,
        ),
        fetch=Fetch(allow_private=("all",) if allow_private else ()),
        extract=Extract(sitemaps=sitemaps),
    )  # fmt: skip
    return _crawled(crawl(plan, Path(into), Crew(workers=workers)))


def resume_crawl(folder: Where, *, workers: int = 1) -> Crawled:
    """Go on with a crawl that was stopped or fell; nothing is fetched twice but what was under way."""
    return _crawled(resume(Path(folder), Crew(workers=workers)))


def _crawled(summary: CrawlSummary) -> Crawled:
    return Crawled(folder=summary.folder, whole=summary.whole, report=summary.report)

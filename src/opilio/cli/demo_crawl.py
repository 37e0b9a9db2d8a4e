"""The demo's crawl: the bundled sample site, politely, into a folder of the demo's home."""

from dataclasses import dataclass
from pathlib import Path

from opilio.crawl.plan import CrawlPlan, Fetch, Manners, Preset, Scope, ScopeKind, Seed
from opilio.kernel.clock import SYSTEM
from opilio.kernel.files import ensure_folder
from opilio.works.crawl_to_archive import crawl


@dataclass(frozen=True, kw_only=True)
class Crawled:
    """What there is to look at now."""

    folder: Path
    pages: int
    broken_links: int


def run(site: str, home: Path) -> Crawled:
    """Crawl the sample site; each run of the demo has a folder of its own, because the site's port differs."""
    folder = ensure_folder(home / "crawls") / f"sample-{SYSTEM.now():%Y%m%d-%H%M%S}"
    plan = CrawlPlan(
        seeds=(Seed(url=f"{site}/"),),
        scope=Scope(kind=ScopeKind.HOST),
        manners=Manners(preset=Preset.OWN_SITE),
        fetch=Fetch(allow_private=("127.0.0.0/8",)),
    )
    report = crawl(plan, folder).report
    return Crawled(folder=folder, pages=report["counted"], broken_links=report["broken_links"]["links"])

"""Pictures of a crawl's seeds from the live site, at the end of the crawl: of those that it was allowed to fetch."""

import contextlib
from collections.abc import Mapping
from pathlib import Path

from opilio.archive.screenshots.browser import INSTALLED, chromium_program, not_installed
from opilio.crawl.plan import CrawlPlan
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_story import records_of
from opilio.works.pictures_beside import FETCHED
from opilio.works.screenshot_crawl import take_live
from opilio.works.take_screenshots import Taken


def require_browser(program: str) -> None:
    """`NoBrowser` when no picture could be taken; asked before a crawl begins."""
    if not INSTALLED:
        raise not_installed()
    chromium_program(program)


def take_seed_pictures(
    folder: Path, address: StoreAddress, *, program: str, environ: Mapping[str, str]
) -> list[Taken]:  # fmt: skip
    """Take the pictures, with the plan of the crawl."""
    with contextlib.closing(records_of(folder, address)) as records:
        plan: CrawlPlan = records.plan
        pages = ((seed.url, records.page(seed.url)) for seed in plan.seeds)
        wanted = [url for url, page in pages if page is not None and page.outcome in FETCHED]
    return take_live(folder, plan, wanted, program=program, environ=environ) if wanted else []

"""`opilio crawl … --screenshots`: pictures of the seeds at the end of a crawl. Loads the browser's part only then."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from opilio.cli.loading import part
from opilio.cli.output import Answer
from opilio.kernel import config
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_to_archive import CrawlSummary

SCREENSHOTS = Annotated[
    bool, typer.Option("--screenshots", help="At the end, take pictures of the seeds with Chromium.")
]
_WORK = "opilio.works.seed_pictures"


def require(wanted: bool) -> None:
    """Say before the crawl that no picture could be taken."""
    if wanted:
        part(_WORK).require_browser(config.load().settings.browser_program)


def add(answer: Answer, wanted: bool, summary: CrawlSummary, address: StoreAddress) -> Answer:
    """Take the pictures of a crawl that came to its end, and tell of them."""
    if not wanted or not summary.whole:
        return answer
    program, environ = config.load().settings.browser_program, config.environment()
    taken = part(_WORK).take_seed_pictures(summary.folder, address, program=program, environ=environ)
    told: list[dict[str, Any]] = [{"url": one.url, "pictures": one.pictures, "problem": one.problem} for one in taken]
    words = [f"No picture of {one['url']}: {one['problem']}" for one in told if one["problem"]]
    words.append(f"Took {sum(one['pictures'] for one in told)} pictures into {summary.folder / 'screenshots'}")
    return replace(answer, document={**answer.document, "screenshots": told}, parts=[*answer.parts, *words])

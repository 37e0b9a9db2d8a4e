"""`opilio crawl report DIR`: what a crawl came to, for the terminal, as JSON, or as a page."""

from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.command import command
from opilio.cli.output import Answer, Fields, Rows
from opilio.works import crawl_story
from opilio.works.crawl_folder import StoreAddress
from opilio.works.crawl_report_files import write_page

Parts = list[Rows | Fields | str]
_FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
_STORE = Annotated[
    str, typer.Option("--store", help="PostgreSQL database of the crawl store; default: the file in DIR.")
]
_SHOWN = 20  # rows of a list
#: Fields of the report, and how people call them.
_NUMBERS = {
    "state": "state", "limit": "limit", "counted": "pages", "pages": "URLs asked for, with images and styles",
    "bytes": "bytes", "seconds": "seconds", "pages_per_second": "URLs per second",
    "bytes_per_second": "bytes per second", "waiting": "waiting", "hosts": "hosts",
}  # fmt: skip


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio crawl`."""
    command(app, "report")(report)


def report(
    folder: _FOLDER,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write it as a page, too.", show_default=False)
    ] = None,
    store: _STORE = "",
) -> Answer:
    """Show what a crawl came to, also while it runs."""
    found = crawl_story.report(folder, StoreAddress(url=store))
    notes = []
    if html is not None:
        write_page(html, found)
        notes = [f"The page was written: {html}"]
    return Answer(document=found, parts=[*parts(found), *notes])


def parts(found: dict[str, Any]) -> Parts:
    """The report in short."""
    pairs = [(label, found[name]) for name, label in _NUMBERS.items() if found[name] not in (None, "")]
    shown: Parts = [
        Fields(pairs=[*pairs, *_coverage(found)]),
        Rows(columns=("outcome", "URLs"), rows=sorted(found["outcomes"].items())),
    ]
    reached = [(each["limit"], each["most"], each["reached"]) for each in found["limits"] if each["hit"]]
    traps = [(each["rule"], each["count"], _first(each["examples"])) for each in found["traps"]["rules"]]
    broken = [(each["url"], each["pages"], _first_page(each)) for each in found["broken_links"]["listed"][:_SHOWN]]
    failed = [(each["url"], each["reason"] or each["outcome"]) for each in found["failed_seeds"]["listed"][:_SHOWN]]
    for columns, rows in (
        (("failed seed", "what came"), failed),
        (("limit", "at most", "reached"), reached),
        (("trap", "links", "example"), traps),
        (("broken link", "pages", "one of them"), broken),
    ):
        if rows:
            shown.append(Rows(columns=columns, rows=rows))
    left_out = found["broken_links"]["total"] - len(broken)
    return [*shown, f"{left_out} more broken links: --json and report.html list them."] if left_out > 0 else shown


def _coverage(found: dict[str, Any]) -> list[tuple[str, object]]:
    links, maps = found["coverage"]["links"], found["coverage"]["sitemaps"]
    told: list[tuple[str, object]] = [
        ("known URLs", links["known"]),
        ("only in a sitemap", links["orphans"]["total"]),
    ]
    if maps is not None:
        told.append(("of the sitemaps", f"{maps['fetched']} of {maps['urls']} URLs fetched"))
    return told


def _first(examples: list[dict[str, str]]) -> str:
    return examples[0]["url"] if examples else ""


def _first_page(each: dict[str, Any]) -> str:
    return str(each["linked_from"][0]) if each["linked_from"] else ""

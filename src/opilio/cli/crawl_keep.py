"""Verbs that look after the store of a crawl once nobody works at it: `opilio crawl seal DIR`, `rebuild DIR`."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.output import Answer, Fields
from opilio.works.crawl_folder import StoreAddress
from opilio.works.rebuild_crawl import Rebuilt
from opilio.works.rebuild_crawl import rebuild as rebuild_crawl
from opilio.works.seal_crawl import seal as seal_crawl

_FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
_STORE = Annotated[
    str, typer.Option("--store", help="PostgreSQL database of the crawl store; default: the file in DIR.")
]


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio crawl`."""
    command(app, "seal")(seal)
    command(app, "rebuild")(rebuild)


def seal(folder: _FOLDER, store: _STORE = "") -> Answer:
    """Seal a crawl that was stopped: make its result, and drop what was only needed to go on with it."""
    with bars() as told:
        sealed = seal_crawl(folder, StoreAddress(url=store), told=told)
    document = {
        "folder": str(folder), "result": str(sealed.result), "manifest": str(sealed.manifest), "bytes": sealed.bytes,
        "resources": sealed.resources, "warcs": sealed.warcs, "already": sealed.already,
    }  # fmt: skip
    note = "It was sealed before." if sealed.already else "Sealed. It cannot be resumed any more."
    pairs = [("result", sealed.result), ("resources", sealed.resources), ("WARC files", sealed.warcs)]
    return Answer(document=document, parts=[Fields(pairs=pairs), note])


def rebuild(
    folder: _FOLDER,
    plan: Annotated[
        Path | None, typer.Option("--plan", help="The plan as JSON; default: plan.json, else what the WARC files hold.")
    ] = None,
    store: Annotated[
        str, typer.Option("--store", help="PostgreSQL database for the new crawl store; default: a file in DIR.")
    ] = "",
) -> Answer:
    """Make a damaged or lost crawl store again from the WARC files, so that the crawl can be resumed."""
    with bars() as told:
        rebuilt = rebuild_crawl(folder, plan=plan, address=StoreAddress(url=store), told=told)
    return _rebuilt(folder, rebuilt)


def _rebuilt(folder: Path, rebuilt: Rebuilt) -> Answer:
    document = {
        "folder": str(folder), "store": rebuilt.store, "plan": rebuilt.plan_from, "warcs": rebuilt.warcs,
        "captures": rebuilt.captures, "pages": rebuilt.pages, "waiting": rebuilt.waiting, "torn_bytes": rebuilt.torn,
        "damaged": str(rebuilt.damaged) if rebuilt.damaged else None,
    }  # fmt: skip
    pairs = [(name.replace("_", " "), value) for name, value in document.items() if value is not None]
    return Answer(document=document, parts=[Fields(pairs=pairs), f"Go on with: opilio crawl resume {folder}"])

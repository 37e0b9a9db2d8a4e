"""`opilio index follow DIR…`: keeps the working index up with crawls that run, until it is stopped."""

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

from opilio.cli import output
from opilio.cli.command import command
from opilio.cli.index_options import home
from opilio.cli.output import Answer
from opilio.kernel.errors import Missing
from opilio.works.build_index import working_index
from opilio.works.followed_crawls import FollowedCrawl
from opilio.works.index_sources import named_after


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio index`."""
    command(app, "follow")(follow)


def follow(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[DIR]…", help="Crawls to follow; those followed before stay.")
    ] = None,
    agency: Annotated[str, typer.Option(help="Whose pages these are.")] = "",
    target: Annotated[str, typer.Option(help="Target to which they belong.")] = "",
    harvest: Annotated[str, typer.Option(help="Harvest to which they belong.")] = "",
    store: Annotated[
        str, typer.Option("--store", help="PostgreSQL database of the crawl stores; default: the file in DIR.")
    ] = "",
    once: Annotated[bool, typer.Option("--once", help="Take what there is now, and end.")] = False,
    every: Annotated[float, typer.Option(help="Seconds between two looks.", min=0.1, max=60)] = 2.0,
    forget: Annotated[
        str, typer.Option("--forget", metavar="NAME", help="Follow this crawl no more, and take its pages out.")
    ] = "",
) -> Answer:
    """Let reviewers search the pages of crawls while they run: opilio search --working WORDS."""
    with working_index(home()) as index:
        gone = index.forget(forget) if forget else 0
        known = {each.name: each for each in index.followed.all()}
        for folder in folders or []:
            if not folder.is_dir():
                raise Missing("there is no such folder", where=str(folder), remedy="Give the folder of a crawl.")
            name = named_after(folder, {each: one.folder for each, one in known.items()})
            read = known[name].read if name in known else -1
            known[name] = FollowedCrawl(
                name=name, folder=str(folder.resolve()), store=store, agency=agency, target=target, harvest=harvest,
                read=read,
            )  # fmt: skip
            index.followed.put([known[name]])
        added = index.update()
        if not once:
            output.note("Following; Ctrl-C ends it.")
            stopped = _stop_signal()
            while not stopped.wait(every):
                added += index.update()
        names = [each.name for each in index.followed.all()]
    words = f"{added:,} pages were added; {len(names):,} crawls are followed."
    return Answer(document={"added": added, "forgotten": gone, "followed": names}, parts=[words])


def _stop_signal() -> threading.Event:
    """An event that SIGINT and SIGTERM set."""
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    return stopped

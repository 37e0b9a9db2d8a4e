"""`opilio index build DIR…`: a new generation from the results of crawls; `sources` and `forget` look after them."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.index_options import home
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel.errors import InvalidInput, Missing
from opilio.works.build_index import build_generation
from opilio.works.index_sources import IndexSource, named_after, opened_source
from opilio.works.search_home import SearchHome


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio index`."""
    command(app, "build")(build)
    command(app, "sources")(sources)
    command(app, "forget")(forget)


def build(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[DIR]…", help="Crawls to add; those added before stay.")
    ] = None,
    result: Annotated[int | None, typer.Option(help="Number of the result; default: the newest.", min=1)] = None,
    name: Annotated[str, typer.Option(help="Name of the crawl in the index; default: that of its folder.")] = "",
    agency: Annotated[str, typer.Option(help="Whose pages these are.")] = "",
    target: Annotated[str, typer.Option(help="Target to which they belong.")] = "",
    harvest: Annotated[str, typer.Option(help="Harvest to which they belong.")] = "",
    copyright_: Annotated[str, typer.Option("--copyright", help="Notice to be shown with each hit.")] = "",
    fresh: Annotated[bool, typer.Option("--fresh", help="Build from nothing instead of from the newest.")] = False,
    processes: Annotated[int, typer.Option(help="Processes that read; 0: one per processor.", min=0, max=64)] = 0,
) -> Answer:
    """Build a generation from results of crawls. Nothing is served before `opilio index publish`."""
    place = home()
    if name and len(folders or []) != 1:
        raise InvalidInput("--name names one crawl", where="--name", remedy="Give one folder with it.")
    given = [
        replace(each, result=result, agency=agency, target=target, harvest=harvest, copyright=copyright_)
        for each in _named(place, folders or [], name)
    ]
    for each in given:
        opened_source(each).close()  # before it is added
    if given:
        place.sources.add(given)
    with bars() as told:
        made = build_generation(place, fresh=fresh, processes=processes, told=told)
    document = {
        "generation": made.id, "parent": made.parent or None, "counts": dict(made.counts), "bytes": made.size,
        "sources": sorted(made.sources),
    }  # fmt: skip
    counts = [(kind, f"{count:,}") for kind, count in made.counts.items()]
    pairs = [("generation", made.id), ("grown from", made.parent or "nothing"), *counts, ("bytes", f"{made.size:,}")]
    return Answer(document=document, parts=[Fields(pairs=pairs), "Let readers find it: opilio index publish"])


def sources() -> Answer:
    """List the crawls that are searched."""
    found = home().sources.all()
    columns = ("name", "result", "folder", "agency", "target", "harvest")
    rows = [(each.name, each.result or "newest", each.folder, each.agency, each.target, each.harvest) for each in found]
    table = Rows(columns=columns, rows=rows, empty="None yet. Add a crawl: opilio index build DIR")
    return Answer(document={"sources": [asdict(each) for each in found]}, parts=[table])


def forget(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the crawl.", show_default=False)],
) -> Answer:
    """Take a crawl out; its pages are gone from the next generation on. The crawl itself stays."""
    left = home().sources.drop(name)
    document = {"forgotten": name, "sources": [each.name for each in left]}
    return Answer(document=document, parts=[f"{name} is out of the next generation: opilio index build"])


def _named(place: SearchHome, folders: Sequence[Path], name: str) -> list[IndexSource]:
    known = {each.name: each.folder for each in place.sources.all()}
    found = []
    for folder in folders:
        if not folder.is_dir():
            raise Missing("there is no such folder", where=str(folder), remedy="Give the folder of a sealed crawl.")
        called = name or named_after(folder, known)
        known[called] = str(folder.resolve())
        found.append(IndexSource(name=called, folder=str(folder.resolve())))
    return found

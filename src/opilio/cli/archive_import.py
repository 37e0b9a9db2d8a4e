"""`opilio archive import PATH… --into DIR`: make a crawl folder of archives that others made."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.output import Answer, Fields, Rows
from opilio.works.import_archive import Imported, import_archives

_SHOWN = 20  # rows of a list


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "import")(import_)


def import_(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help="WARC, ARC or WACZ files, or folders.", show_default=False)
    ],
    into: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="The folder to make; new or empty.", show_default=False)
    ],
    seeds: Annotated[
        list[str] | None, typer.Option("--seed", metavar="URL", help="A page to begin with; default: found out.")
    ] = None,
    link: Annotated[
        bool, typer.Option("--link", help="Hard links in place of copies of WARC files, where the disk allows it.")
    ] = False,
) -> Answer:
    """Import archives of others as a sealed crawl: it can be reported, verified, replayed, compared and packed."""
    with bars() as told:
        imported = import_archives(paths, into, link=link, seeds=tuple(seeds or ()), told=told)
    return _answer(imported)


def _answer(imported: Imported) -> Answer:
    document = {
        "folder": str(imported.folder),
        "warcs": [
            {"file": each.name, "from": each.origin, "bytes": each.size, "note": each.note} for each in imported.warcs
        ],
        "captures": imported.captures,
        "resources": imported.resources,
        "skipped": imported.skipped,
        "troubles": [{"file": one.file, "offset": one.offset, "reason": one.reason} for one in imported.troubles],
    }
    pairs = [
        ("folder", imported.folder), ("WARC files", len(imported.warcs)), ("captures", imported.captures),
        ("resources", imported.resources), ("skipped", imported.skipped),
    ]  # fmt: skip
    parts: list[Rows | Fields | str] = [Fields(pairs=pairs)]
    notes = [(each.name, each.note) for each in imported.warcs if each.note][:_SHOWN]
    troubles = [(each.file, each.offset, each.reason) for each in imported.troubles[:_SHOWN]]
    if notes:
        parts.append(Rows(columns=("file", "note"), rows=notes))
    if troubles:
        parts.append(Rows(columns=("file", "offset", "skipped because"), rows=troubles))
        parts.append("All that was skipped is listed in import.json in the folder.")
    return Answer(document=document, parts=parts)

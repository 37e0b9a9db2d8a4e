"""`opilio index dump TABLE`: the tables of pages, words and links as text, a line each: key, tab, value."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.command import command
from opilio.cli.index_options import chosen, home
from opilio.cli.output import Answer, ReaderGone
from opilio.kernel.files import writing
from opilio.search.generations.pins import pinned
from opilio.search.views.dump import TABLES, dump
from opilio.search.views.reader import Views
from opilio.works.generation_files import VIEWS


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio index`."""
    command(app, "dump")(dump_)


def dump_(
    table: Annotated[str, typer.Argument(metavar="TABLE", help=f"One of {', '.join(TABLES)}.", show_default=False)],
    to: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Default: standard output.")] = None,
    generation: Annotated[str, typer.Option(help="Default: the newest.")] = "",
) -> Answer | None:
    """Write a table of a generation. Every URL that was met is in it, fetched or not."""
    with pinned(chosen(home().generations, generation)) as folder, Views(folder / VIEWS) as views:
        lines = dump(views, table)
        if to is None:
            _print(lines)
            return None
        count = _written(lines, to)
    return Answer(document={"table": table, "lines": count, "output": str(to)}, parts=[f"{count:,} lines in {to}"])


def _written(lines: Iterator[str], to: Path) -> int:
    count = 0
    with writing(to) as stream:
        for line in lines:
            stream.write(f"{line}\n".encode())
            count += 1
    return count


def _print(lines: Iterator[str]) -> None:
    try:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise ReaderGone("Nobody reads the output any more", where="standard output") from error

"""What verbs of `opilio index` and `opilio search` share."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.kernel import config
from opilio.kernel.access import PUBLIC, Reader
from opilio.search.generations.errors import NoGeneration
from opilio.search.generations.library import Generations
from opilio.works.search_home import SearchHome
from opilio.works.search_setup import search_home

AS_STAFF = Annotated[
    str, typer.Option("--as-staff", metavar="AGENCY", help="Look as staff of this agency; default: as the public.")
]


def home() -> SearchHome:
    """The index of this installation."""
    return search_home(config.load().settings)


def reader_of(agency: str) -> Reader:
    """Whoever looks: the public, or staff of an agency."""
    return Reader(agency=agency, staff_of=frozenset({agency})) if agency else PUBLIC


def chosen(generations: Generations, name: str) -> Path:
    """The folder of a generation, of the newest if none is named."""
    found = name or generations.newest()
    if not found:
        remedy = "Build one from a crawl: opilio index build DIR."
        raise NoGeneration("there is no generation yet", where=str(generations.root), remedy=remedy)
    return generations.path(found)

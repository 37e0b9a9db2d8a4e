"""Arguments and options that several verbs of `opilio archive` have, under the same names and with the same meaning.

`--into` names a folder that is made, `--output` a file or a package; `--against` names where bodies may lie that
captures only refer to; `--result` is a number; `--note` says why.
"""

import getpass
from pathlib import Path
from typing import Annotated

import typer

#: Archives that are read.
PATHS = Annotated[
    list[Path],
    typer.Argument(
        metavar="PATH...", help="WARC and ARC files, indexes, folders of them, of crawls, bags.", show_default=False
    ),
]
#: The crawl that something is done with.
FOLDER = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the crawl.", show_default=False)]
#: A result of it.
RESULT = Annotated[int | None, typer.Option("--result", help="Number of the result; default: the newest.", min=1)]
#: One result of crawls, where otherwise all that lies in their folders is meant.
ONLY_RESULT = Annotated[
    int | None, typer.Option("--result", help="Of crawls, only this result; default: all that is there.", min=1)
]
#: Where originals of revisits may lie.
AGAINST_PATHS = Annotated[
    list[Path] | None,
    typer.Option(
        "--against", metavar="PATH", help="Files and folders in which originals of revisits may lie too; repeatable."
    ),
]


def user_of_machine() -> str:
    """Who does it, when nobody says so; empty for a user that the machine has no name for."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""

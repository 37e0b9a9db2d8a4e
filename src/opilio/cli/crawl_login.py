"""`--login FILE`: the credentials for a crawl, from a file that only its owner may read."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.crawl.logins.book import EMPTY, CredentialBook
from opilio.crawl.logins.book_file import read_book
from opilio.kernel import config

LOGIN = Annotated[
    Path | None,
    typer.Option("--login", metavar="FILE", help="Credentials, in a file of mode 600; a resume needs it again."),
]


def book_from(file: Path | None) -> CredentialBook:
    """The credentials of a file; none without one."""
    return read_book(file, config.environment()) if file is not None else EMPTY

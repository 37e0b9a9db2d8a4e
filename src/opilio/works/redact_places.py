"""Destroys what was made of captures outside their folders: the working index, the history of changes. No Django.

An index engine keeps what was deleted until it merges its files, so a working index that has pages of the harvest is
thrown away and made anew; it is only a convenience of reviewers.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from opilio.archive.results.rewriting import rewrite_database
from opilio.kernel.files import mapped
from opilio.kernel.locks import locked
from opilio.search.generations.identifiers import begun
from opilio.search.generations.library import Generations
from opilio.works.followed_crawls import followed_file
from opilio.works.harvest_changes import history_file
from opilio.works.redact_reach import RedactionOrder

_LOCK = "writer.lock"


def drop_working_index(folder: Path, crawl: str) -> list[str]:
    """Throw the working index away if it has pages of a crawl; the crawls that must be taken in again.

    `Conflict` while another process writes it.
    """
    if not folder.is_dir():
        return []
    with locked(folder / _LOCK, purpose="destroying captures"):
        names = [each.name for each in followed_file(folder).all()]
        if crawl not in names:
            return []
        for path in folder.iterdir():
            if path.name != _LOCK:
                with mapped(path):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
    return names


def forget_changes(home: Path, target: int, order: RedactionOrder) -> int:
    """Take the pages that an order names out of the history of a target; how many."""
    path = history_file(home, target)
    if not path.is_file():
        return 0
    urls = list(_named(path, order))
    if urls:
        rewrite_database(path, lambda db: _forget(db, urls))
    return len(urls)


def generations_before(folder: Path, moment: datetime) -> list[str]:
    """The generations of the index that were begun before a time, and may hold words of what was destroyed since."""
    return [name for name in Generations(folder).ids() if begun(name) < moment] if folder.is_dir() else []


def _named(path: Path, order: RedactionOrder) -> Iterator[str]:
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        yield from (url for (url,) in db.execute("SELECT url FROM page") if order.names(url))
    finally:
        db.close()


def _forget(db: sqlite3.Connection, urls: list[str]) -> None:
    db.executemany("DELETE FROM page WHERE url = ?", [(url,) for url in urls])

"""The crawls that the working index follows and how far it has read each, in a small file that people can read."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from opilio.kernel.errors import Damaged, Missing
from opilio.kernel.files import ensure_folder, mapped, write_atomically
from opilio.works.index_documents import Belonging


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowedCrawl:
    """A crawl whose pages reviewers want to find while it runs."""

    name: str
    folder: str
    store: str = ""  # PostgreSQL database of its crawl store; empty: the file in the folder
    harvest: str = ""
    target: str = ""
    agency: str = ""
    access: str = ""
    since: str = ""  # name of the crawl that it went by: what is unchanged is found in that
    read: int = -1  # the number of the last page that was taken

    @property
    def belonging(self) -> Belonging:
        """To whom its pages belong."""
        return Belonging(
            crawl=self.name, harvest=self.harvest, target=self.target, agency=self.agency, access=self.access
        )


_FIELDS = {field.name: field for field in fields(FollowedCrawl)}


class FollowedFile:
    """The list, `followed.json` in the folder of the working index."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> list[FollowedCrawl]:
        """The crawls in the order in which they were named first."""
        if not self._path.exists():
            return []
        with mapped(self._path):
            found = self._path.stat()
            return list(_read(self._path, found.st_ino, found.st_mtime_ns, found.st_size))

    def put(self, crawls: Sequence[FollowedCrawl]) -> None:
        """Add crawls, or say something else about those of the same name."""
        known = {each.name: each for each in self.all()}
        if any(known.get(each.name) != each for each in crawls):
            self._write([*(known | {each.name: each for each in crawls}).values()])

    def drop(self, name: str) -> None:
        """Follow a crawl no more."""
        known = self.all()
        if name not in {each.name for each in known}:
            remedy = "See which are followed: opilio index status."
            raise Missing("no such crawl is followed", where=name, remedy=remedy)
        self._write([each for each in known if each.name != name])

    def _write(self, crawls: Sequence[FollowedCrawl]) -> None:
        ensure_folder(self._path.parent)
        rows = [{name: value for name in _FIELDS if (value := getattr(each, name)) != ""} for each in crawls]
        write_atomically(self._path, (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode())


@lru_cache(maxsize=4)
def _read(path: Path, inode: int, modified: int, size: int) -> tuple[FollowedCrawl, ...]:
    """What one version of the file says: it is replaced as a whole, so that another version is another file."""
    try:
        rows = json.loads(path.read_bytes())
        return tuple(map(_followed, rows if isinstance(rows, list) else [rows]))
    except (ValueError, TypeError):
        remedy = "Remove the folder of the working index; it is made anew from the crawls: opilio index follow DIR…"
        raise Damaged("the list of followed crawls cannot be read", where=str(path), remedy=remedy) from None


def _followed(row: object) -> FollowedCrawl:
    if not isinstance(row, dict) or not _FIELDS.keys() >= row.keys():
        raise TypeError
    if not all(isinstance(value, int if name == "read" else str) for name, value in row.items()):
        raise TypeError
    return FollowedCrawl(**row)


def index_folder(folder: Path) -> Path:
    """Where searching finds the index."""
    return folder / "index"


def register_file(folder: Path) -> Path:
    """Where searching finds the list of documents."""
    return folder / "documents.db"


def followed_file(folder: Path) -> FollowedFile:
    """The crawls that are followed."""
    return FollowedFile(folder / "followed.json")

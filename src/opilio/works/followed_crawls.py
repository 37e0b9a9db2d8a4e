"""The crawls that the working index follows and how far it has read each, in a small file that people can read."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
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


class FollowedFile:
    """The list, `followed.json` in the folder of the working index."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> list[FollowedCrawl]:
        """The crawls in the order in which they were named first."""
        if not self._path.exists():
            return []
        with mapped(self._path):
            data = self._path.read_bytes()
        try:
            rows = json.loads(data)
            return list(map(_followed, rows if isinstance(rows, list) else [rows]))
        except (ValueError, TypeError):
            remedy = "Remove the folder of the working index; it is made anew from the crawls: opilio index follow DIR…"
            raise Damaged("the list of followed crawls cannot be read", where=str(self._path), remedy=remedy) from None

    def put(self, crawls: Sequence[FollowedCrawl]) -> None:
        """Add crawls, or say something else about those of the same name."""
        self._write([*({each.name: each for each in self.all()} | {each.name: each for each in crawls}).values()])

    def drop(self, name: str) -> None:
        """Follow a crawl no more."""
        known = self.all()
        if name not in {each.name for each in known}:
            remedy = "See which are followed: opilio index status."
            raise Missing("no such crawl is followed", where=name, remedy=remedy)
        self._write([each for each in known if each.name != name])

    def _write(self, crawls: Sequence[FollowedCrawl]) -> None:
        ensure_folder(self._path.parent)
        rows = [{name: value for name, value in asdict(each).items() if value != ""} for each in crawls]
        write_atomically(self._path, (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode())


def _followed(row: object) -> FollowedCrawl:
    names = {field.name for field in fields(FollowedCrawl)}
    if not isinstance(row, dict) or not names.issuperset(row):
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

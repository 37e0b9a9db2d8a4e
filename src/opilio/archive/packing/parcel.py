"""What is handed over of one result, whatever the form: its WARC files, its index, and the documents beside them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from opilio.archive.mets.values import PackedFile
from opilio.archive.results.values import Resource
from opilio.kernel.errors import Damaged

#: Told a step, how much of it is done, and of how much (0: nobody knows).
Told = Callable[[str, int, int], None]
#: Given the files of a package with their digests, the document that describes it.
Describe = Callable[[Sequence[PackedFile]], bytes]


class Pages(Protocol):
    """The resources of a result with their texts."""

    def resources(self) -> Iterator[Resource]:
        """Resources by number."""
        ...

    def text(self, digest: str) -> str | None:
        """The text of a payload."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class ParcelFile:
    """A file that goes along."""

    name: str  # in the parcel; of documents with folders
    path: Path
    size: int  # bytes
    sha256: str = ""  # hex, as it was sealed; empty: not known before


@dataclass(frozen=True, kw_only=True, slots=True)
class Parcel:
    """One result with all that belongs to it."""

    name: str  # of the crawl
    pages: Callable[[], AbstractContextManager[Pages]]
    warcs: tuple[ParcelFile, ...]
    documents: tuple[ParcelFile, ...]  # result, plan, report …
    lines: Callable[[], Iterator[bytes]]  # of the index, sorted
    sealed: str  # when, ISO 8601

    @property
    def size(self) -> int:
        """Bytes of the WARC files."""
        return sum(warc.size for warc in self.warcs)


@dataclass(frozen=True, kw_only=True, slots=True)
class Enclosed:
    """What goes into a package beside the crawl's own files."""

    documents: tuple[ParcelFile, ...]
    describe: Describe


def silent(step: str, done: int, total: int) -> None:
    """Nobody looks."""


def changed(file: ParcelFile) -> Damaged:
    """The error of a file that is not what it was when the result was sealed."""
    remedy = "Restore it from a copy; `opilio archive verify` tells what is wrong with it."
    return Damaged("the file is not as it was sealed", where=str(file.path), remedy=remedy)

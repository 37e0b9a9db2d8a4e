"""What replay shows: results, each with its index, the files behind it, and the list of what is to be patched."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO, Protocol

from opilio.archive.cdx.index import CdxIndex
from opilio.kernel.access import Decision

Access = Callable[[str, datetime], Decision]


def open_to_all(url: str, captured: datetime) -> Decision:
    """The decision where nobody but oneself looks."""
    return Decision(allowed=True, reason="The capture is open.")


def unnoticed(url: str, page: str) -> None:
    """Where nobody keeps a list of what was not found."""


def no_thumbnail(url: str) -> bytes | None:
    """Where no pictures were taken."""
    return None


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """A URL that somebody missed."""

    url: str
    at: str  # when it was asked for, ISO 8601 in UTC
    result: int  # in which it was missed
    by: str = ""  # who wishes it, where people are known


class PatchList(Protocol):
    """URLs that are to be fetched later and patched into a result. A URL is on it once."""

    def add(self, wish: Wish) -> bool:
        """Put a URL on the list, durable on return; False when it stands there already or the list is full."""
        ...

    def wishes(self) -> list[Wish]:
        """All of them, oldest first."""
        ...

    def has(self, url: str) -> bool:
        """Whether a URL is on it."""
        ...


class MemoryPatchList:
    """A patch list that is forgotten with its process."""

    def __init__(self, *, most: int = 10_000) -> None:
        self._most = most
        self._wishes: dict[str, Wish] = {}

    def add(self, wish: Wish) -> bool:
        if wish.url in self._wishes or len(self._wishes) >= self._most:
            return False
        self._wishes[wish.url] = wish
        return True

    def wishes(self) -> list[Wish]:
        return list(self._wishes.values())

    def has(self, url: str) -> bool:
        return url in self._wishes


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Captures, and where their bytes are."""

    index: CdxIndex
    open_at: Callable[[str, int], BinaryIO]  # file and offset → a stream at the record; `Missing` without the file


@dataclass(frozen=True, kw_only=True, slots=True)
class Holding:
    """One result."""

    number: int
    title: str
    source: Source
    seeds: tuple[str, ...] = ()
    earlier: tuple[Source, ...] = ()  # where bodies may be that this result only refers to
    patches: PatchList = field(default_factory=MemoryPatchList)
    access: Access = open_to_all
    thumbnail: Callable[[str], bytes | None] = no_thumbnail  # URL of a seed → a small JPEG, where there is one
    missed: Callable[[str, str], None] = unnoticed  # told a URL without a capture, and the page that asked for it
    details: Mapping[str, str] = field(default_factory=dict)  # further facts for the entry page

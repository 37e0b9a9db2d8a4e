"""The records of files, one after the other, with what people want to know of them."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from opilio.archive.verify.capture_places import CapturePlaces
from opilio.archive.verify.faults import Fault
from opilio.archive.verify.framing import Scanned
from opilio.archive.verify.header import Header
from opilio.archive.verify.places import name_of
from opilio.archive.verify.scanning import Told, scan
from opilio.archive.verify.values import warc_time
from opilio.archive.warc.payload import header_values

_LONGEST_HEAD = 1 << 16  # bytes of a block that are looked at
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_STATUS = re.compile(rb"HTTP/[0-9.]{1,5}[ \t]+(\d{3})(?!\d)")
_WITH_STATUS = frozenset({"response", "revisit"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """One record."""

    file: str
    offset: int
    within: int  # in the unpacked member; 0 where the record has it for itself
    kind: str
    at: datetime | None
    status: int | None
    mime: str
    size: int | None  # bytes of the block
    url: str
    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """Which records are wanted; empty: all."""

    url: str = ""  # the whole URL, or its beginning with a star behind it
    kind: str = ""
    status: int | None = None

    def takes(self, listed: Listed) -> bool:
        """Whether a record is one of them."""
        if self.kind and listed.kind != self.kind:
            return False
        if self.status is not None and listed.status != self.status:
            return False
        if self.url.endswith("*"):
            return listed.url.startswith(self.url[:-1])
        return not self.url or listed.url == self.url


class _Head:
    """Keeps the beginning of a block."""

    def __init__(self) -> None:
        self.data = b""

    def feed(self, piece: memoryview) -> None:
        """Take what there is room for."""
        if len(self.data) < _LONGEST_HEAD:
            self.data += bytes(piece[: _LONGEST_HEAD - len(self.data)])


def list_records(
    paths: Iterable[Path], wish: Wish, *, told: Told = lambda at: None,
    report: Callable[[Fault], None] = lambda fault: None, among: CapturePlaces | None = None,
) -> Iterator[Listed]:  # fmt: skip
    """All records that are wanted, of captures only those `among` some; what is wrong with the framing is reported."""
    for path in paths:
        for scanned in scan(path, report, _wants, told=told):
            listed = _listed(path, scanned)
            if wish.takes(listed) and (among is None or among.has(name_of(path), listed.offset)):
                yield listed


def _wants(header: Header) -> _Head | None:
    return _Head() if header.kind in _WITH_STATUS else None


def _listed(path: Path, scanned: Scanned) -> Listed:
    header = scanned.header
    block = scanned.block.data if isinstance(scanned.block, _Head) else b""
    found = _STATUS.match(block)
    return Listed(
        file=str(path), offset=scanned.offset, within=scanned.within, kind=header.kind,
        at=warc_time(header.named.get("warc-date", "")), status=int(found[1]) if found else None,
        mime=_mime(header, block if found else b""), size=header.length, url=header.url, id=header.id,
    )  # fmt: skip


def _mime(header: Header, block: bytes) -> str:
    """The type that the server said, else that of the record."""
    if block:
        end = _END_OF_HEAD.search(block)
        values = header_values(block[: end.end()] if end else block, b"content-type")
        return values[0].partition(";")[0].strip().lower()[:100] if values else ""
    return header.named.get("content-type", "").partition(";")[0].strip().lower()[:100]

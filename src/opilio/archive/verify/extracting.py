"""One capture of a URL out of files: found by their index where there is one, else by reading them."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from pathlib import Path

from opilio.archive.cdx.index import CdxIndex
from opilio.archive.cdx.opening import open_index
from opilio.archive.cdxj import CdxRow
from opilio.archive.verify.copying import block_pieces, header_bytes, record_pieces
from opilio.archive.verify.faults import Fault
from opilio.archive.verify.framing import Scanned
from opilio.archive.verify.http_block import HttpBlock
from opilio.archive.verify.places import Places, name_of
from opilio.archive.verify.scanning import scan
from opilio.archive.verify.values import warc_time
from opilio.archive.warc.payload import header_values
from opilio.archive.warc.streamed_payload import coding_names, known, undone
from opilio.kernel.errors import InvalidInput, Missing, OpilioError
from opilio.kernel.surt import surt

_CAPTURES = frozenset({"response", "revisit", "resource", "conversion"})
_BEGIN = b"HTTP/"
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_LONGEST_HEAD = 1 << 20  # bytes


class Part(StrEnum):
    """What of a capture is wanted."""

    CONTENT = "content"  # the body as a reader sees it: transfer and content codings undone
    PAYLOAD = "payload"  # the body without its transfer coding, content coding in place
    HEADERS = "headers"  # the header of the record and the HTTP head
    RAW = "raw"  # the whole record


@dataclass(frozen=True, slots=True)
class Found:
    """A capture in a file."""

    path: Path
    scanned: Scanned
    at: datetime

    @property
    def url(self) -> str:
        """Of the capture, as it was asked for."""
        return self.scanned.header.url

    @property
    def is_revisit(self) -> bool:
        """Whether its body is that of another."""
        return self.scanned.header.kind == "revisit"


@dataclass(frozen=True, kw_only=True, slots=True)
class Extracted:
    """A capture, and the one that has its body: the same unless it is a revisit."""

    capture: Found
    original: Found

    def pieces(self, part: Part) -> Iterator[bytes]:
        """The part that is wanted, a piece at a time."""
        if part is Part.RAW:
            return record_pieces(self.capture.path, self.capture.scanned)
        if part is Part.HEADERS:
            return _headers(self.capture)
        return _body(self.original, content=part is Part.CONTENT)


def extract(
    places: Places, url: str, *, at: datetime | None = None, body: bool = True, among: CdxIndex | None = None,
    against: Places | None = None,
) -> Extracted:  # fmt: skip
    """The capture of a URL nearest to a time, else the newest; `Missing` when it, or its original, is not there.

    With `among` it is one of that index; its original may be any, also one of the files `against`.
    """
    search = _Search(places)
    found = search.nearest(url, at) if among is None else search.nearest_of(search.rows(among, url), at)
    if found is None:
        remedy = "Check the URL, or name other files: opilio archive list shows what they hold."
        raise Missing("there is no capture of this URL", where=url[:300], remedy=remedy)
    original = found
    if found.is_revisit and body:
        original = _Search(places.joined(against) if against else places).original(found)
    return Extracted(capture=found, original=original)


class _Search:
    """Looks for captures in the index first, then in all files."""

    def __init__(self, places: Places) -> None:
        self._paths = {name_of(path): path for path in places.records}
        self._records = places.records
        self._index = open_index(*places.indexes) if places.indexes else None

    def nearest(self, url: str, at: datetime | None, *, body: bool = False) -> Found | None:
        """Of all captures of a URL; with `body` no revisits."""
        rows = self.rows(self._index, url) or [
            each for path in self._records for each in _captures(path, lambda scanned: _same(scanned.header.url, url))
        ]
        return self.nearest_of([each for each in rows if not (body and each.is_revisit)], at)

    def nearest_of(self, wanted: Sequence[Found], at: datetime | None) -> Found | None:
        """Of some captures."""
        if at is None:
            return max(wanted, key=lambda each: each.at, default=None)
        return min(wanted, key=lambda each: (abs(each.at - at), each.at < at), default=None)

    def original(self, revisit: Found) -> Found:
        """The capture that has the body of a revisit."""
        named = revisit.scanned.header.named
        url = named.get("warc-refers-to-target-uri", revisit.url).strip("<>")
        moment = warc_time(named.get("warc-refers-to-date", ""))
        found = self.nearest(url, moment or revisit.at, body=True)
        if found is None or (moment is not None and abs((found.at - moment).total_seconds()) >= 1):
            found = self._by_id(named.get("warc-refers-to", "").strip("<>"))
        if found is None:
            remedy = "Give the files that hold it too, with --against; or take --raw, which is the revisit itself."
            words = f"the body is in an earlier capture that is not here: {url[:200]} of {moment or 'an unknown time'}"
            raise Missing(words, where=f"{revisit.path} at {revisit.scanned.offset}", remedy=remedy)
        return found

    def _by_id(self, wanted: str) -> Found | None:
        if not wanted:
            return None
        for path in self._records:
            for found in _captures(path, lambda scanned: scanned.header.id == wanted):
                return found
        return None

    def rows(self, index: CdxIndex | None, url: str) -> list[Found]:
        """What an index has of a URL and the files hold."""
        if index is None:
            return []
        try:
            return [found for row in index.exact(url) if (found := self._at(row)) is not None]
        except OpilioError:
            return []  # a URL that no index takes, or an index that is damaged: the files are read

    def _at(self, row: CdxRow) -> Found | None:
        path = self._paths.get(row.file.rpartition("/")[2])
        if path is None:
            return None
        with closing(scan(path, _silent, start=row.offset)) as records:
            scanned = next(records, None)
        if scanned is None or scanned.offset != row.offset or not _same(scanned.header.url, row.url):
            return None
        return _found(path, scanned)


def _captures(path: Path, takes: Callable[[Scanned], bool]) -> Iterator[Found]:
    for scanned in scan(path, _silent):
        if scanned.header.kind in _CAPTURES and takes(scanned):
            yield _found(path, scanned)


def _found(path: Path, scanned: Scanned) -> Found:
    at = warc_time(scanned.header.named.get("warc-date", ""))
    return Found(path, scanned, at or datetime.min.replace(tzinfo=UTC))


def _headers(found: Found) -> Iterator[bytes]:
    yield header_bytes(found.path, found.scanned)
    http = HttpBlock()
    for piece in block_pieces(found.path, found.scanned):
        http.feed(memoryview(piece))
        if http.head or not http.is_http:
            break
    yield http.head


def _body(found: Found, *, content: bool) -> Iterator[bytes]:
    """What follows the HTTP head; the whole block where there is none."""
    header = found.scanned.header
    pieces = block_pieces(found.path, found.scanned)
    if not (header.arc or header.named.get("content-type", "").lower().startswith("application/http")):
        return pieces
    head, body = _split(pieces)
    codings = coding_names(header_values(head, b"transfer-encoding"))
    if content:
        codings += coding_names(header_values(head, b"content-encoding"))
    if not known(codings):
        remedy = "Take --raw, which is the record as it stands."
        where = f"{found.path} at {found.scanned.offset}"
        what = f"the body has a coding that cannot be undone: {', '.join(codings)[:100]}"
        raise InvalidInput(what, where=where, remedy=remedy)
    return undone(body, codings)


def _split(pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The HTTP head, and what follows it."""
    held = b""
    for piece in pieces:
        held += piece
        found = _END_OF_HEAD.search(held)
        if not held.startswith(_BEGIN[: len(held)]) or len(held) > _LONGEST_HEAD:
            break
        if found is not None:
            return held[: found.end()], chain([held[found.end() :]], pieces)
    return b"", chain([held], pieces)


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return surt(one) == surt(other)
    except OpilioError:
        return False


def _silent(fault: Fault) -> None:
    """Not told here."""

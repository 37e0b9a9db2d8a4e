"""What is to be remembered of each record until all are seen: rows for the catalogue, as small as they can be.

Ids and URLs become hashes of 64 bits, the same in every process.
"""

import re
from binascii import unhexlify
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from hashlib import blake2b
from typing import NamedTuple

from opilio.archive.verify.framing import Scanned
from opilio.archive.verify.header import Header
from opilio.archive.verify.values import digest_or_none
from opilio.kernel.digests import from_base32

_BATCH = 2000  # records
_RECENT = 16  # ids
_MOST_INFOS = 1000
_SECOND = len("2026-01-31T12:00:00")
_NO_DIGIT = re.compile(r"\D")
_BESIDE = frozenset({"request", "metadata", "warcinfo"})  # types that are nobody's original
_CAPTURES = frozenset({"response", "revisit", "resource"})
_ORIGINALS = frozenset({b"response", b"resource"})

Row = tuple[object, ...]


class Reference(IntEnum):
    """Why a record names another."""

    REVISIT = 0
    CONCURRENT = 1
    WARCINFO = 2


class Rows(NamedTuple):
    """Some records as the catalogue takes them."""

    records: list[Row]  # id, file, start, within, whether a revisit, place, digest, algorithm, whether ours
    references: list[Row]  # kind, id, place, digest, algorithm, file, start, within, record, words
    segments: list[Row]  # origin, number, length, total, file, start, within, record
    captures: list[Row]  # file, start, length, url, at, digest, kind
    usual: list[Row]  # id, file, start, place, digest, algorithm: of records of ours alone in their places, no revisits


class Noting:
    """Makes rows of records, and hands them on in batches."""

    def __init__(self, hand_on: Callable[[Rows], None], *, captures: bool = False, ours: bool = True) -> None:
        self._hand_on = hand_on
        self._keeps_captures = captures
        self._ours = ours  # whether the files are those that are verified, or others to look originals up in
        self._rows = Rows([], [], [], [], [])
        self._file = 0
        self._recent: deque[bytes] = deque(maxlen=_RECENT)  # ids of the last records, which most references name
        self._infos: set[bytes] = set()  # ids of warcinfo records that are there, or were asked for already

    def begin(self, file: int) -> None:
        """The records that follow are of this file."""
        self._file = file
        self._infos.clear()

    def add(self, scanned: Scanned) -> None:
        """Take a record."""
        header = scanned.header
        text, kind = _bytes(header.id), header.kind
        place = digest = algorithm = None
        if kind not in _BESIDE:
            place = _place(_bytes(header.url), _bytes(header.named.get("warc-date", "")))
            digest, algorithm = _digest(header)
        self._rows.records.append((
            key(text) if text else None, self._file, scanned.offset, scanned.within, kind == "revisit", place, digest,
            algorithm, self._ours,
        ))  # fmt: skip
        if self._ours:
            self._refer(scanned, text, digest, algorithm)
            self._recent.append(text)
            if self._keeps_captures and kind in _CAPTURES and scanned.end is not None:
                self._rows.captures.append(_capture(scanned, scanned.end, self._file))
        if len(self._rows.records) >= _BATCH:
            self.flush()

    def usual(
        self, kind: bytes, record: bytes, date: bytes, url: bytes | None, info: bytes | None,
        concurrent: bytes | None, payload: bytes | None, offset: int, size: int,
    ) -> None:  # fmt: skip
        """Take a record of which all is known to be right: no revisit, no segment, alone in its member."""
        place = digest = algorithm = None
        if kind in _ORIGINALS:
            place = _place(url or b"", date)
            if payload is not None:
                algorithm, digest = _label(payload)
            if self._keeps_captures:
                self._rows.captures.append(_usual_capture(self._file, offset, size, url or b"", date, payload, kind))
        self._rows.usual.append((key(record), self._file, offset, place, digest, algorithm))
        if kind == b"warcinfo" and len(self._infos) < _MOST_INFOS:
            self._infos.add(record)
        if info is not None and info not in self._infos:
            self._ask_for(info, (self._file, offset, 0, record.decode()))
        if concurrent is not None and concurrent not in self._recent:
            wanted = (int(Reference.CONCURRENT), key(concurrent), None, None, None)
            here = (self._file, offset, 0, record.decode())
            self._rows.references.append((*wanted, *here, concurrent[:300].decode()))
        self._recent.append(record)
        if len(self._rows.usual) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Hand on what is there."""
        rows, self._rows = self._rows, Rows([], [], [], [], [])
        self._hand_on(rows)

    def _refer(self, scanned: Scanned, text: bytes, digest: int | None, algorithm: str | None) -> None:
        named, kind = scanned.header.named, scanned.header.kind
        here = (self._file, scanned.offset, scanned.within, scanned.header.id)
        if kind == "warcinfo" and len(self._infos) < _MOST_INFOS:
            self._infos.add(text)
        info = _bytes(named.get("warc-warcinfo-id", "").strip("<>"))
        if info and info not in self._infos:
            self._ask_for(info, here)
        if "warc-concurrent-to" in named:
            for other in map(_bytes, _concurrent(scanned.header)):
                if other not in self._recent:
                    words = other[:300].decode("utf-8", "replace")
                    self._rows.references.append(
                        (int(Reference.CONCURRENT), key(other), None, None, None, *here, words)
                    )
        if kind == "revisit":
            wanted = (*_original(scanned.header), digest, algorithm)
            self._rows.references.append((int(Reference.REVISIT), *wanted, *here, _words(scanned.header)[:300]))
        if "warc-segment-number" in named:
            self._segment(scanned)

    def _ask_for(self, info: bytes, here: Row) -> None:
        """A warcinfo record must be there; once is enough."""
        words = info[:300].decode("utf-8", "replace")
        self._rows.references.append((int(Reference.WARCINFO), key(info), None, None, None, *here, words))
        if len(self._infos) < _MOST_INFOS:
            self._infos.add(info)

    def _segment(self, scanned: Scanned) -> None:
        header = scanned.header
        number = _number(header.named.get("warc-segment-number", ""))
        if number is None:
            return
        first = header.kind != "continuation"
        origin = header.id if first else header.named.get("warc-segment-origin-id", "").strip("<>")
        total = _number(header.named.get("warc-segment-total-length", ""))
        here = (self._file, scanned.offset, scanned.within, header.id)
        self._rows.segments.append((key(_bytes(origin)), number, header.length, total, *here))


def key(text: bytes) -> int:
    """A text as a number that fits into a database."""
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little", signed=True)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _label(payload: bytes) -> tuple[str, int]:
    """The algorithm of a digest that is known to be right, and its first bytes as a number."""
    if payload.startswith(b"sha1:"):
        return "sha1", int.from_bytes(from_base32(payload[5:21].decode(), 10)[:8], "little", signed=True)
    return "sha256", int.from_bytes(unhexlify(payload[7:23]), "little", signed=True)


def _digest(header: Header) -> tuple[int | None, str | None]:
    text = header.named.get("warc-payload-digest")
    label = digest_or_none(text) if text else None
    return (int.from_bytes(label[1][:8], "little", signed=True), label[0]) if label is not None else (None, None)


def _place(url: bytes, date: bytes) -> int | None:
    """A capture by its URL and its second."""
    return key(date[:_SECOND] + url) if url and date else None


def _capture(scanned: Scanned, end: int, file: int) -> Row:
    header = scanned.header
    label = digest_or_none(header.named.get("warc-payload-digest", ""))
    digest = f"{label[0]}:{label[1].hex()}" if label is not None else ""
    stamp = _NO_DIGIT.sub("", header.named.get("warc-date", ""))[:14]
    return (file, scanned.offset, end - scanned.offset, header.url, stamp, digest, header.kind)


def _usual_capture(
    file: int, offset: int, size: int, url: bytes, date: bytes, payload: bytes | None, kind: bytes
) -> Row:  # fmt: skip
    label = digest_or_none(payload.decode()) if payload is not None else None
    digest = f"{label[0]}:{label[1].hex()}" if label is not None else ""
    return (file, offset, size, url.decode(), _NO_DIGIT.sub("", date.decode())[:14], digest, kind.decode())


def _original(header: Header) -> tuple[int | None, int | None]:
    """What a revisit refers to: an id, and a place."""
    named = header.named
    text = named.get("warc-refers-to", "").strip("<>")
    url = named.get("warc-refers-to-target-uri", header.url).strip("<>")
    place = _place(_bytes(url), _bytes(named.get("warc-refers-to-date", "")))
    return key(_bytes(text)) if text else None, place


def _concurrent(header: Header) -> list[str]:
    if not header.given:
        return [header.named["warc-concurrent-to"].strip("<>")]
    return [value.strip("<>") for name, value in header.given if name.lower() == "warc-concurrent-to"]


def _words(header: Header) -> str:
    named = header.named
    parts = [named.get(name, "") for name in ("warc-refers-to", "warc-refers-to-target-uri", "warc-refers-to-date")]
    return " ".join(filter(None, parts)) or f"payload digest {named.get('warc-payload-digest', '')}"


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else None

"""The captures of ARC files, and of whatever stands behind damage, as rows of an index; nothing stops it."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from opilio.archive.cdx.rows import CdxRow
from opilio.archive.indexing.flaws import Flaw
from opilio.archive.indexing.heads import (
    Fields,
    address,
    head_end,
    is_capture,
    is_http,
    mime_of,
    moment,
    recorded_digest,
    status_of,
)
from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.framing import Scanned, State
from opilio.archive.verify.header import Header
from opilio.archive.verify.scanning import scan
from opilio.archive.warc.names import OPEN
from opilio.archive.warc.payload import header_values
from opilio.kernel.digests import Algorithm, Digest

_LONGEST_HEAD = 1 << 20


def scanned_captures(path: Path, flaws: list[Flaw], *, start: int, told: Callable[[int], None]) -> Iterator[CdxRow]:
    """The captures from a place on; what is broken is named in `flaws`."""

    def report(fault: Fault) -> None:
        if fault.severity is Severity.ERROR:
            flaws.append(Flaw(file=fault.file, offset=fault.offset, what=fault.sentence))

    for scanned in scan(path, report, _wanted, start=start, told=told):
        fields = _fields(scanned.header)
        if scanned.state is not State.LOST and is_capture(scanned.header.kind, fields):
            yield from _row(path, scanned, fields, flaws)


class _Block:
    """The beginning of a block, and the digest of all that follows its HTTP head."""

    def __init__(self, *, http: bool) -> None:
        self.head = b""
        self._in_head = http
        self._digest = hashlib.sha1(usedforsecurity=False)

    def feed(self, piece: memoryview) -> None:
        """The next bytes."""
        if not self._in_head:
            self._digest.update(piece)
            return
        self.head += piece
        found = head_end(self.head)
        if found >= 0 or len(self.head) > _LONGEST_HEAD:
            end = found if found >= 0 else len(self.head)
            self._digest.update(self.head[end:])
            self.head, self._in_head = self.head[:end], False

    def digest(self) -> Digest | None:
        """Of the payload; None where a transfer coding stands around it."""
        if header_values(self.head, b"transfer-encoding"):
            return None
        return Digest(Algorithm.SHA1, self._digest.digest())


def _wanted(header: Header) -> _Block | None:
    fields = _fields(header)
    return _Block(http=_is_answer(header, fields)) if is_capture(header.kind, fields) else None


def _is_answer(header: Header, fields: Fields) -> bool:
    """Whether an HTTP head begins the block; ARC files tell it by the address alone."""
    return is_http(fields) if header.arc is None else header.url.lower().startswith("http")


def _fields(header: Header) -> Fields:
    return {name.encode(): value.encode("utf-8", "replace") for name, value in header.named.items()}


def _row(path: Path, scanned: Scanned, fields: Fields, flaws: list[Flaw]) -> Iterator[CdxRow]:
    url, at = address(fields, b"warc-target-uri"), moment(fields.get(b"warc-date", b""))
    alone = scanned.end is not None and scanned.within == 0
    block = scanned.block
    if not (url and at and alone) or scanned.end is None or not isinstance(block, _Block):
        what = "the record cannot be read alone" if url and at else "the record has no address, or no date"
        flaws.append(Flaw(file=str(path), offset=scanned.offset, what=what))
        return
    revisit, answer = scanned.header.kind == "revisit", _is_answer(scanned.header, fields)
    yield CdxRow(
        url=url,
        at=at,
        mime=mime_of(block.head) if answer else fields.get(b"content-type", b"").decode("utf-8", "replace"),
        status=status_of(block.head),
        digest=recorded_digest(fields) or (None if revisit else block.digest()),
        file=path.name.removesuffix(OPEN),
        offset=scanned.offset,
        length=scanned.end - scanned.offset,
        revisit=revisit,
        original_url=address(fields, b"warc-refers-to-target-uri"),
        original_at=moment(fields.get(b"warc-refers-to-date", b"")),
    )

"""Writes a WARC file anew: responses whose body is kept elsewhere become revisits, all other records are copied.

A body is left out only if it was read and has its recorded digest, and the other one was read and has the same sha256.
What captures of the same crawl refer to keeps its body, so that no revisit refers to another. Damage is refused.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from opilio.archive.dedup.kept import Kept, KeptBodies
from opilio.archive.dedup.needs import IndexedCrawl
from opilio.archive.dedup.payloads import ReadPayload, read_payload, recorded_digest
from opilio.archive.packing.aside import file_part
from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.framing import Scanned, State
from opilio.archive.verify.header import Header
from opilio.archive.verify.scanning import scan
from opilio.archive.warc.compression import Compression, Packer
from opilio.archive.warc.names import find
from opilio.archive.warc.records import label
from opilio.kernel.capture import Original
from opilio.kernel.digests import Algorithm, Digest, digest_of
from opilio.kernel.errors import Damaged

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_LEFT_OUT = frozenset(
    {
        "warc-type", "warc-block-digest", "warc-payload-digest", "opilio-payload-digest", "content-length",
        "content-type", "warc-truncated", "warc-profile",
    }
)  # fmt: skip
_WORDS = {"warc": "WARC", "id": "ID", "uri": "URI", "ip": "IP"}
_OK = 200


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a record lies in the new file."""

    old: int
    offset: int
    length: int
    original: Original | None = None  # of a response that became a revisit
    saved: int = 0  # bytes of the body that was left out


class Rewriting:
    """Rewrites the files of one crawl; knows what is kept in it and in others."""

    def __init__(self, kept: KeptBodies, others: Sequence[IndexedCrawl], *, least: int) -> None:
        self._kept = kept
        self._others = others
        self._least = least  # bytes from which on a body is looked for

    def rewrite(self, path: Path, stream: BinaryIO, told: Callable[[int], None]) -> Iterator[Moved]:
        """Write the records of a file to a stream; where each of them went."""
        with path.open("rb") as begin:
            packed = begin.read(2) == b"\x1f\x8b"
        packing = Compression() if packed else Compression(packer=Packer.PLAIN)
        at = 0
        for scanned in scan(path, refuse, told=told):
            if scanned.end is None or scanned.within or scanned.state is not State.WHOLE:
                raise damaged(f"{path} at {scanned.offset}", "a record is not packed by itself")
            found, read = self._original(path, scanned)
            if found is not None and read is not None:
                record = packing.pack(_revisit(scanned.header, read, found.original))
                length = stream.write(record)
                yield Moved(scanned.offset, at, length, found.original, read.size)
            else:
                length = copied(path, scanned, stream)
                yield Moved(scanned.offset, at, length)
            at += length

    def _original(self, path: Path, scanned: Scanned) -> tuple[Kept | None, ReadPayload | None]:
        """The body that stands for that of a record, where there is one; and what the record holds."""
        header = scanned.header
        digest = recorded_digest(header.named)
        if not self._asks(header) or digest is None:
            return None, None
        read = read_payload(path, scanned.offset)
        if read is None or not read.honest or read.status != _OK or read.size < self._least:
            return None, None
        found = self._confirmed(digest)
        if found is not None and found.sha256 == read.sha256 and not self._kept.is_referred(read.url, read.at):
            return found, read
        if found is None:
            original = Original(url=read.url, captured=read.at, digest=digest, record=read.record or None)
            self._kept.learn(digest, original, read.sha256, (path.name, scanned.offset, 0))
        return None, read

    def _asks(self, header: Header) -> bool:
        """Whether a record may lose its body at all."""
        return (
            header.kind == "response"
            and "application/http" in header.named.get("content-type", "")
            and "warc-truncated" not in header.named
            and "warc-segment-number" not in header.named
            and (header.length or 0) >= self._least
        )

    def _confirmed(self, digest: Digest) -> Kept | None:
        """What is kept under a digest, once its record was read; a record that lies is forgotten."""
        kept = self._kept.find(digest)
        if kept is None or kept.sha256 or kept.crawl is None:
            return kept
        read = _read_elsewhere(find(self._others[kept.crawl].warcs, kept.file), kept.start)
        if read is None or not read.honest or read.digest != digest:
            self._kept.forget(digest)
            return None
        original = Original(url=read.url, captured=read.at, digest=digest, record=read.record or None)
        kept = replace(kept, original=original, sha256=read.sha256)
        self._kept.confirm(digest, kept)
        return kept


def _read_elsewhere(path: Path | None, offset: int) -> ReadPayload | None:
    """A record of another crawl; None when it is not there, or damaged."""
    try:
        return read_payload(path, offset) if path is not None else None
    except Damaged:
        return None


def _revisit(header: Header, read: ReadPayload, original: Original) -> bytes:
    """The record without its body: all that it said of itself, and where the body is."""
    digest = read.recorded or digest_of(b"", Algorithm.SHA1)
    block = label(digest_of(read.head, Algorithm.SHA256))
    fields = [f"{_spelt(name)}: {value}" for name, value in header.fields if name.lower() not in _LEFT_OUT]
    added = [
        f"WARC-Profile: {_PROFILE}",
        f"WARC-Refers-To-Target-URI: {original.url}",
        f"WARC-Refers-To-Date: {_date(original.captured)}",
        *([f"WARC-Refers-To: <{original.record}>"] if original.record else []),
        f"WARC-Payload-Digest: {label(digest)}",
        "WARC-Truncated: length",
        f"WARC-Block-Digest: {block}",
        "Content-Type: application/http;msgtype=response",
        f"Content-Length: {len(read.head)}",
    ]
    lines = "\r\n".join(["WARC/1.1", "WARC-Type: revisit", *fields, *added])
    return lines.encode("utf-8", "replace") + b"\r\n\r\n" + read.head + b"\r\n\r\n"


def _spelt(name: str) -> str:
    """The name of a field as the standard writes it; a scan has names in lower case."""
    return "-".join(_WORDS.get(word, word.capitalize()) for word in name.lower().split("-"))


def copied(path: Path, scanned: Scanned, stream: BinaryIO) -> int:
    """Copy a record as it is; how many bytes."""
    end = scanned.end if scanned.end is not None else scanned.offset
    for piece in file_part(path, scanned.offset, end - scanned.offset):
        stream.write(piece)
    return end - scanned.offset


def _date(at: datetime) -> str:
    return f"{at.isoformat(timespec='microseconds')[:26]}Z"


def refuse(fault: Fault) -> None:
    """Stop at a fault that is an error."""
    if fault.severity is Severity.ERROR:
        raise damaged(f"{fault.file} at {fault.offset}", fault.sentence)


def damaged(where: str, what: str) -> Damaged:
    """The error of a file that is not written anew, because it is not sound."""
    remedy = "Repair the file first: opilio archive verify, then recover."
    return Damaged(f"nothing is removed from a damaged file: {what}", where=where, remedy=remedy)

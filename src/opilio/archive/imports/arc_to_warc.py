"""Writes the records of an ARC file as WARC 1.1: heads and bodies as they are, the line before each as fields.

Replay, index and checks know WARC only; the ARC file itself is kept beside what is made of it.
"""

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from opilio.archive.imports.captures import Skipped
from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.framing import Scanned, State
from opilio.archive.verify.header import Header
from opilio.archive.verify.scanning import scan
from opilio.archive.warc.compression import Compression
from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.records import Recorder, new_id
from opilio.kernel.addresses import to_address
from opilio.kernel.bodies import Body, Spool, pieces_of
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import OpilioError

_HTTP = "application/http;msgtype=response"


class _Spooled:
    """Takes a block of any length; a long one lies in a file without a name."""

    def __init__(self, folder: Path) -> None:
        self._spool = Spool(folder)
        self._hash = hashlib.sha256(usedforsecurity=False)

    def feed(self, piece: memoryview) -> None:
        data = bytes(piece)
        self._spool.write(data)
        self._hash.update(data)

    def done(self) -> tuple[Body, str]:
        """The block, and its digest in hex."""
        return self._spool.body(), self._hash.hexdigest()


def convert(
    arc: Path, stream: BinaryIO, name: str, *, at: datetime, folder: Path, skipped: Callable[[Skipped], None],
    told: Callable[[int], None] = lambda done: None,
) -> int:  # fmt: skip
    """Write a WARC file called `name`; the number of its captures. `folder` is for what does not fit into memory."""
    packing, info = Compression(), new_id()
    about = WarcInfo(description=f"converted from {arc.name}, an ARC file")
    stream.write(packing.pack(Recorder(warcinfo=info, algorithm=Algorithm.SHA256).info(about, name=name, at=at)))
    count = 0

    def report(fault: Fault) -> None:
        if fault.severity is Severity.ERROR:
            skipped(Skipped(file=arc.name, offset=fault.offset, reason=fault.sentence))

    for scanned in scan(arc, report, lambda header: _Spooled(folder), told=told):
        if scanned.state is not State.LOST and scanned.header.arc is not None and isinstance(scanned.block, _Spooled):
            for piece in packing.pack_pieces(_record(scanned, scanned.block, info, at)):
                stream.write(piece)
            count += not scanned.header.arc.is_description
    return count


def _record(scanned: Scanned, block: _Spooled, info: str, now: datetime) -> Iterator[bytes]:
    body, digest = block.done()
    header = scanned.header
    kind, content_type = _kind(header, body[:5])
    fields = [
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <{new_id()}>",
        f"WARC-Date: {_date(header, now)}",
        f"WARC-Warcinfo-ID: <{info}>",
        f"WARC-Target-URI: {_line(header.url)}",
        *_address(header),
        f"WARC-Block-Digest: sha256:{digest}",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(body)}",
    ]
    yield ("WARC/1.1\r\n" + "\r\n".join(fields) + "\r\n\r\n").encode("utf-8", "replace")
    yield from pieces_of(body)
    yield b"\r\n\r\n"


def _kind(header: Header, start: bytes) -> tuple[str, str]:
    """Which record an ARC record becomes, and the type of its block."""
    mime = _line(header.named.get("content-type", "")) or "application/octet-stream"
    if header.arc is not None and header.arc.is_description:
        return "metadata", "text/plain"
    if start.startswith(b"HTTP/"):
        return "response", _HTTP
    return ("response", "text/dns") if header.url.startswith("dns:") else ("resource", mime)


def _date(header: Header, now: datetime) -> str:
    return header.named.get("warc-date") or f"{now:%Y-%m-%dT%H:%M:%SZ}"


def _address(header: Header) -> list[str]:
    """The address that answered; ARC files say 0.0.0.0 where they do not know it."""
    address = header.arc.address if header.arc is not None else ""
    if address in ("", "0.0.0.0", "-"):  # noqa: S104 - compared with, not listened on
        return []
    try:
        return [f"WARC-IP-Address: {to_address(address)}"]
    except OpilioError:
        return []


def _line(text: str) -> str:
    return "".join(char if char.isprintable() and char != " " else f"%{ord(char):02X}" for char in text)

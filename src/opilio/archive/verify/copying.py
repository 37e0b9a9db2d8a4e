"""The unpacked bytes of one record that a scan has passed, read again a piece at a time."""

from collections.abc import Iterator
from pathlib import Path

from opilio.archive.verify.framing import Scanned
from opilio.archive.verify.source import MAGIC, Packed, Plain, Run, Source
from opilio.kernel.errors import Damaged
from opilio.kernel.files import reading


def record_pieces(path: Path, scanned: Scanned) -> Iterator[bytes]:
    """Header and block, without what follows; `Damaged` where the file breaks off."""
    yield from _pieces(path, scanned, scanned.within, scanned.start + (scanned.header.length or 0))


def header_bytes(path: Path, scanned: Scanned) -> bytes:
    """The header as it stands, with the empty line."""
    return b"".join(_pieces(path, scanned, scanned.within, scanned.start))


def block_pieces(path: Path, scanned: Scanned) -> Iterator[bytes]:
    """The block alone."""
    yield from _pieces(path, scanned, scanned.within + scanned.start, scanned.header.length or 0)


def _pieces(path: Path, scanned: Scanned, skip: int, size: int) -> Iterator[bytes]:
    with reading(path), path.open("rb", buffering=0) as stream:
        source = Source(stream)
        source.seek(scanned.offset)
        run = _run(source)
        while skip or size:
            if run.at >= len(run.data) and not run.more():
                if not run.packed or run.broken or not source.peek(2).startswith(MAGIC):
                    raise Damaged("the record breaks off", where=f"{path} at {scanned.offset}", remedy=_REMEDY)
                run = Packed(source)  # a record that goes on in the next member
                continue
            step = min(skip or size, len(run.data) - run.at)
            if skip:
                skip -= step
            else:
                size -= step
                yield run.data[run.at : run.at + step]
            run.at += step


_REMEDY = "Run `opilio archive verify` on the file."


def _run(source: Source) -> Run:
    return Packed(source) if source.peek(2).startswith(MAGIC) else Plain(source)

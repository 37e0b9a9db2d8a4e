"""Keeps what is whole of a damaged file in a new one beside it, and says exactly what was lost. The old file stays.

A record is kept when all of its bytes can be read; if only its framing or packing is wrong, it is written as it should
be. Whether its content is the one that was captured is not asked: that is for `verify`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from opilio.archive.verify.copying import record_pieces
from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.framing import Scanned, State
from opilio.archive.verify.scanning import Told, scan
from opilio.archive.warc.compression import Compression, Packer
from opilio.archive.warc.names import OPEN
from opilio.archive.warc.tail import refuse_if_locked
from opilio.kernel.errors import Conflict
from opilio.kernel.files import ensure_folder, mapped, require_space, sync_folder, writing

MOST = 10_000  # places and faults that are kept; all bytes are counted
_PIECE = 1 << 20
_SUFFIXES = (".warc.gz", ".warc", ".arc.gz", ".arc")


@dataclass(frozen=True, kw_only=True, slots=True)
class Lost:
    """Bytes of the old file that are not in the new one."""

    offset: int
    size: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Recovered:
    """What came of one file."""

    file: Path
    output: Path | None = None  # None when nothing was wrong with it, or nothing could be kept
    aside: Path | None = None  # where the old file lies, when the new one took its place
    records: int = 0  # that are whole
    mended: int = 0  # of these: framed or packed anew
    lost_records: int = 0  # whose header could be read
    lost_bytes: int = 0
    lost: tuple[Lost, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether there was nothing to do; a file without a record is none that could be whole."""
        return bool(self.records) and not self.lost_bytes and not self.mended and not self.lost_records


def recovered_name(path: Path) -> str:
    """What the new file is called beside the old one."""
    name = path.name.removesuffix(OPEN)
    suffix = next((each for each in _SUFFIXES if name.lower().endswith(each)), "")
    return f"{name[: len(name) - len(suffix)]}.recovered{suffix}"


def recover(path: Path, output: Path, *, in_place: bool = False, told: Told = lambda at: None) -> Recovered:
    """Write all records that are whole into a new file, which appears whole; a good file is left as it is."""
    refuse_if_locked(path)
    aside = path.with_name(f"{path.name}.damaged")
    if in_place:
        output = path.with_name(f".{path.name}.recovered")  # for a moment; what one breaks off the next one replaces
    _refuse_if_there(aside if in_place else output, in_place=in_place)
    found = survey(path, told)
    if found.whole or not found.records:
        return found
    ensure_folder(output.parent)
    require_space(output.parent, path.stat().st_size)
    with writing(output) as stream:
        _write(path, stream)
    if not in_place:
        return replace(found, output=output)
    with mapped(path):
        path.rename(aside)
        output.rename(path)
        sync_folder(path.parent)
    return replace(found, output=path, aside=aside)


def _refuse_if_there(taken: Path, *, in_place: bool) -> None:
    if not taken.exists():
        return
    if in_place:
        what = "an earlier recovering set the damaged file aside under this name"
        remedy = "Move that one away or delete it, or recover without --in-place: into another file."
        raise Conflict(what, where=str(taken), remedy=remedy)
    remedy = "Move it away, choose another folder with --into, or put the new file in place: --in-place."
    raise Conflict("there is a file already", where=str(taken), remedy=remedy)


def survey(path: Path, told: Told = lambda at: None) -> Recovered:
    """What can be kept of a file, without writing anything."""
    tally = _Tally(size=path.stat().st_size)
    packed = _packing(path)
    records = mended = lost = 0
    for scanned in scan(path, tally.fault, told=told):
        if scanned.state is State.LOST:
            lost += 1
            tally.begin(scanned.offset)
            continue
        records += 1
        mended += scanned.state is State.MENDABLE or scanned.packed is not packed
        tally.keep(scanned)
    tally.end()
    return Recovered(
        file=path, records=records, mended=mended, lost_records=lost, lost_bytes=tally.bytes, lost=tuple(tally.lost),
        faults=tuple(tally.faults),
    )  # fmt: skip


@dataclass(kw_only=True, slots=True)
class _Tally:
    """Adds up the bytes that belong to no record that is kept."""

    size: int  # of the file
    bytes: int = 0
    lost: list[Lost] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    _since: int | None = None  # where the bytes begin that nothing was found for yet
    _kept: int = 0  # where the last record that is kept ends

    def fault(self, fault: Fault) -> None:
        """Something is wrong from a place on, unless a record is found there."""
        if len(self.faults) < MOST:
            self.faults.append(fault)
        if fault.severity is Severity.ERROR:
            self.begin(fault.offset)

    def begin(self, offset: int) -> None:
        """Bytes are lost from here on."""
        if self._since is None:
            self._since = max(offset, self._kept)

    def keep(self, scanned: Scanned) -> None:
        """Up to this record."""
        self._close(scanned.offset)
        self._kept = scanned.end if scanned.end is not None else scanned.offset

    def end(self) -> None:
        """The file is over."""
        self._close(self.size)

    def _close(self, end: int) -> None:
        if self._since is not None and end > self._since:
            self.bytes += end - self._since
            if len(self.lost) < MOST:
                self.lost.append(Lost(offset=self._since, size=end - self._since))
        self._since = None


def _write(path: Path, stream: BinaryIO) -> None:
    packed = _packing(path)
    compression = Compression() if packed else Compression(packer=Packer.PLAIN)
    with path.open("rb") as source:
        for scanned in scan(path, lambda fault: None):
            if scanned.state is State.LOST:
                continue
            if scanned.state is State.WHOLE and scanned.end is not None and scanned.packed is packed:
                _copy(source, stream, scanned.offset, scanned.end)
                continue
            for piece in compression.pack_pieces(_mended(path, scanned)):
                stream.write(piece)


def _mended(path: Path, scanned: Scanned) -> Iterator[bytes]:
    """A record framed as it should be."""
    yield from record_pieces(path, scanned)
    yield b"\n" if scanned.header.arc is not None else b"\r\n\r\n"


def _copy(source: BinaryIO, stream: BinaryIO, start: int, end: int) -> None:
    source.seek(start)
    while start < end and (piece := source.read(min(_PIECE, end - start))):
        stream.write(piece)
        start += len(piece)


def _packing(path: Path) -> bool:
    """Whether the new file is to be packed: as the name says, else as the first record is."""
    name = path.name.removesuffix(OPEN).lower()
    if name.endswith(".gz"):
        return True
    first = next(scan(path, lambda fault: None), None)
    return first is not None and first.packed

"""The RecordSink that writes WARC 1.1 files: one per worker, with its own series of files in a shared folder.

A file begins with its warcinfo and is finished (renamed from `.open`) when it reached its size. Response first, then
its request, then metadata; the Position of a capture is that of its response record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from opilio.archive.warc import records
from opilio.archive.warc.compression import Compression
from opilio.archive.warc.cutting import cut
from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.names import OPEN, Series, WarcFile, all_files
from opilio.archive.warc.records import About, LargeRecord, Recorder, new_id
from opilio.archive.warc.recover import cut_torn_tail, warcinfo_id
from opilio.archive.warc.tail import Tail, refuse_if_locked
from opilio.kernel.capture import (
    Capture,
    DnsAnswer,
    MetadataFields,
    Offsets,
    Position,
    Resource,
    Revisit,
    not_fresh,
)
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.digests import Algorithm
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.kernel.files import ensure_folder


@dataclass(frozen=True, kw_only=True, slots=True)
class WarcOptions:
    """How a crawl wants its WARC files."""

    prefix: str = "opilio"
    size: int = 1_000_000_000  # bytes after which the next file is begun
    algorithm: Algorithm = Algorithm.SHA256  # of block digests; payload digests are those of the captures
    compression: Compression = field(default_factory=Compression)
    provenance: bool = False  # a metadata record with seed, hops, via and duration for every capture

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InvalidInput("a WARC file needs room for a byte", where="WARC options", remedy="Give a larger size.")
        if self.algorithm not in (Algorithm.SHA1, Algorithm.SHA256):
            remedy = "Choose sha1 or sha256."
            raise InvalidInput(f"WARC digests are not made with {self.algorithm}", where="WARC options", remedy=remedy)


@dataclass(frozen=True, slots=True)
class _Written:
    """What metadata about a capture needs to know of it."""

    record: str
    url: str
    at: datetime


class WarcSink:
    """Writes the captures of one worker; see `kernel.capture.RecordSink` for the promises."""

    def __init__(
        self,
        folder: Path,
        *,
        worker: str,
        options: WarcOptions | None = None,
        info: WarcInfo | None = None,
        clock: Clock = SYSTEM,
    ) -> None:
        self._folder = ensure_folder(folder)
        self._options = options or WarcOptions()
        self._info = info or WarcInfo()
        self._clock = clock
        self._series = Series(prefix=self._options.prefix, worker=worker)
        self._pack = self._options.compression.pack
        self._tail: Tail | None = None
        self._recorder = Recorder(warcinfo=new_id(), algorithm=self._options.algorithm)
        self._finished: dict[str, int] = {}  # name → length
        self._fresh: dict[Position, _Written] = {}
        self._proven = False  # whether the files left by an earlier process end with whole records
        self._closed = False

    def append(self, capture: Capture) -> Position:
        tail = self._ready()
        record, about = new_id(), records.about(capture)
        made, beside = self._recorder.response(capture, record, about), self._beside(capture, record, about)
        if isinstance(made, LargeRecord):
            place = self._put_large(tail, made, beside)
        else:
            place = self._put(tail, [made, *beside])
        self._fresh[place] = _Written(record, capture.url, capture.started)
        return place

    def append_revisit(self, revisit: Revisit) -> Position:
        tail = self._ready()
        capture, record = revisit.capture, new_id()
        about = records.about(capture)
        made, beside = self._recorder.revisit(revisit, record, about), self._beside(capture, record, about)
        place = self._put(tail, [made, *beside])
        self._fresh[place] = _Written(record, capture.url, capture.started)
        return place

    def append_dns(self, answer: DnsAnswer) -> Position:
        tail = self._ready()
        return self._put(tail, [self._recorder.dns(answer, new_id())])

    def append_resource(self, resource: Resource) -> Position:
        tail = self._ready()
        record = new_id()
        place = self._put(tail, [self._recorder.resource(resource, record)])
        self._fresh[place] = _Written(record, resource.url, resource.at)
        return place

    def append_metadata(self, place: Position, fields: MetadataFields) -> Position:
        about = self._fresh.get(place)
        if about is None:
            raise not_fresh(place)
        tail = self._ready()
        return self._put(tail, [self._recorder.metadata(about.url, about.at, fields, new_id(), about.record)])

    def record_of(self, place: Position) -> str | None:
        found = self._fresh.get(place)
        return found.record if found is not None else None

    def sync(self) -> Offsets:
        self._prove()
        lengths = dict(self._finished)
        if self._tail is not None:
            self._tail.sync()
            lengths[self._tail.name] = self._tail.length
        self._fresh.clear()
        return lengths

    def cut_back(self, offsets: Offsets) -> None:
        self._let_go()
        try:
            cut(self._folder, offsets, self._is_ours)
        finally:
            self._take_up()
        self._proven = True

    def close(self) -> None:
        if self._closed:
            return
        self.sync()
        if self._tail is not None:
            self._tail.finish()
        self._let_go()
        self._closed = True

    def leave(self) -> None:
        """Let go of the file as it is, so that another may take it up; after a fault, or in a hurry."""
        self._let_go()
        self._closed = True

    def _beside(self, capture: Capture, record: str, about: About) -> list[bytes]:
        """The records that go with a response: its request, and metadata where wanted or needed."""
        found = []
        if capture.request:
            found.append(self._recorder.request(capture, new_id(), record, about))
        if self._options.provenance or capture.notes or records.unverified(capture):
            pairs = records.provenance(capture)
            found.append(self._recorder.metadata(capture.url, capture.started, pairs, new_id(), record))
        return found

    def _put(self, tail: Tail, made: Sequence[bytes]) -> Position:
        """Write records in one go; the position of the first."""
        packed = [self._pack(record) for record in made]
        return Position(file=tail.name, offset=tail.write(*packed), length=len(packed[0]))

    def _put_large(self, tail: Tail, large: LargeRecord, beside: Sequence[bytes]) -> Position:
        """The same where the first record is packed while it is written."""
        length = 0

        def pieces() -> Iterator[bytes]:
            nonlocal length
            for piece in self._options.compression.pack_pieces(large.pieces()):
                length += len(piece)
                yield piece
            yield from (self._pack(record) for record in beside)

        offset = tail.write_pieces(pieces())
        return Position(file=tail.name, offset=offset, length=length)

    def _ready(self) -> Tail:
        """The file that the next record goes to."""
        if self._closed:
            raise InvalidInput("the sink is closed", where=str(self._folder), remedy="Open a new one for this crawl.")
        self._prove()
        tail = self._tail
        if tail is not None and tail.length >= self._options.size:
            tail.finish()
            self._finished[tail.name] = tail.length
            self._tail = tail = None
        return tail if tail is not None else self._begin()

    def _begin(self) -> Tail:
        """A new file with its warcinfo."""
        now = self._clock.now()
        serial = max((file.serial for file in self._files()), default=-1) + 1
        name = self._series.name(serial, now, self._options.compression.suffix)
        tail = Tail(self._folder / (name + OPEN), fresh=True)
        self._recorder = Recorder(warcinfo=new_id(), algorithm=self._options.algorithm)
        try:
            tail.write(self._pack(self._recorder.info(self._info, name=name, at=now)))
        except OpilioError:
            tail.discard()
            raise
        self._tail = tail
        return tail

    def _prove(self) -> None:
        """Once, before the first use: what an earlier process left is cut to whole records if nobody cut it back."""
        if self._proven:
            return
        self._let_go()
        for file in self._files():
            if file.is_open:
                refuse_if_locked(file.path)
                cut_torn_tail(file.path)
        self._take_up()
        self._proven = True

    def _take_up(self) -> None:
        """Find the files of the series, and go on with the last one if it is open."""
        self._let_go()
        files = self._files()
        for file in files:
            if file.is_open and file is files[-1]:
                self._tail = Tail(file.path, fresh=False)
                self._recorder = Recorder(warcinfo=warcinfo_id(file.path), algorithm=self._options.algorithm)
            else:
                self._finished[file.name] = file.path.stat().st_size

    def _let_go(self) -> None:
        if self._tail is not None:
            self._tail.release()
        self._tail = None
        self._finished.clear()
        self._fresh.clear()

    def _files(self) -> list[WarcFile]:
        return [file for file in all_files(self._folder) if self._is_ours(file)]

    def _is_ours(self, file: WarcFile) -> bool:
        return file.series == self._series

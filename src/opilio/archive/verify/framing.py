"""The records of one run: header, block and the line ends behind it (WARC 1.1 §4; for ARC a line, block, line end)."""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple, Protocol

from opilio.archive.verify.faults import Code, Fault, Report
from opilio.archive.verify.finding import go_to_start, member_begins, start_in_file
from opilio.archive.verify.header import Header, arc_header, parse_header
from opilio.archive.verify.source import MAGIC, Packed, Plain, Run, Source
from opilio.archive.warc.arc import LONGEST_LINE, arc_line

_LONGEST_HEADER = 1 << 20  # bytes
_END_OF_HEADER = re.compile(rb"\n\r?\n")
_LINE_ENDS = re.compile(rb"[\r\n]*")
_END = b"\r\n\r\n"
_AHEAD = 64  # bytes behind a block that tell whether it ends there
_WARC = b"WARC/"


class Block(Protocol):
    """Takes the block of a record."""

    def feed(self, piece: memoryview) -> None:
        """The next bytes; they stay valid."""
        ...


class State(Enum):
    """What there is of a record."""

    WHOLE = "all of it, as it should be"
    MENDABLE = "all of it, but framed or packed wrongly"
    LOST = "not all of it"


class Scanned(NamedTuple):
    """One record that was passed."""

    offset: int  # where it, or the gzip member that holds it, begins in the file
    within: int  # where it begins in the unpacked member; 0 when it is the first
    end: int | None  # where it ends in the file; None when others share its member
    start: int  # bytes of the header, where the block begins
    header: Header
    state: State
    block: Block | None  # what took its block
    packed: bool = True


#: Takes a record that is flawless: data, where it begins in it, where in the file, its packed bytes (0: not packed);
#: the bytes of the record, or 0 when it does not take it.
Quick = Callable[[bytes, int, int, int], int]
#: Says who takes the block of a record that begins; None when nobody wants it.
Wants = Callable[[Header], Block | None]


def nobody(header: Header) -> None:
    """Blocks are skipped."""


class Framing:
    """Takes runs apart."""

    def __init__(self, file: str, source: Source, report: Report, wants: Wants, quick: Quick | None = None) -> None:
        self._file = file
        self._source = source
        self._report = report
        self._wants = wants
        self._quick = quick
        self.found = 0  # records so far
        self.run: Run = Plain(source)  # at work
        self.count = 0  # records that begin in it
        self.arc = False  # whether the last record was of the older format
        self._offset = 0  # of the record at work
        self._within = 0

    def records(self, run: Run) -> Iterator[Scanned]:
        """All records of a run that can be found."""
        self.run, self.count = run, 0
        while self.run.fill(1):
            run = self.run
            if not run.packed and run.data.startswith(MAGIC, run.at):
                break
            self._place(run)
            if not run.packed and self._quick is not None:
                taken = self._quick(run.data, run.at, self._offset, 0)
                if taken:
                    run.at += taken
                    self.found += 1
                    continue
            if not run.data.startswith(_WARC, run.at) and not self._arc_begins(run):
                if not self._pass_garbage(run):
                    break
                continue
            self.count += 1
            scanned = self._record(run)
            if scanned is not None:
                self.found += 1
                yield scanned
        if isinstance(self.run, Plain):
            self.run.leave()

    def alone(self, offset: int, end: int, data: bytes) -> Scanned | None:
        """The only record of a member, where all is as usual: most are, and this way is the quickest."""
        found = _END_OF_HEADER.search(data) if data.startswith(_WARC) else None
        if found is None or not data.endswith(_END):
            return None
        start = found.end()
        header = parse_header(data[: found.start()].removesuffix(b"\r"))
        if header.length != len(data) - start - 4:
            return None
        if header.faults:
            self._offset, self._within = offset, 0
            for code, sentence in header.faults:
                self._tell(code, sentence, record=header.id)
        block = self._wants(header)
        if block is not None:
            block.feed(memoryview(data)[start:-4])
        return Scanned(offset, 0, end, start, header, State.WHOLE, block)

    def _place(self, run: Run) -> None:
        if run.packed:
            self._offset, self._within = run.offset, run.position
        else:
            self._offset, self._within = run.offset + run.position, 0

    def _arc_begins(self, run: Run) -> bool:
        if not run.data.startswith(_WARC[:4], run.at):
            run.fill(LONGEST_LINE)
        else:
            run.fill(len(_WARC))
        return run.data.startswith(_WARC, run.at) or arc_line(run.data, run.at) is not None

    def _pass_garbage(self, run: Run) -> bool:
        """Go on behind what is no record; False when the run is over for that."""
        begin = run.position
        more = _LINE_ENDS.match(run.data, run.at)
        if more is not None and more.end() > run.at:
            run.at = more.end()
            self._tell(Code.RECORD_END, f"{more.end() - more.start()} bytes of line ends too many")
            return True
        code = Code.ARC_HEADER if self.arc else Code.GARBAGE
        if isinstance(run, Plain):
            run.leave()  # the walk reports it, and finds the next record in whatever form
            return False
        found = go_to_start(run, arc=self.arc)
        if not run.broken:
            self._tell(code, f"{run.position - begin:,} bytes of the gzip member belong to no record")
        return found

    def _record(self, run: Run) -> Scanned | None:
        header, start = self._header(run)
        if header is None:
            return None
        for code, sentence in header.faults:
            self._tell(code, sentence, record=header.id)
        run.at += start
        if header.length is None:
            self._go_on(run)
            return self._scanned(header, start, State.LOST, None)
        if isinstance(run, Plain) and not self._ends_there(run, header.length):
            self._tell_length_of_plain(run, header)
            return self._scanned(header, start, State.LOST, None)
        block = self._wants(header)
        state = self._block(run, header, block)
        return self._scanned(header, start, state, block)

    def _header(self, run: Run) -> tuple[Header | None, int]:
        """The header with its length in bytes; None, and the run is behind it, when it has no end."""
        if not run.data.startswith(_WARC, run.at):
            line = arc_line(run.data, run.at)
            self.arc = line is not None
            return (arc_header(line), line.size) if line is not None else (None, 0)
        self.arc = False
        end = _end_of_header(run)
        if end is not None:
            return parse_header(_without_end(run.data[run.at : end])), end - run.at
        if run.packed or len(run.data) - run.at > _LONGEST_HEADER:
            if not run.broken:
                self._tell(Code.HEADER_UNENDED, "the header of the record has no end")
            run.at += len(_WARC)
            self._go_on(run)
        else:
            self._tell(Code.RECORD_TRUNCATED, "the file ends inside the header of a record")
            run.at = len(run.data)
        return None, 0

    def _block(self, run: Run, header: Header, block: Block | None) -> State:
        """Pass the block and what follows it."""
        length = header.length or 0
        got = run.feed(length, block.feed) if block is not None else run.jump(length)
        split = False
        while got < length and isinstance(run, Packed) and not run.broken and self._goes_on():
            if not split:
                split = True
                words = f"the record goes on in the gzip member at {self._source.at:,}"
                self._tell(Code.RECORD_SPLIT, words, record=header.id, within=got)
            self.run = run = Packed(self._source)
            self.count = 0
            left = length - got
            got += run.feed(left, block.feed) if block is not None else run.jump(left)
        if got < length:
            self._tell_short(run, header, got)
            return State.LOST
        state = self._ending(run, header, got)
        return State.MENDABLE if split and state is State.WHOLE else state

    def _goes_on(self) -> bool:
        """Whether the next gzip member begins with something else than a record."""
        packed = self._source.peek(2048)
        return packed.startswith(MAGIC) and not member_begins(packed)

    def _tell_short(self, run: Run, header: Header, got: int) -> None:
        """The run is over before the block is."""
        if run.broken:
            return  # told by the walk
        actual = got - 4 if run.data.endswith(_END) else got
        words = f"Content-Length says {header.length:,} and the block has {actual:,} bytes"
        self._tell(Code.LENGTH_WRONG, words, record=header.id, within=actual)

    def _ending(self, run: Run, header: Header, got: int) -> State:
        """Pass the line ends behind a block."""
        if run.fill(4) and not self.arc and run.data.startswith(_END, run.at):
            run.at += 4
            return State.WHOLE
        run.fill(_AHEAD)
        ends = _LINE_ENDS.match(run.data, run.at)
        behind = ends.end() if ends is not None else run.at
        if self.arc and behind > run.at:
            run.at = behind
            return State.WHOLE
        if behind >= len(run.data) or self._starts(run.data, behind):
            wanted = "one line end" if self.arc else "CR LF CR LF"
            if not run.broken:
                words = f"{behind - run.at} bytes of line ends stand behind the block, not {wanted}"
                self._tell(Code.RECORD_END, words, record=header.id, within=got)
            run.at = behind
            return State.MENDABLE if not run.broken else State.LOST
        begin = run.position
        self._go_on(run)
        actual = got + run.position - begin - 4
        words = f"Content-Length says {header.length:,} and the block has {actual:,} bytes"
        self._tell(Code.LENGTH_WRONG, words, record=header.id, within=got)
        return State.LOST

    def _ends_there(self, run: Plain, length: int) -> bool:
        """Whether a block that is not packed ends where its length says, looked up before it is read."""
        begin = run.offset + run.position
        end = begin + length
        if end > self._source.size:
            return False
        ahead = run.at + length
        if ahead + _AHEAD <= len(run.data):
            behind = run.data[ahead : ahead + _AHEAD]
        else:
            behind = self._source.look_at(end, _AHEAD)
        if behind.startswith(_END):
            return True
        ends = _LINE_ENDS.match(behind)
        at = ends.end() if ends is not None else 0
        return at >= len(behind) or self._starts(behind, at) or (self.arc and at > 0)

    def _tell_length_of_plain(self, run: Plain, header: Header) -> None:
        """Find out how long a block is whose Content-Length leads to the wrong place, and go behind it."""
        begin = run.offset + run.position
        found = start_in_file(self._source, begin, arc=self.arc)
        if found is None and begin + (header.length or 0) > self._source.size:
            words = f"{self._source.size - begin:,} bytes of the block are there, of {header.length:,}"
            self._tell(Code.RECORD_TRUNCATED, words, record=header.id, within=self._source.size - self._offset)
        else:
            end = self._source.size if found is None else found
            actual = max(0, end - begin - (1 if self.arc else 4))
            words = f"Content-Length says {header.length:,} and the block has {actual:,} bytes"
            self._tell(Code.LENGTH_WRONG, words, record=header.id, within=begin - self._offset + actual)
        run.jump((self._source.size if found is None else found) - begin)

    def _go_on(self, run: Run) -> None:
        """Go to the next record of the run."""
        if not isinstance(run, Plain):
            go_to_start(run, arc=self.arc)
            return
        begin = run.offset + run.position
        found = start_in_file(self._source, begin, arc=self.arc)
        run.jump((self._source.size if found is None else found) - begin)

    def _starts(self, data: bytes, at: int) -> bool:
        return data.startswith((_WARC, MAGIC), at) or arc_line(data, at) is not None

    def _scanned(self, header: Header, start: int, state: State, block: Block | None) -> Scanned:
        run = self.run
        end: int | None
        if not run.packed:
            end = run.offset + run.position
        elif self._within or run.fill(1):
            end = None
            state = State.MENDABLE if state is State.WHOLE else state
        else:
            end = self._source.at
            state = state if not run.broken else State.LOST
        return Scanned(self._offset, self._within, end, start, header, state, block, run.packed)

    def _tell(self, code: Code, sentence: str, *, record: str = "", within: int = 0) -> None:
        fault = Fault(
            file=self._file, offset=self._offset, code=code, sentence=sentence, within=self._within + within,
            record=record,
        )  # fmt: skip
        self._report(fault)


def _end_of_header(run: Run) -> int | None:
    """Where the empty line behind a header ends in the data at hand, which is read as far as needed."""
    end = _end_at_hand(run)
    while end is None and len(run.data) - run.at <= _LONGEST_HEADER and run.more():
        end = _end_at_hand(run)
    return end


def _end_at_hand(run: Run) -> int | None:
    """The same without reading on; what was searched is not searched again."""
    found = _END_OF_HEADER.search(run.data, max(run.at, run.unended - run.before - 2))
    if found is not None:
        return found.end()
    run.unended = run.before + len(run.data)
    return None


def _without_end(header: bytes) -> bytes:
    """A header without its empty line and the line end before it."""
    for end in (b"\n", b"\r", b"\n", b"\r"):
        header = header.removesuffix(end)
    return header

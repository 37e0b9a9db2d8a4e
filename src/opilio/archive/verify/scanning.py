"""Walks through the records of a WARC or ARC file, plain or packed, whatever stands between them.

Faults of packing and framing are reported as they are met; behind damage it goes on at the next record that can be
found. Nothing is ever raised because of what a file holds, and no record is held in memory.
"""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from opilio.archive.verify.faults import Code, Fault, Report
from opilio.archive.verify.finding import start_in_file
from opilio.archive.verify.framing import Framing, Quick, Scanned, Wants, nobody
from opilio.archive.verify.quick import quick_members
from opilio.archive.verify.source import MAGIC, Packed, Plain, Run, Source
from opilio.archive.warc.arc import LONGEST_LINE, arc_line
from opilio.kernel.files import reading

_ENDS_AT = frozenset({Code.MEMBER_CHECKSUM, Code.MEMBER_SIZE})  # damage after which the end of the member is known
_SOME, _MANY = 8, 64  # members
_STEP = 1 << 20  # bytes between two words about the progress

#: Told how far the scan came: bytes.
Told = Callable[[int], None]


def _silent(at: int) -> None:
    """Nobody watches."""


def scan(
    path: Path,
    report: Report,
    wants: Wants = nobody,
    *,
    start: int = 0,
    told: Told = _silent,
    quick: Quick | None = None,
) -> Generator[Scanned, None, None]:
    """All records from a place on that can be found, without those that `quick` takes."""
    with reading(path), path.open("rb", buffering=0) as stream:
        source = Source(stream)
        source.seek(start)
        done = start
        for scanned in _Walk(path, source, report, wants, quick).records():
            yield scanned
            if source.at - done >= _STEP:
                done = source.at
                told(done)


class _Walk:
    """Where a scan stands."""

    def __init__(self, path: Path, source: Source, report: Report, wants: Wants, quick: Quick | None) -> None:
        self._path = path
        self._file = str(path)
        self._source = source
        self._report = report
        self._quick = quick
        self._found = 0  # records
        self._framing = Framing(self._file, source, report, wants, quick)
        self._packed: bool | None = None  # how the last run was
        self._mixed = False  # whether that changed
        self._slow = 0  # members to be read piece by piece before the quick way is tried again

    def records(self) -> Iterator[Scanned]:
        """Run after run."""
        source = self._source
        while source.at < source.size and (start := source.peek(5)):
            if start.startswith(MAGIC):
                if self._slow == 0:
                    yield from self._usual()
                    continue
                self._slow -= 1
                run: Run = Packed(source)
            elif start == b"WARC/" or arc_line(source.peek(LONGEST_LINE)) is not None:
                run = Plain(source)
            else:
                self._pass_garbage()
                continue
            self._check_packing(run.offset, packed=run.packed)
            yield from self._framing.records(run)
            if isinstance(run, Packed):
                self._close(run)
        self._check_file()

    def _usual(self) -> Iterator[Scanned]:
        """Records that are each alone in a member, as far as they come one after the other."""
        source, quick, found = self._source, self._quick, 0
        self._check_packing(source.at, packed=True)
        with self._path.open("rb", buffering=0) as stream:
            for offset, end, data in quick_members(stream, source.at):
                if quick is not None and data and quick(data, 0, offset, end - offset) == len(data):
                    found += 1
                    source.pass_to(end)
                    continue
                scanned = self._framing.alone(offset, end, data)
                if scanned is None:
                    break
                found += 1
                source.pass_to(end)
                yield scanned
        source.seek(source.at)
        self._found += found
        self._slow = 1 if found >= _SOME else _MANY

    def _check_packing(self, offset: int, *, packed: bool) -> None:
        if self._packed not in (None, packed) and not self._mixed:
            self._mixed = True
            words = "packed" if packed else "not packed"
            self._tell(offset, Code.PACKING_MIXED, f"from here on records are {words}, unlike those before")
        self._packed = packed

    def _close(self, begun: Packed) -> None:
        """How a member was packed, and where to go on when it is damaged."""
        run = self._framing.run  # the last member of a record that goes on in others
        run = run if isinstance(run, Packed) else begun
        if run.problem is not None:
            self._go_on_after(run)
            return
        count = self._framing.count
        if count > 1:
            whole = begun.offset == 0 and self._source.at >= self._source.size
            code = Code.ONE_MEMBER if whole else Code.SEVERAL_RECORDS
            self._tell(begun.offset, code, f"{count:,} records are packed together")
        elif run.position == 0:
            self._tell(begun.offset, Code.MEMBER_EMPTY, "the gzip member holds nothing")

    def _go_on_after(self, run: Packed) -> None:
        problem = run.problem
        if problem is None:
            return
        code, sentence = problem.code, problem.sentence
        if code not in _ENDS_AT or not self._at_a_start():
            begin = problem.at + 1 if self._source.tired else run.offset + 1
            found = start_in_file(self._source, begin, arc=self._framing.arc)
            if found is not None and code is not Code.MEMBER_HEADER:
                code, sentence = Code.MEMBER_BROKEN, "the gzip member is cut off or damaged"
            if found is not None:
                sentence = f"{sentence}; the next record begins at {found:,}"
            self._source.seek(self._source.size if found is None else found)
        self._tell(run.offset, code, f"{sentence}, noticed at {problem.at:,}", within=run.position)

    def _at_a_start(self) -> bool:
        """Whether the file ends here, or another record begins."""
        start = self._source.peek(5)
        return not start or start.startswith((MAGIC, b"WARC/"))

    def _pass_garbage(self) -> None:
        begin = self._source.at
        found = start_in_file(self._source, begin + 1, arc=self._framing.arc)
        end = self._source.size if found is None else found
        words = f"{end - begin:,} bytes belong to no record"
        self._tell(begin, Code.ARC_HEADER if self._framing.arc else Code.GARBAGE, words)
        self._source.seek(end)

    def _check_file(self) -> None:
        if self._source.size == 0:
            self._tell(0, Code.FILE_EMPTY, "the file is empty")
        elif not self._found and not self._framing.found:
            self._tell(0, Code.NOT_AN_ARCHIVE, "there is no record in the file")

    def _tell(self, offset: int, code: Code, sentence: str, *, within: int = 0) -> None:
        self._report(Fault(file=self._file, offset=offset, code=code, sentence=sentence, within=within))

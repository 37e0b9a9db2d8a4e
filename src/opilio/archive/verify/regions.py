"""Parts of files that can be verified apart from each other, and the verifying of one."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from opilio.archive.verify.faults import Code, Fault
from opilio.archive.verify.finding import start_in_file
from opilio.archive.verify.findings import Findings
from opilio.archive.verify.noting import Noting
from opilio.archive.verify.records import RecordCheck
from opilio.archive.verify.scanning import Told, scan
from opilio.archive.verify.source import Source
from opilio.archive.verify.usual import Usual
from opilio.kernel.errors import OpilioError

_WHOLE = 1 << 62  # bytes; no file is so long


@dataclass(frozen=True, kw_only=True, slots=True)
class Region:
    """The records of a file that begin from `start` on and before `stop`."""

    file: int  # number of the file
    path: Path
    start: int
    stop: int
    last: bool  # whether the file ends there

    @property
    def size(self) -> int:
        """In bytes."""
        return self.stop - self.start


def split(paths: Sequence[Path], least: int) -> list[Region]:
    """All files in parts of about so many bytes; each begins where a record seems to."""
    return [region for number, path in enumerate(paths) for region in _of_file(number, path, least)]


def shares(regions: Sequence[Region], number: int, first: float = 1.0) -> list[list[Region]]:
    """The regions dealt out in their order, each share of about the same size, the first one of `first` times that."""
    total = sum(region.size for region in regions)
    ends = [total * (first + each) / (first + number - 1) for each in range(number)]
    found: list[list[Region]] = [[] for _ in range(number)]
    done = share = 0
    for region in regions:
        while share < number - 1 and done + region.size / 2 >= ends[share]:
            share += 1
        found[share].append(region)
        done += region.size
    return [_joined(each) for each in found]


def _joined(regions: Sequence[Region]) -> list[Region]:
    """Neighbours in a file as one."""
    found: list[Region] = []
    for region in regions:
        if found and found[-1].file == region.file:
            found[-1] = replace(found[-1], stop=region.stop, last=region.last)
        else:
            found.append(region)
    return found


def check_region(
    region: Region, findings: Findings, noting: Noting, *, digests: bool, told: Told = lambda at: None
) -> int:
    """Verify the records of a region; where the first record behind it begins."""
    file = str(region.path)
    report = partial(_report, region, findings)
    check = RecordCheck(file, report, digests=digests, first=region.start == 0)
    noting.begin(region.file)
    stop = _WHOLE if region.last else region.stop
    usual = Usual(noting, digests=digests, stop=stop)
    try:
        with closing(
            scan(region.path, report, check.wants, start=region.start, told=told, quick=usual.take)
        ) as records:
            for scanned in records:
                if scanned.offset >= stop:
                    return scanned.offset
                check.passed(scanned)
                noting.add(scanned)
                findings.records += 1
                usual.open = True  # how a file begins is looked at closely
    except OpilioError as error:
        findings.take(Fault(file=file, offset=check.last, code=Code.FILE_UNREADABLE, sentence=error.what))
        return region.stop
    finally:
        findings.records += usual.taken
    return max(region.stop, region.path.stat().st_size)  # its last record may be the last of the file


def _report(region: Region, findings: Findings, fault: Fault) -> None:
    """Faults of the neighbours are told by whoever verifies those."""
    if region.start <= fault.offset and (fault.offset < region.stop or region.last):
        findings.take(fault)


def _of_file(number: int, path: Path, least: int) -> list[Region]:
    starts = [0]
    size = path.stat().st_size
    if size >= 2 * least and path.is_file():
        with path.open("rb", buffering=0) as stream:
            source = Source(stream)
            for wanted in range(least, size - least + 1, least):
                found = start_in_file(
                    source, max(wanted, starts[-1] + 1), arc=path.name.lower().endswith((".arc", ".arc.gz"))
                )
                if found is None:
                    break
                starts.append(found)
    ends = [*starts[1:], size]
    return [
        Region(file=number, path=path, start=start, stop=end, last=end == size)
        for start, end in zip(starts, ends, strict=True)
    ]

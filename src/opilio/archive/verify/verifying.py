"""Verifies files: records one by one, then what they say about each other, then indexes, manifests and bags."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from opilio.archive.results.errors import DamagedResult
from opilio.archive.results.manifest import read_manifest, sha256_of
from opilio.archive.verify.bags import BagCheck
from opilio.archive.verify.catalogue import Catalogue
from opilio.archive.verify.crew import Mate, Order, mates
from opilio.archive.verify.faults import Code, Fault
from opilio.archive.verify.findings import Findings
from opilio.archive.verify.indexes import IndexCheck
from opilio.archive.verify.noting import Noting
from opilio.archive.verify.places import Places, name_of
from opilio.archive.verify.regions import Region, check_region, shares, split
from opilio.archive.verify.scanning import scan
from opilio.archive.warc.names import OPEN
from opilio.kernel.errors import OpilioError

_PARTS = 16  # of which a share is made
_FIRST = 0.95  # of a share for this process, which has to take in what the others found
_LEAST = 16 << 20  # bytes for which another process is worth its start

#: Told how far it is: step, bytes done, bytes in all.
Told = Callable[[str, int, int], None]


def _silent(step: str, done: int, total: int) -> None:
    """Nobody watches."""


def verify(
    given: Places, *, against: Sequence[Path] = (), digests: bool = True, workers: int = 1, told: Told = _silent
) -> Findings:
    """Read everything once, and say all that is wrong.

    `against` are further files in which originals may lie. With several `workers` large files are read in parts, each
    by a process of its own; what is found does not depend on their number.
    """
    findings = Findings(files=len(given.records), bytes=given.size, bags=len(given.bags))
    catalogue = Catalogue([str(path) for path in (*given.records, *against)])
    try:
        for path in given.records:
            if path.name.endswith(OPEN):
                words = "the name says that it is still being written"
                findings.take(Fault(file=str(path), offset=0, code=Code.FILE_OPEN, sentence=words))
        order = Order(regions=(), digests=digests, captures=bool(given.indexes))
        _records(given, catalogue, findings, order, workers, told)
        _references(given, catalogue, findings, against, told)
        _indexes(given, catalogue, findings)
        _manifests(given, findings, told)
        for number, bag in enumerate(given.bags):
            told("bags", number, len(given.bags))
            findings.bag_files += BagCheck(bag, findings.take).check()
    finally:
        catalogue.close()
    findings.faults.sort(key=lambda fault: (fault.file, fault.offset, fault.within, fault.code))
    return findings


def _records(given: Places, catalogue: Catalogue, findings: Findings, order: Order, workers: int, told: Told) -> None:
    """The regions of all files: the first share here, the others beside; taken in their order."""
    total = max(1, given.size)
    number = max(1, min(workers, total // _LEAST))
    parts = split(given.records, total // (number * _PARTS) if number > 1 else total + 1)
    dealt = shares(parts, number, _FIRST)
    here = _Here(catalogue, findings, order, partial(told, "records"), sum(region.size for region in dealt[0]))
    with mates([replace(order, regions=tuple(regions)) for regions in dealt[1:]]) as beside:
        for region in dealt[0]:
            here.check(region)
        for mate in beside:
            well = mate.finished()
            for region in mate.order.regions:
                here.take(region, mate if well else None)
    told("records", total, total)


class _Here:
    """Verifies regions in this process, and takes what others found, in the order of the files.

    A region may begin in the middle of a record, since files of records can lie inside records: this is seen by where
    the region before it ended, and it is verified again from there.
    """

    def __init__(
        self, catalogue: Catalogue, findings: Findings, order: Order, told: Callable[[int, int], None], share: int
    ) -> None:
        self._insert = catalogue.insert
        self._findings = findings
        self._order = order
        self._told = told
        self._share = share  # bytes of this process
        self._end = 0  # where the first record behind the last region begins
        self._done = 0  # bytes

    def check(self, region: Region) -> None:
        """Verify a region."""
        if region.start:
            region = replace(region, start=min(self._end, region.stop))
        if region.size or not region.start:
            noting = Noting(self._insert, captures=self._order.captures)
            told = partial(self._tell, self._done - region.start)
            self._end = check_region(region, self._findings, noting, digests=self._order.digests, told=told)
            noting.flush()
        self._done += region.size

    def take(self, region: Region, mate: Mate | None) -> None:
        """Take what a process found; verify it here when there is none, or when it began at the wrong place."""
        right = region.start in (0, self._end)
        if mate is not None:
            done = mate.next_region(self._insert if right else lambda rows: None)
            if right:
                self._findings.merge(done.findings)
                self._end = done.end
                return
        self.check(region)

    def _tell(self, before: int, at: int) -> None:
        """All processes are about as far as this one."""
        self._told(before + at, max(before + at, self._share))


def _references(given: Places, catalogue: Catalogue, findings: Findings, against: Sequence[Path], told: Told) -> None:
    """Originals are looked for elsewhere only where some are missing."""
    catalogue.settle()
    if against and catalogue.unresolved():
        noting = Noting(catalogue.insert, ours=False)
        for number, path in enumerate(against):
            told("further files", number, len(against))
            noting.begin(len(given.records) + number)
            for scanned in scan(path, lambda fault: None):
                noting.add(scanned)
        noting.flush()
    catalogue.report_references(findings.take)
    catalogue.report_repeated(findings.take)
    catalogue.report_segments(findings.take)


def _indexes(given: Places, catalogue: Catalogue, findings: Findings) -> None:
    for path in given.absent:
        words = "the result has no index any more"
        findings.take(Fault(file=str(path), offset=0, code=Code.INDEX_MISSING, sentence=words))
    if not given.indexes:
        return
    files = {name_of(path): number for number, path in enumerate(given.records)}
    check = IndexCheck(catalogue, files, findings.take)
    for path in given.indexes:
        findings.lines += check.check(path)
    catalogue.report_unlisted(findings.take)


def _manifests(given: Places, findings: Findings, told: Told) -> None:
    """Sealed files must be as they were."""
    sums: dict[Path, str] = {}
    listed: set[Path] = set()
    for number, (folder, manifest) in enumerate(given.manifests):
        told("manifests", number, len(given.manifests))
        try:
            names = read_manifest(manifest)
        except DamagedResult as error:
            findings.take(Fault(file=str(manifest), offset=0, code=Code.MANIFEST_UNREADABLE, sentence=error.what))
            continue
        for line, (name, digest) in enumerate(names.items(), 1):
            path = folder / name
            listed.add(path)
            if not path.is_file():
                words = f"{name[:200]} of line {line} of {manifest.name} is not there"
                findings.take(Fault(file=str(path), offset=0, code=Code.MANIFEST_MISSING, sentence=words))
                continue
            try:
                sums[path] = sums.get(path) or sha256_of(path)
            except OpilioError as error:
                findings.take(Fault(file=str(path), offset=0, code=Code.FILE_UNREADABLE, sentence=error.what))
                continue
            if sums[path] != digest:
                words = f"its sha256 is {sums[path]}, and {digest} was sealed"
                findings.take(Fault(file=str(path), offset=0, code=Code.MANIFEST_CHANGED, sentence=words))
    if listed:
        for path in given.records:
            if path not in listed and any(path.parent == folder / "warcs" for folder, _ in given.manifests):
                words = "no manifest of the folder names it"
                findings.take(Fault(file=str(path), offset=0, code=Code.MANIFEST_UNLISTED, sentence=words))

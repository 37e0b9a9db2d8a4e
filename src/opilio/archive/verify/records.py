"""The checks of one file's records as they pass: fields, HTTP message, digests, and how the file begins."""

from opilio.archive.verify.faults import Code, Fault, Report
from opilio.archive.verify.fields import check_fields
from opilio.archive.verify.framing import Scanned, State
from opilio.archive.verify.header import Found, Header
from opilio.archive.verify.sums import BlockCheck
from opilio.archive.verify.values import is_address
from opilio.archive.warc.arc import ArcLine


class RecordCheck:
    """Checks the records of one file."""

    def __init__(self, file: str, report: Report, *, digests: bool = True, first: bool = True) -> None:
        self._file = file
        self._report = report
        self._digests = digests
        self._first = first  # whether the next record is the first of the file
        self._version = ""  # of the last record
        self._known: dict[str, str] = {}  # values that were found good in records of this version
        self.last = 0  # offset of the last record

    def wants(self, header: Header) -> BlockCheck:
        """Who takes the block."""
        return BlockCheck(header, digests=self._digests)

    def passed(self, scanned: Scanned) -> None:
        """Check one record."""
        self.last = scanned.offset
        header = scanned.header
        if self._first:
            self._first = False
            self._check_first(scanned)
        for code, sentence in self._field_faults(header):
            self._tell(scanned, code, sentence)
        check = scanned.block
        if not isinstance(check, BlockCheck) or scanned.state is State.LOST:
            return
        for code, sentence in check.http_faults():
            self._tell(scanned, code, sentence)
        for code, sentence in check.mismatches():
            self._tell(scanned, code, sentence)

    def _field_faults(self, header: Header) -> list[Found]:
        if header.arc is not None:
            return _arc_faults(header.arc)
        if header.version != self._version:
            self._version = header.version
            self._known.clear()
        return check_fields(header, self._known)

    def _check_first(self, scanned: Scanned) -> None:
        header = scanned.header
        if header.arc is not None:
            if not header.arc.is_description:
                self._tell(scanned, Code.ARC_DESCRIPTION, "the first record does not describe the file")
        elif header.kind != "warcinfo":
            self._tell(scanned, Code.WARCINFO_MISSING, f"the first record is a {header.kind[:40] or 'record'}")

    def _tell(self, scanned: Scanned, code: Code, sentence: str) -> None:
        fault = Fault(
            file=self._file, offset=scanned.offset, within=scanned.within, code=code, sentence=sentence,
            record=scanned.header.id,
        )  # fmt: skip
        self._report(fault)


def _arc_faults(line: ArcLine) -> list[Found]:
    found: list[Found] = []
    if line.at is None:
        found.append((Code.ARC_DATE, f"{line.date[:40]!r} is no date"))
    if not is_address(line.address):
        found.append((Code.ARC_ADDRESS, f"{line.address[:60]!r} is no address"))
    return found

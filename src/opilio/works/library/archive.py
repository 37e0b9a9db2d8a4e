"""Archives for programs: the captures of a crawl, of WARC, ARC and WACZ files of anybody."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path

from opilio.archive.verify.extracting import Part, extract
from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.listing import Wish, list_records
from opilio.archive.verify.places import Places, places
from opilio.archive.verify.verifying import verify
from opilio.kernel.errors import Damaged

Where = str | PathLike[str]
_CAPTURES = frozenset({"response", "revisit", "resource"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Capture:
    """One exchange that was kept."""

    url: str
    at: datetime | None  # None: the record does not say
    status: int | None
    type: str  # as the server said
    kind: str  # response, revisit or resource
    file: str
    offset: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkup:
    """What a check of every record found."""

    records: int
    faults: tuple[Fault, ...]  # errors and warnings; each has file, offset, code, sentence, remedy

    @property
    def whole(self) -> bool:
        """Whether there is no error among them."""
        return all(fault.severity is not Severity.ERROR for fault in self.faults)


class Archive:
    """The captures under some paths: folders of crawls, WARC, ARC and WACZ files."""

    def __init__(self, *paths: Where) -> None:
        self._paths = [Path(path) for path in paths]

    def captures(self, url: str = "") -> Iterator[Capture]:
        """All captures in the order of the files; of one URL, or with a star behind it of all that begin so."""
        faults: list[Fault] = []
        for each in list_records(self._places().records, Wish(url=url), report=faults.append):
            if each.kind in _CAPTURES:
                yield Capture(
                    url=each.url, at=each.at, status=each.status, type=each.mime, kind=each.kind, file=each.file,
                    offset=each.offset,
                )  # fmt: skip
        _raise_first(faults)

    def read(self, url: str, *, at: datetime | None = None) -> bytes:
        """The body of a capture as a reader sees it: the newest, or the one nearest to a time; `Missing` if none."""
        when = at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at
        return b"".join(extract(self._places(), url, at=when).pieces(Part.CONTENT))

    def verify(self) -> Checkup:
        """Check every record, digest and index line."""
        found = verify(self._places())
        return Checkup(records=found.records, faults=tuple(found.faults))

    def _places(self) -> Places:
        return places(self._paths)


def _raise_first(faults: list[Fault]) -> None:
    """A reader of a broken file is told, after what could be read."""
    for fault in faults:
        if fault.severity is Severity.ERROR:
            raise Damaged(fault.sentence, where=f"{fault.file}, byte {fault.offset}", remedy=fault.remedy)

"""ARC files, versions 1 and 2: the line before each record, and all records of a file in order.

The format: https://archive.org/web/researcher/ArcFileFormat.php. A record is a line of five columns (URL, address,
date, type, length) or ten, the block, and a line end; the first record describes the file.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

#: What the URL of the first record begins with.
DESCRIPTION = "filedesc:"
_LINE = re.compile(
    rb"(?P<url>[A-Za-z][A-Za-z0-9+.-]{0,30}:[^ \r\n]{1,65536}) (?P<ip>[^ \r\n]{1,60}) (?P<date>\d{1,20}) "
    rb"(?P<rest>[^\r\n]{0,2000}?) ?(?P<length>\d{1,15})\r?\n"
)
_DATE = "%Y%m%d%H%M%S"
LONGEST_LINE = 1 << 17  # bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ArcLine:
    """What stands before the block of a record."""

    url: str
    address: str
    date: str
    mime: str
    length: int  # bytes of the block
    size: int  # bytes of the line itself, with its end

    @property
    def at(self) -> datetime | None:
        """When it was captured; None when the date is none."""
        return arc_time(self.date)

    @property
    def is_description(self) -> bool:
        """Whether the record describes the file."""
        return self.url.startswith(DESCRIPTION)

    @property
    def fields(self) -> Sequence[tuple[str, str]]:
        """The columns by their names."""
        return (
            ("URL", self.url),
            ("IP-address", self.address),
            ("Archive-date", self.date),
            ("Content-type", self.mime),
            ("Archive-length", str(self.length)),
        )


def arc_line(data: bytes, at: int = 0) -> ArcLine | None:
    """The line at a place; None when there is none."""
    found = _LINE.match(data, at)
    if found is None:
        return None
    return ArcLine(
        url=_text(found["url"]),
        address=_text(found["ip"]),
        date=_text(found["date"]),
        mime=_text(found["rest"].split(b" ")[0]) or "no-type",
        length=int(found["length"]),
        size=found.end() - found.start(),
    )


def arc_time(text: str) -> datetime | None:
    """A date of fourteen digits, or twelve without seconds."""
    try:
        return datetime.strptime(text.ljust(14, "0"), _DATE).replace(tzinfo=UTC) if len(text) in (12, 14) else None
    except ValueError:
        return None


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")

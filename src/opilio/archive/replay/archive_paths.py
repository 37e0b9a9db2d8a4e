"""Paths of replay: `/{time}/{url}`, where the time has up to 17 digits and the URL stands as it was requested.

A time with fewer digits, as in `/2026/http://…`, is filled up to the first moment that it allows; the capture nearest
to it answers.
"""

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import canonical

_PATH = re.compile(r"/(\d{1,17})/(.+)", re.DOTALL)
_REPAIR = re.compile(r"(https?):/{1,3}(?=[^/])", re.IGNORECASE)
_SCHEME = re.compile(r"https?:", re.IGNORECASE)
_KEPT = "/:?#[]@!$&'()*+,;=%~-._"  # what other escapes in a URL leave as it is
_FILL = "00000101000000000"
_FIRST_YEAR = 1990  # of the web; an earlier time means the first capture all the same


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivePath:
    """What a path asks for."""

    at: datetime  # aware, UTC
    stamp: str  # the time as it was written
    url: str  # canonical

    @property
    def exact(self) -> bool:
        """Whether the time was written to the second."""
        return len(self.stamp) == 14


def parse_path(target: str) -> ArchivePath | None:
    """What a path with its query asks for; None when it is no path of an archived URL."""
    found = _PATH.fullmatch(target)
    if found is None:
        return None
    url = archived_url(found[2])
    return ArchivePath(at=filled(found[1]), stamp=found[1], url=url) if url else None


def archived_url(text: str) -> str | None:
    """The canonical URL that stands in a path, where proxies may have merged the slashes; None when it is none."""
    repaired = _REPAIR.sub(lambda scheme: f"{scheme[1]}://", text, count=1)
    if not _SCHEME.match(repaired):
        repaired = f"http://{repaired}"
    try:
        return canonical(repaired)
    except BadUrl:
        return None


def path_of(at: datetime, url: str) -> str:
    """The path of a capture."""
    return f"/{stamp_of(at)}/{url if url.isascii() else quote(url, safe=_KEPT)}"


def stamp_of(at: datetime) -> str:
    """A time as 14 digits."""
    return f"{at.year:04d}{at:%m%d%H%M%S}"


def filled(digits: str) -> datetime:
    """The time that up to 17 digits mean; numbers that no calendar has are moved to the nearest that it has."""
    text = digits + _FILL[len(digits) :]
    year = min(max(int(text[:4]), _FIRST_YEAR), 9999)
    month = min(max(int(text[4:6]), 1), 12)
    day = min(max(int(text[6:8]), 1), calendar.monthrange(year, month)[1])
    hour, minute, second = min(int(text[8:10]), 23), min(int(text[10:12]), 59), min(int(text[12:14]), 59)
    return datetime(year, month, day, hour, minute, second, int(text[14:17]) * 1000, tzinfo=UTC)

"""Names of WARC files: prefix-time-serial-worker.warc.gz, with `.open` behind it while it is written.

A series is what one worker writes under one prefix; its files sort by their serial.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from opilio.kernel.errors import BadName

OPEN = ".open"
_FILE = re.compile(
    r"(?P<prefix>[A-Za-z0-9][A-Za-z0-9._-]{0,79})-(?P<time>\d{17})-(?P<serial>\d{5,10})-(?P<worker>[A-Za-z0-9][A-Za-z0-9._]{0,79}?)"
    r"(?P<suffix>\.warc(?:\.gz)?)(?P<open>\.open)?"
)
_PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_WORKER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._]{0,79}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """The files of one worker."""

    prefix: str
    worker: str

    def __post_init__(self) -> None:
        for what, value, pattern in (("prefix", self.prefix, _PREFIX), ("worker", self.worker, _WORKER)):
            if not pattern.fullmatch(value):
                remedy = "Use up to 80 letters, digits, dots and underscores (a prefix may have hyphens)."
                raise BadName(f"{value[:80]!r} cannot be the {what} in names of WARC files", remedy=remedy)

    def name(self, serial: int, at: datetime, suffix: str) -> str:
        """The name of a file once it is finished."""
        return f"{self.prefix}-{at:%Y%m%d%H%M%S}{at.microsecond // 1000:03d}-{serial:05d}-{self.worker}{suffix}"


@dataclass(frozen=True, kw_only=True, slots=True)
class WarcFile:
    """A WARC file of ours on the disk."""

    folder: Path
    name: str  # as it is called once finished
    series: Series
    serial: int
    is_open: bool

    @property
    def path(self) -> Path:
        """Where it lies now."""
        return self.folder / (self.name + OPEN if self.is_open else self.name)


def parse_name(path: Path) -> WarcFile | None:
    """What a file's name tells; None when it is not one of ours."""
    found = _FILE.fullmatch(path.name)
    if found is None:
        return None
    return WarcFile(
        folder=path.parent,
        name=path.name.removesuffix(OPEN),
        series=Series(prefix=found["prefix"], worker=found["worker"]),
        serial=int(found["serial"]),
        is_open=found["open"] is not None,
    )


def begun_at(name: str) -> datetime | None:
    """When a file of ours was begun, by its name."""
    found = _FILE.fullmatch(name)
    try:
        return datetime.strptime(found["time"], "%Y%m%d%H%M%S%f").replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def find(folder: Path, name: str) -> Path | None:
    """Where the file of a Position lies, finished or still open; None when it is not there."""
    if "/" in name or "\x00" in name or name in ("", ".", ".."):
        return None
    return next((path for path in (folder / name, folder / (name + OPEN)) if path.is_file()), None)


def all_files(folder: Path) -> list[WarcFile]:
    """Every WARC file of ours in a folder, each series in its order."""
    found = filter(None, map(parse_name, folder.iterdir()))
    return sorted(found, key=lambda file: (file.series.prefix, file.series.worker, file.serial))

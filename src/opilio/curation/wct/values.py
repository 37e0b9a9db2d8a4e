"""The kinds of values in the tables of the Web Curator Tool: how a dump writes them, and how ours are written back."""

import datetime
import math
import re
from dataclasses import dataclass
from typing import Any, Protocol
from zoneinfo import ZoneInfo

_MOST = 2**63 - 1
_TRUE = {"1", "t", "true", "y", "yes", "\x01", "on"}
_FALSE = {"0", "f", "false", "n", "no", "\x00", "off"}
_ZERO_DATE = re.compile(r"0000-00-00")
_ORACLE = re.compile(
    r"(\d{1,2})-([A-Z]{3})-(\d{4}|\d{2})(?: (\d{1,2})[.:](\d{2})[.:](\d{2})(?:\.\d+)?(?: ?([AP]M))?)?", re.I
)
_LONG_FRACTION = re.compile(r"(\.\d{6})\d+")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


class Kind(Protocol):
    """Reads the text of a cell, or raises ValueError with the reason; writes a value back."""

    def read(self, text: str, zone: ZoneInfo) -> Any:
        """The value of a cell that is not NULL."""

    def write(self, value: Any, zone: ZoneInfo) -> str:
        """The cell of a value that is not None."""


@dataclass(frozen=True)
class _Text:
    def read(self, text: str, zone: ZoneInfo) -> str:
        if "\x00" in text:
            raise ValueError("it holds a NUL character")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError("it is not written in the encoding of the dump") from error
        return text

    def write(self, value: Any, zone: ZoneInfo) -> str:
        return str(value)


@dataclass(frozen=True)
class _Number:
    def read(self, text: str, zone: ZoneInfo) -> int:
        clean = text.strip()
        if not re.fullmatch(r"[+-]?\d{1,19}(\.0*)?", clean) or abs(int(clean.partition(".")[0])) > _MOST:
            raise ValueError(f"{text[:40]!r} is no whole number")
        return int(clean.partition(".")[0])

    def write(self, value: Any, zone: ZoneInfo) -> str:
        return str(int(value))


@dataclass(frozen=True)
class _Flag:
    def read(self, text: str, zone: ZoneInfo) -> bool:
        word = text.strip().lower() or text
        if word not in _TRUE | _FALSE:
            raise ValueError(f"{text[:40]!r} is neither yes nor no")
        return word in _TRUE

    def write(self, value: Any, zone: ZoneInfo) -> str:
        return "1" if value else "0"


@dataclass(frozen=True)
class _Moment:
    def read(self, text: str, zone: ZoneInfo) -> datetime.datetime | None:
        if _ZERO_DATE.match(text):
            return None
        found = _oracle(text.strip()) or _iso(text.strip())
        if found is None or not 1 <= found.year <= 9998:
            raise ValueError(f"{text[:40]!r} is no date")
        return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(datetime.UTC)

    def write(self, value: Any, zone: ZoneInfo) -> str:
        local = value.astimezone(zone).replace(tzinfo=None)
        return str(local.isoformat(sep=" ", timespec="microseconds" if local.microsecond else "seconds"))


@dataclass(frozen=True)
class _Day:
    def read(self, text: str, zone: ZoneInfo) -> datetime.date | None:
        moment = _Moment().read(text, zone)
        return None if moment is None else moment.astimezone(zone).date()

    def write(self, value: Any, zone: ZoneInfo) -> str:
        return f"{value.isoformat()} 00:00:00"


@dataclass(frozen=True)
class _Clock:
    """A time of the day, which some databases can only write with a day."""

    def read(self, text: str, zone: ZoneInfo) -> datetime.time:
        clean = text.strip()
        if re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", clean, re.ASCII):
            clean = f"1970-01-01 {'0' if clean[1] == ':' else ''}{clean}"
        found = _oracle(clean) or _iso(clean)
        if found is None:
            raise ValueError(f"{text[:40]!r} is no time of the day")
        return (found.astimezone(zone) if found.tzinfo else found).time().replace(microsecond=0)

    def write(self, value: Any, zone: ZoneInfo) -> str:
        return f"1970-01-01 {value:%H:%M:%S}"


@dataclass(frozen=True)
class _Decimal:
    def read(self, text: str, zone: ZoneInfo) -> float:
        if not re.fullmatch(r"[+-]?\d{1,30}([.,]\d{0,30})?([eE][+-]?\d{1,3})?", text.strip(), re.ASCII):
            raise ValueError(f"{text[:40]!r} is no number")
        found = float(text.strip().replace(",", "."))
        if not math.isfinite(found):
            raise ValueError(f"{text[:40]!r} is no number that can be kept")
        return found

    def write(self, value: Any, zone: ZoneInfo) -> str:
        return repr(float(value)).removesuffix(".0")


def _iso(text: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(_LONG_FRACTION.sub(r"\1", text))
    except ValueError:
        return None


def _oracle(text: str) -> datetime.datetime | None:
    """`29-JUL-08 10.11.12.123000000 AM`, as Oracle writes dates unless told otherwise."""
    found = _ORACLE.fullmatch(text)
    if found is None or found[2].upper() not in _MONTHS:
        return None
    day, year, hour = int(found[1]), int(found[3]), int(found[4] or 0)
    year += 0 if year >= 100 else 2000 if year < 50 else 1900
    hour = hour % 12 + (12 if found[7].upper() == "PM" else 0) if found[7] else hour
    try:
        return datetime.datetime(  # noqa: DTZ001 - the zone is told apart
            year, _MONTHS.index(found[2].upper()) + 1, day, hour, int(found[5] or 0), int(found[6] or 0)
        )
    except ValueError:
        return None


TEXT: Kind = _Text()
NUMBER: Kind = _Number()
FLAG: Kind = _Flag()
MOMENT: Kind = _Moment()
DAY: Kind = _Day()
CLOCK: Kind = _Clock()
DECIMAL: Kind = _Decimal()

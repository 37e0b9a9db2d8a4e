"""The load that is planned, month by month: days as squares in the colours of a heat map. Pure."""

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

CELL = 36  # pixels of a day
GAP = 4
_HEX = re.compile(r"#?([0-9a-fA-F]{6})")
_DARK = 0.45  # relative luminance below which letters are white


@dataclass(frozen=True, kw_only=True, slots=True)
class Level:
    """From how many harvests on a day has a colour."""

    name: str
    least: int
    colour: str  # six hexadecimal digits

    @property
    def ink(self) -> str:
        """Black or white, whichever can be read on the colour."""
        return "FFFFFF" if _luminance(self.colour) < _DARK else "1A1A1A"


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """A day of the calendar, with its place in the picture."""

    date: date
    count: int
    level: Level | None  # None: nothing is planned
    x: int
    y: int

    @property
    def spoken(self) -> str:
        """What the square says to those who do not see it."""
        number = f"{self.count} harvests" if self.count != 1 else "1 harvest"
        load = f", {self.level.name} load" if self.level else ""
        return f"{self.date.day} {self.date:%B %Y}: {number}{load}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Month:
    """One month as a picture."""

    first: date
    days: tuple[Day, ...]
    width: int
    height: int
    total: int


def levels(values: Mapping[str, str | int | bool]) -> tuple[Level, ...]:
    """The levels that the parameters of the installation set, highest first; a wrong colour is the usual one."""
    usual = {"low": "8FBC8F", "medium": "F0E68C", "high": "FF6347"}
    found = [
        Level(
            name=name, least=int(values[f"heat_{name}_from"]),
            colour=_colour(str(values[f"heat_{name}_colour"]), colour),
        )
        for name, colour in usual.items()
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda level: level.least, reverse=True))


def months(first: date, number: int, counts: Mapping[str, int], heat: tuple[Level, ...]) -> list[Month]:
    """So many months from that of `first` on; `counts` are by ISO date."""
    found = []
    begin = first.replace(day=1)
    for _ in range(number):
        found.append(_month(begin, counts, heat))
        begin = (begin + timedelta(days=32)).replace(day=1)
    return found


def later(first: date, number: int) -> date:
    """The first day of a month so many months later, or earlier."""
    months_since = first.year * 12 + first.month - 1 + number
    return date(months_since // 12, months_since % 12 + 1, 1)


def _month(first: date, counts: Mapping[str, int], heat: tuple[Level, ...]) -> Month:
    start, length = calendar.monthrange(first.year, first.month)
    step = CELL + GAP
    days = []
    for number in range(length):
        day = first + timedelta(days=number)
        count = counts.get(day.isoformat(), 0)
        level = next((one for one in heat if count >= one.least), None)
        row, column = divmod(start + number, 7)
        days.append(Day(date=day, count=count, level=level, x=column * step, y=row * step))
    rows = (start + length + 6) // 7
    return Month(
        first=first, days=tuple(days), width=7 * step - GAP, height=rows * step - GAP,
        total=sum(day.count for day in days),
    )  # fmt: skip


def _colour(text: str, usual: str) -> str:
    found = _HEX.fullmatch(text.strip())
    return found[1].upper() if found else usual


def _luminance(colour: str) -> float:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

"""A cron expression once it was read, and which days of a month it means."""

import calendar
import datetime
import functools
from dataclasses import dataclass, field
from enum import StrEnum

_SATURDAY, _SUNDAY = 5, 6
_FEW = 96  # times of a day that are worth remembering


class Form(StrEnum):
    """The ways to write an expression."""

    QUARTZ = "quartz"  # second minute hour day month weekday [year]
    CLASSIC = "classic"  # minute hour day month weekday


@dataclass(frozen=True, kw_only=True, slots=True)
class MonthDays:
    """Days by their number in the month."""

    any: bool = False  # * or ?: the field asks for nothing
    star: bool = False  # begins with *: of two restricted fields both must fit, not either (as cron has it)
    numbers: frozenset[int] = frozenset()  # 1 to 31
    from_end: frozenset[int] = frozenset()  # L is 0, L-2 is 2
    nearest: frozenset[int] = frozenset()  # 15W: the working day nearest to the 15th, in the same month
    last_working: bool = False  # LW

    def fit(self, year: int, month: int) -> frozenset[int]:
        """The days of this month."""
        length = calendar.monthrange(year, month)[1]
        if self.any:
            return frozenset(range(1, length + 1))
        found = {day for day in self.numbers if day <= length}
        found |= {length - back for back in self.from_end if back < length}
        found |= {_working(year, month, day, length) for day in self.nearest if day <= length}
        if self.last_working:
            found.add(_working(year, month, length, length))
        return frozenset(found)


@dataclass(frozen=True, kw_only=True, slots=True)
class WeekDays:
    """Days by their place in the week; Monday is 0."""

    any: bool = False
    star: bool = False
    numbers: frozenset[int] = frozenset()  # 0 to 6
    nth: frozenset[tuple[int, int]] = frozenset()  # (4, 3): the third Friday
    last: frozenset[int] = frozenset()  # 4: the last Friday

    def fit(self, year: int, month: int) -> frozenset[int]:
        """The days of this month."""
        first, length = calendar.monthrange(year, month)
        if self.any:
            return frozenset(range(1, length + 1))
        found = {day for day in range(1, length + 1) if (first + day - 1) % 7 in self.numbers}
        for weekday, place in self.nth:
            found |= {day for day in (_first(first, weekday) + 7 * (place - 1),) if day <= length}
        for weekday in self.last:
            start = _first(first, weekday)
            found.add(start + (length - start) // 7 * 7)
        return frozenset(found)


@dataclass(frozen=True, kw_only=True, slots=True)
class Days:
    """Which days, by both fields."""

    of_month: MonthDays
    of_week: WeekDays

    def fit(self, year: int, month: int) -> tuple[int, ...]:
        """The days of this month, in order."""
        return _fit(self, year, month)

    @property
    def either(self) -> bool:
        """Whether a day need fit one of the two fields only, as in the classic form with both restricted."""
        by_month, by_week = self.of_month, self.of_week
        return not (by_month.any or by_week.any or by_month.star or by_week.star)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cron:
    """An expression; equal texts of either form need not be equal moments, so the text is part of it."""

    text: str  # as written, in capitals, with single spaces
    form: Form
    seconds: tuple[int, ...] = field(compare=False)
    minutes: tuple[int, ...] = field(compare=False)
    hours: tuple[int, ...] = field(compare=False)
    months: tuple[int, ...] = field(compare=False)
    days: Days = field(compare=False)
    years: tuple[int, ...] | None = field(default=None, compare=False)  # None: any

    @property
    def day_times(self) -> tuple[int, ...]:
        """The seconds of a day at which it fires."""
        few = len(self.seconds) * len(self.minutes) * len(self.hours) <= _FEW
        return _cached_times(self) if few else _day_times(self)


def _day_times(cron: Cron) -> tuple[int, ...]:
    return tuple(
        hour * 3600 + minute * 60 + second for hour in cron.hours for minute in cron.minutes for second in cron.seconds
    )


_cached_times = functools.lru_cache(maxsize=4_096)(_day_times)


@functools.lru_cache(maxsize=65_536)
def _fit(days: Days, year: int, month: int) -> tuple[int, ...]:
    by_month, by_week = days.of_month.fit(year, month), days.of_week.fit(year, month)
    return tuple(sorted(by_month | by_week if days.either else by_month & by_week))


def _first(first: int, weekday: int) -> int:
    """The day of the month that is the first such weekday; `first` is the weekday of the 1st."""
    return 1 + (weekday - first) % 7


def _working(year: int, month: int, day: int, length: int) -> int:
    """The Monday to Friday nearest to a day, without leaving the month."""
    weekday = datetime.date(year, month, day).weekday()
    if weekday == _SATURDAY:
        return day - 1 if day > 1 else day + 2
    if weekday == _SUNDAY:
        return day + 1 if day < length else day - 2
    return day

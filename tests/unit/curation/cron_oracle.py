"""What a cron expression means, worked out slowly: day by day and minute by minute, from items and not from text."""

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

_NAMES = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


@dataclass(frozen=True, kw_only=True)
class Spec:
    """An expression as items: `by_month` and `by_week` are lists of tuples, or None for any day."""

    minutes: tuple
    hours: tuple
    by_month: tuple | None
    months: tuple
    by_week: tuple | None

    def quartz(self) -> str:
        days = "?" if self.by_month is None else ",".join(map(_month_item, self.by_month))
        week = (
            ("*" if self.by_month is None else "?") if self.by_week is None else ",".join(map(_week_item, self.by_week))
        )
        return f"0 {_list(self.minutes)} {_list(self.hours)} {days} {_list(self.months)} {week} *"

    def classic(self) -> str:
        days = "*" if self.by_month is None else ",".join(map(_month_item, self.by_month))
        week = "*" if self.by_week is None else ",".join(map(_week_item, self.by_week))
        return f"{_list(self.minutes)} {_list(self.hours)} {days} {_list(self.months)} {week}"

    def day(self, day: date) -> bool:
        by_month = self.by_month is not None and any(_is_month_item(item, day) for item in self.by_month)
        by_week = self.by_week is not None and any(_is_week_item(item, day) for item in self.by_week)
        open_ = self.by_month is None and self.by_week is None
        return day.month in self.months and (by_month or by_week or open_)

    def minute(self, local: datetime) -> bool:
        return local.minute in self.minutes and local.hour in self.hours and self.day(local.date())


def fired(spec, zone, after, until):
    """The moments after `after` up to `until`: the whole minutes of real time at which an unseen minute has passed."""
    moment = after - timedelta(days=2)
    seen = _naive(moment, zone)
    found = []
    while moment < until:
        moment += timedelta(minutes=1)
        local = _naive(moment, zone)
        passed = []
        while seen < local:
            seen += timedelta(minutes=1)
            passed.append(spec.minute(seen))
        if any(passed) and moment > after:
            found.append(moment)
    return found


def _naive(moment, zone):
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)


def days(spec, first, last):
    """The days that fit."""
    return [
        day for day in (first + timedelta(days=n) for n in range((last - first).days + 1)) if spec.day(day)
    ]  # fmt: skip


def utc_minute(day, hour, minute):
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)


def _list(numbers):
    return ",".join(map(str, numbers))


def _month_item(item):
    kind, number = item
    return {"day": str(number), "end": f"L-{number}" if number else "L", "near": f"{number}W", "lw": "LW"}[kind]


def _week_item(item):
    kind, weekday, place = item
    return {"day": _NAMES[weekday], "nth": f"{_NAMES[weekday]}#{place}", "last": f"{_NAMES[weekday]}L"}[kind]


def _is_month_item(item, day):
    kind, number = item
    length = calendar.monthrange(day.year, day.month)[1]
    if kind == "day":
        return day.day == number
    if kind == "end":
        return (day + timedelta(days=number)).month == day.month and (day + timedelta(days=number + 1)).day == 1
    wanted = length if kind == "lw" else number
    working = [n for n in range(1, length + 1) if date(day.year, day.month, n).weekday() < 5]
    return wanted <= length and day.day == min(working, key=lambda n: abs(n - wanted))


def _is_week_item(item, day):
    kind, weekday, place = item
    if day.weekday() != weekday:
        return False
    if kind == "nth":
        return (day.day - 1) // 7 + 1 == place
    return kind == "day" or (day + timedelta(days=7)).month != day.month

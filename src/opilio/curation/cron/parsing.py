"""Reads cron expressions: Quartz with six or seven fields, or the classic form with five.

Quartz: `second minute hour day-of-month month day-of-week [year]`, one of the two day fields `?` (or `*`).
Both know lists, ranges, steps and names; for days also L, L-n, W, LW, # and nL.
"""

import functools
import re

from opilio.curation.cron.errors import BadCron
from opilio.curation.cron.expression import Cron, Days, Form, MonthDays, WeekDays
from opilio.curation.cron.fields import CLASSIC, QUARTZ, Field
from opilio.curation.cron.numbers import Place, numbers, value

LONGEST = 1_000  # characters
_OPEN = ("*", "?")
_SIGNS = re.compile(r"[A-Z0-9*?,/#\- ]+")
_NEAREST = re.compile(r"([0-9]{1,2})W")
_FROM_END = re.compile(r"L-([0-9]{1,2})")
_NTH = re.compile(r"([A-Z]{3}|[0-9])#([0-9]{1,2})")
_LAST = re.compile(r"([A-Z]{3}|[0-9])L")
_FORMS = "Write five fields (minute hour day month weekday), or seven with seconds first and the year last."


def parse(text: str) -> Cron:
    """The expression that a text holds; `BadCron` names the field and what to do."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise BadCron(f"a cron expression is a text of at most {LONGEST} characters", remedy="Shorten it.")
    plain = " ".join(text.upper().split())
    if not _SIGNS.fullmatch(plain):
        odd = next((sign for sign in plain if not _SIGNS.fullmatch(sign)), "")
        what = f"{odd!r} cannot stand in a cron expression" if odd else "the cron expression is empty"
        raise BadCron(what, remedy=_FORMS)
    return _parsed(plain)


@functools.lru_cache(maxsize=4_096)
def _parsed(plain: str) -> Cron:
    parts = plain.split(" ")
    if len(parts) == 5:
        return _classic(plain, parts)
    if len(parts) in (6, 7):
        return _quartz(plain, parts)
    raise BadCron(f"the cron expression has {len(parts)} fields", where=plain[:80], remedy=_FORMS)


def _classic(plain: str, parts: list[str]) -> Cron:
    places = [Place(field=field, number=number) for number, field in enumerate(CLASSIC, 1)]
    minutes, hours, _, months = (_listed(place, part) for place, part in zip(places[:4], _no_days(parts), strict=True))
    days = Days(of_month=_month_days(places[2], parts[2]), of_week=_week_days(places[4], parts[4]))
    return Cron(
        text=plain, form=Form.CLASSIC, seconds=(0,), minutes=minutes, hours=hours, months=months, days=days
    )  # fmt: skip


def _no_days(parts: list[str]) -> list[str]:
    """The fields that hold numbers only; the days of the month are read apart."""
    return [parts[0], parts[1], "*", parts[3]]


def _quartz(plain: str, parts: list[str]) -> Cron:
    places = [Place(field=field, number=number) for number, field in enumerate(QUARTZ, 1)]
    seconds, minutes, hours = (_listed(place, part) for place, part in zip(places[:3], parts[:3], strict=True))
    _check_days(places, parts[3], parts[5])
    days = Days(of_month=_month_days(places[3], parts[3]), of_week=_week_days(places[5], parts[5]))
    year = parts[6] if len(parts) == 7 else "*"
    return Cron(
        text=plain, form=Form.QUARTZ, seconds=seconds, minutes=minutes, hours=hours,
        months=_listed(places[4], parts[4]), days=days, years=None if year == "*" else _listed(places[6], year),
    )  # fmt: skip


def _check_days(places: list[Place], of_month: str, of_week: str) -> None:
    if of_month == of_week == "?":
        raise places[3].bad("? stands in both fields of days", "Write * or a day in one of them.")
    if of_month not in _OPEN and of_week not in _OPEN:
        what = "a day of the month and a day of the week are both given"
        raise places[5].bad(what, "Write ? in one of them, or make two schedules.")


def _listed(place: Place, part: str) -> tuple[int, ...]:
    if part == "?":
        raise place.bad("? can stand for days only", "Write * for every one.")
    found: set[int] = set()
    for item in part.split(","):
        found |= numbers(place, item)
    return tuple(sorted(found))


def _month_days(place: Place, part: str) -> MonthDays:
    if part in _OPEN:
        return MonthDays(any=True)
    plain: set[int] = set()
    from_end: set[int] = set()
    nearest: set[int] = set()
    items = part.split(",")
    for item in items:
        if item == "L":
            from_end.add(0)
        elif back := _FROM_END.fullmatch(item):
            from_end.add(_back(place, item, int(back[1])))
        elif near := _NEAREST.fullmatch(item):
            nearest.add(value(place, near[1]))
        elif item != "LW":
            plain |= numbers(place, item)
    return MonthDays(
        star=part.startswith("*"), numbers=frozenset(plain), from_end=frozenset(from_end),
        nearest=frozenset(nearest), last_working="LW" in items,
    )  # fmt: skip


def _back(place: Place, item: str, days: int) -> int:
    if not 1 <= days <= 30:
        raise place.bad(f"{item!r} is no day", "Write L for the last day, L-1 to L-30 for days before it.")
    return days


def _week_days(place: Place, part: str) -> WeekDays:
    if part in _OPEN:
        return WeekDays(any=True)
    plain: set[int] = set()
    nth: set[tuple[int, int]] = set()
    last: set[int] = set()
    for item in part.split(","):
        if item == "L":
            plain.add(5)
        elif found := _NTH.fullmatch(item):
            nth.add((_monday_first(place.field, value(place, found[1])), _nth(place, item, int(found[2]))))
        elif found := _LAST.fullmatch(item):
            last.add(_monday_first(place.field, value(place, found[1])))
        else:
            plain |= {_monday_first(place.field, number) for number in numbers(place, item)}
    return WeekDays(
        star=part.startswith("*"), numbers=frozenset(plain), nth=frozenset(nth), last=frozenset(last)
    )  # fmt: skip


def _nth(place: Place, item: str, number: int) -> int:
    if not 1 <= number <= 5:
        raise place.bad(f"{item!r} asks for weekday number {number} of a month", "Write #1 to #5, or L for the last.")
    return number


def _monday_first(field: Field, number: int) -> int:
    """From a number of the field (Quartz: Sunday is 1; classic: Sunday is 0 and 7) to Monday = 0."""
    return (number - field.low - 1) % 7

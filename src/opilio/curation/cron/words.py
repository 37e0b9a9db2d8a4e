"""A cron expression in words, for people: “At 21:00 on Mondays”."""

from collections.abc import Sequence
from itertools import pairwise

from opilio.curation.cron.expression import Cron, MonthDays, WeekDays

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PLACES = ("", "first", "second", "third", "fourth", "fifth")
_MOST_TIMES = 6  # that are listed one by one


def explain(cron: Cron) -> str:
    """One sentence, without the full stop."""
    parts = (_times(cron), _days(cron), _months(cron), _years(cron))
    return " ".join(part for part in parts if part)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th, 31st."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def joined(items: Sequence[str], word: str = "and") -> str:
    """a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"


def _times(cron: Cron) -> str:
    exact = len(cron.seconds) == 1
    if exact and len(cron.minutes) * len(cron.hours) <= _MOST_TIMES:
        return f"At {joined([_clock(time) for time in cron.day_times])}"
    if exact and len(cron.minutes) == 1:
        second = f":{cron.seconds[0]:02}" if cron.seconds[0] else ""
        return f"{_every_hour(cron.hours)} at {cron.minutes[0]} minutes{second} past"
    seconds = "" if cron.seconds == (0,) else f"second {_runs(cron.seconds, 60)} of "
    return f"At {seconds}minute {_runs(cron.minutes, 60)} of {_hours(cron.hours)}"


def _every_hour(hours: tuple[int, ...]) -> str:
    step = hours[1] - hours[0]
    even = all(after - before == step for before, after in pairwise(hours))
    if even and hours[0] < step and hours[-1] + step > 23:
        start = f" from {hours[0]:02} on" if hours[0] else ""
        return f"Every hour{start}" if step == 1 else f"Every {step} hours{start}"
    return f"In {_hours(hours)}"


def _hours(hours: tuple[int, ...]) -> str:
    return "every hour" if len(hours) == 24 else f"hour {_runs(hours, 24)}"


def _clock(time: int) -> str:
    hours, rest = divmod(time, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}" if seconds else f"{hours:02}:{minutes:02}"


def _runs(numbers: Sequence[int], size: int) -> str:
    """0 to 5 and 30; all of them: `any`."""
    if len(numbers) == size:
        return "any"
    return joined([str(low) if low == high else f"{low} to {high}" for low, high in _spans(numbers)])


def _spans(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of at least three numbers in a row; others stand alone."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [
        span
        for run in found
        for span in ([(run[0], run[-1])] if len(run) > 2 else [(number, number) for number in run])
    ]


def _days(cron: Cron) -> str:
    by_month, by_week = cron.days.of_month, cron.days.of_week
    if by_month.any and by_week.any:
        return "every day"
    if by_month.any or by_week.any:
        return _week_days(by_week) if by_month.any else _month_days(by_month)
    word = "and also" if cron.days.either else "but only"
    return f"{_month_days(by_month)}, {word} {_week_days(by_week)}"


def _month_days(days: MonthDays) -> str:
    found = [
        f"the {ordinal(low)}" if low == high else f"the {ordinal(low)} to the {ordinal(high)}"
        for low, high in _spans(sorted(days.numbers))
    ]
    found += [f"the working day nearest the {ordinal(day)}" for day in sorted(days.nearest)]
    found += [f"the day {back} before the last" for back in sorted(days.from_end, reverse=True) if back]
    found += ["the last day"] if 0 in days.from_end else []
    found += ["the last working day"] if days.last_working else []
    return f"on {joined(found)}"


def _week_days(days: WeekDays) -> str:
    found = []
    if days.numbers:
        names = [f"{WEEKDAYS[number]}s" for number in sorted(days.numbers)]
        whole = {frozenset(range(5)): ["Monday to Friday"], frozenset(range(7)): ["any day of the week"]}
        found += whole.get(days.numbers, names)
    found += [f"the {_PLACES[place]} {WEEKDAYS[number]}" for number, place in sorted(days.nth)]
    found += [f"the last {WEEKDAYS[number]}" for number in sorted(days.last)]
    return f"on {joined(found)}"


def _months(cron: Cron) -> str:
    if len(cron.months) < 12:
        return f"in {joined([_month_span(low, high) for low, high in _spans(cron.months)])}"
    by_week = cron.days.of_week
    monthly = not cron.days.of_month.any or bool(by_week.nth or by_week.last)
    return "of each month" if monthly and not by_week.numbers else ""


def _month_span(low: int, high: int) -> str:
    return MONTHS[low - 1] if low == high else f"{MONTHS[low - 1]} to {MONTHS[high - 1]}"


def _years(cron: Cron) -> str:
    if cron.years is None:
        return ""
    return f"in {joined([str(low) if low == high else f'{low} to {high}' for low, high in _spans(cron.years)])}"

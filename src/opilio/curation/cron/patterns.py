"""Named patterns: “every month” with a day and a time, without cron. Numbered as in the Web Curator Tool."""

from dataclasses import dataclass
from enum import IntEnum

from opilio.curation.cron.errors import BadCron
from opilio.curation.cron.fields import MONTHS, WEEKDAYS


class Pattern(IntEnum):
    """How often; above 0 are patterns of the installation, 0 is an expression written by hand."""

    CUSTOM = 0
    DAILY = -1
    WEEKLY = -2
    MONTHLY = -3
    BI_MONTHLY = -4
    QUARTERLY = -5
    HALF_YEARLY = -6
    ANNUALLY = -7


#: What people choose from.
NAMES = {
    Pattern.CUSTOM: "written by hand",
    Pattern.DAILY: "every day",
    Pattern.WEEKLY: "every week",
    Pattern.MONTHLY: "every month",
    Pattern.BI_MONTHLY: "every two months",
    Pattern.QUARTERLY: "every three months",
    Pattern.HALF_YEARLY: "every six months",
    Pattern.ANNUALLY: "every year",
}
#: Patterns that an installation starts with: number → name, expression.
SHIPPED = {1: ("Mondays at 21:00", "0 0 21 ? * MON *")}
_MONTHS_BETWEEN = {
    Pattern.MONTHLY: 1,
    Pattern.BI_MONTHLY: 2,
    Pattern.QUARTERLY: 3,
    Pattern.HALF_YEARLY: 6,
    Pattern.ANNUALLY: 12,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What is filled in beside a named pattern."""

    hour: int = 0
    minute: int = 0
    weekday: int = 0  # Monday is 0; for weekly
    day: int = 1  # of the month, 1 to 31; 0: the last
    month: int = 1  # the first of the months

    def __post_init__(self) -> None:
        for name, low, high in (
            ("hour", 0, 23), ("minute", 0, 59), ("weekday", 0, 6), ("day", 0, 31), ("month", 1, 12),
        ):  # fmt: skip
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                remedy = f"Give a whole number from {low} to {high}."
                raise BadCron(f"{name} is {str(value)[:40]!r}", where=name, remedy=remedy)


def expression(pattern: Pattern, choice: Choice) -> str:
    """The pattern as a Quartz expression."""
    time = f"0 {choice.minute} {choice.hour}"
    if pattern is Pattern.DAILY:
        return f"{time} ? * * *"
    if pattern is Pattern.WEEKLY:
        return f"{time} ? * {WEEKDAYS[choice.weekday]} *"
    if pattern is Pattern.CUSTOM:
        raise BadCron("a schedule written by hand has no pattern", where="pattern", remedy="Write the expression.")
    return f"{time} {choice.day or 'L'} {_months(choice.month, _MONTHS_BETWEEN[pattern])} ? *"


def _months(first: int, step: int) -> str:
    if step == 1:
        return "*"
    numbers = sorted((first - 1 + ahead) % 12 + 1 for ahead in range(0, 12, step))
    return ",".join(MONTHS[number - 1] for number in numbers)

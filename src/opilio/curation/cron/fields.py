"""The fields of a cron expression: their names, their ranges, the words that may stand for numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: The years that an expression may name.
FIRST_YEAR, LAST_YEAR = 1970, 2199
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
WEEKDAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One place of an expression."""

    name: str
    low: int
    high: int
    words: Mapping[str, int] = field(default_factory=dict)
    wraps: bool = True  # whether 22-2 is a range

    def __hash__(self) -> int:
        return hash((self.name, self.low, self.high))


_MONTH_WORDS = {name: number for number, name in enumerate(MONTHS, 1)}
#: Quartz counts the days of a week from Sunday, 1 to 7; the classic form from Sunday, 0 to 7.
_QUARTZ_WEEKDAYS = {name: number % 7 + 1 for number, name in enumerate(WEEKDAYS, 1)}
_CLASSIC_WEEKDAYS = {name: number % 7 for number, name in enumerate(WEEKDAYS, 1)}

QUARTZ = (
    Field(name="second", low=0, high=59),
    Field(name="minute", low=0, high=59),
    Field(name="hour", low=0, high=23),
    Field(name="day of month", low=1, high=31),
    Field(name="month", low=1, high=12, words=_MONTH_WORDS),
    Field(name="day of week", low=1, high=7, words=_QUARTZ_WEEKDAYS),
    Field(name="year", low=FIRST_YEAR, high=LAST_YEAR, wraps=False),
)
CLASSIC = (
    Field(name="minute", low=0, high=59, wraps=False),
    Field(name="hour", low=0, high=23, wraps=False),
    Field(name="day of month", low=1, high=31, wraps=False),
    Field(name="month", low=1, high=12, words=_MONTH_WORDS, wraps=False),
    Field(name="day of week", low=0, high=7, words=_CLASSIC_WEEKDAYS, wraps=False),
)

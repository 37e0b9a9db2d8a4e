"""One field of a cron expression: lists, ranges, steps and names become numbers; what is wrong is named."""

import re
from dataclasses import dataclass

from opilio.curation.cron.errors import BadCron
from opilio.curation.cron.fields import Field

_ITEM = re.compile(
    r"(?:(?P<star>\*)|(?P<low>[A-Z]{3}|[0-9]{1,4})(?:-(?P<high>[A-Z]{3}|[0-9]{1,4}))?)(?:/(?P<step>[0-9]{1,4}))?"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A field with its number, for messages."""

    field: Field
    number: int  # from 1

    def bad(self, what: str, remedy: str) -> BadCron:
        """The refusal of what stands there."""
        return BadCron(what, where=f"field {self.number}, {self.field.name}", remedy=remedy)


def numbers(place: Place, item: str) -> set[int]:
    """The numbers of one item of a list, such as `*/15`, `MON-FRI` or `8-17/3`."""
    found = _ITEM.fullmatch(item)
    field = place.field
    if found is None:
        words = f", or {', '.join(field.words)}" if field.words else ""
        remedy = (
            f"Write numbers from {field.low} to {field.high}{words}; lists with commas, ranges as a-b, steps as a/n."
        )
        raise place.bad(f"{item[:40]!r} cannot be read", remedy)
    step = _step(place, item, found["step"])
    if found["star"]:
        return set(range(field.low, field.high + 1, step))
    low = value(place, found["low"])
    if found["high"] is None:
        return {low} if found["step"] is None else set(range(low, field.high + 1, step))
    return _range(place, item, low, value(place, found["high"]), step)


def value(place: Place, text: str) -> int:
    """A number or the word for it."""
    field = place.field
    if not text.isdigit():
        if text not in field.words:
            known = f"Write one of {', '.join(field.words)}." if field.words else "Write a number."
            raise place.bad(f"{text[:40]!r} is no {field.name}", known)
        return field.words[text]
    number = int(text)
    if not field.low <= number <= field.high:
        raise place.bad(f"{number} is no {field.name}", f"Write a number from {field.low} to {field.high}.")
    return number


def _step(place: Place, item: str, text: str | None) -> int:
    if text is None:
        return 1
    span = place.field.high - place.field.low
    if not 1 <= int(text) <= span:
        raise place.bad(f"the step of {item[:40]!r} is {text}", f"Give a step from 1 to {span}.")
    return int(text)


def _range(place: Place, item: str, low: int, high: int, step: int) -> set[int]:
    field = place.field
    if high < low and field.low == 0 and field.words and high == 0:  # FRI-SUN in the classic form
        high = 7
    if low <= high:
        return set(range(low, high + 1, step))
    if not field.wraps:
        split = f"{low}-{field.high},{field.low}-{high}"
        raise place.bad(f"the range {item[:40]!r} ends before it begins", f"Turn it round, or write {split}.")
    size = field.high - field.low + 1
    return {(number - field.low) % size + field.low for number in range(low, high + size + 1, step)}

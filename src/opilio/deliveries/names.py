"""Names of deliveries and documents: their parts, and which part of a name is wrong and why. Pure.

A form is written like `{centre}.{date}.{increment}.impc.zip`; a name must match it whole.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from opilio.deliveries.errors import BadDeliveryProfile

_PART = re.compile(r"\{([a-z_]{1,32})\}")
_LONGEST = 255  # characters of a name
_DIGITS = re.compile(r"[0-9]+", re.ASCII)


class PartKind(StrEnum):
    """What a part of a name is."""

    CENTRE = "centre"  # the code of the partner that made the file
    DATE = "date"
    NUMBER = "number"
    WORD = "word"  # one of some words, or any letters and digits


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One part of a name."""

    kind: PartKind
    form: str = "%Y-%m-%d"  # of dates
    least: int = 1  # digits of numbers, letters of words
    most: int = 32
    words: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """What a name says."""

    centre: str = ""
    on: date | None = None
    number: int | None = None
    parts: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A name as it was judged; without faults it conforms."""

    parsed: Parsed | None = None
    faults: tuple[str, ...] = ()


class NameForm:
    """The form of names, and the parts in it."""

    def __init__(self, form: str, parts: Mapping[str, Part]) -> None:
        self.form = form
        self._parts = dict(parts)
        named = _PART.findall(form)
        if len(set(named)) != len(named) or set(named) != set(parts):
            remedy = "Name each part once in the form, and describe each."
            raise BadDeliveryProfile(f"The form {form!r} and its parts do not agree", remedy=remedy)
        self._frame = re.compile(_frame(form), re.DOTALL)

    def judge(self, name: str, centres: frozenset[str]) -> Judged:
        """What a name says, or each thing that is wrong with it."""
        if len(name) > _LONGEST:
            return Judged(faults=(f"It is longer than {_LONGEST} characters.",))
        found = self._frame.fullmatch(name)
        if found is None:
            return Judged(faults=(f"It does not have the form {self.form}.",))
        texts = found.groupdict()
        faults = tuple(
            f"{key}: {fault}" for key, part in self._parts.items() if (fault := _fault(part, texts[key], centres))
        )
        return Judged(faults=faults) if faults else Judged(parsed=self._parsed(texts))

    def _parsed(self, texts: Mapping[str, str]) -> Parsed:
        centre, on, number = "", None, None
        for key, part in self._parts.items():
            if part.kind is PartKind.CENTRE:
                centre = texts[key]
            elif part.kind is PartKind.DATE:
                on = _date(texts[key], part.form)
            elif part.kind is PartKind.NUMBER:
                number = int(texts[key])
        return Parsed(centre=centre, on=on, number=number, parts=dict(texts))


def _frame(form: str) -> str:
    """Parts are split at the first chance; what they hold is judged after that, so that each fault has its place."""
    pieces, end = [], 0
    for found in _PART.finditer(form):
        pieces += [re.escape(form[end : found.start()]), f"(?P<{found[1]}>.*?)"]
        end = found.end()
    return "".join([*pieces, re.escape(form[end:])])


def _fault(part: Part, text: str, centres: frozenset[str]) -> str:
    match part.kind:
        case PartKind.CENTRE:
            return "" if text in centres else f"{text!r} is no centre that is known."
        case PartKind.DATE:
            return (
                "" if _date(text, part.form) else f"{text!r} is no day of the calendar, written {_spoken(part.form)}."
            )
        case PartKind.NUMBER:
            good = bool(_DIGITS.fullmatch(text)) and part.least <= len(text) <= part.most
            return "" if good else f"{text!r} is not a number of {part.least} to {part.most} digits."
        case PartKind.WORD:
            return _word_fault(part, text)


def _word_fault(part: Part, text: str) -> str:
    if part.words:
        return "" if text in part.words else f"{text!r} is none of {', '.join(part.words)}."
    good = text.isascii() and text.replace("_", "").replace("-", "").isalnum() and part.least <= len(text) <= part.most
    return "" if good else f"{text!r} is not a word of {part.least} to {part.most} letters and digits."


def _spoken(form: str) -> str:
    """A form of dates as people write it."""
    for code, letters in (("%Y", "YYYY"), ("%y", "YY"), ("%m", "MM"), ("%d", "DD")):
        form = form.replace(code, letters)
    return form


def _date(text: str, form: str) -> date | None:
    if not text.isascii():
        return None
    try:
        found = datetime.strptime(text, form).replace(tzinfo=UTC).date()
    except ValueError:
        return None
    return found if found.strftime(form) == text else None

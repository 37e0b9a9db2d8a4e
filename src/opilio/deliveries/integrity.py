"""Whether records keep to the rules of their profile; each breach is a finding. Decisions only: others know the rest.

A finding about a record that is missing can be retired once that record has come.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from opilio.deliveries.fields import value, values
from opilio.deliveries.profile import Level, Rule, RuleKind, ValueType
from opilio.deliveries.records import Record

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_NUMBER = re.compile(r"[+-]?([0-9]{1,300}(\.[0-9]*)?|\.[0-9]{1,300})([eE][+-]?[0-9]{1,3})?", re.ASCII)
_BOOLEANS = ("true", "false", "0", "1")
_LONGEST = 200  # characters of a value that a message shows


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A breach of a rule."""

    rule: str
    level: Level
    record: str  # kind of record
    key: str
    field: str
    message: str
    line: int | None = None
    awaits: tuple[str, str] | None = None  # kind and key of the record that would mend it


class Known(Protocol):
    """What is known beside the record."""

    def has(self, kind: str, key: str) -> bool:
        """Whether a record of a kind with this key was loaded, or comes before it in this document."""
        ...

    def holds(self, name: str, text: str) -> bool:
        """Whether a reference set has a value."""
        ...

    def others(self, kind: str, field: str, text: str, key: str) -> bool:
        """Whether a record with another key has this value."""
        ...

    def today(self) -> date:
        """The day it is."""
        ...


def judged(record: Record, rules: Sequence[Rule], known: Known) -> list[Finding]:
    """All that is wrong with a record."""
    return [finding for rule in rules if rule.record == record.kind for finding in _broken(rule, record, known)]


def _broken(rule: Rule, record: Record, known: Known) -> Iterator[Finding]:
    found = values(record.values, rule.field)
    if rule.kind is RuleKind.REQUIRED:
        if not any(text.strip() for text in found):
            yield _finding(rule, record, f"{rule.field} is missing.")
        return
    for text in found:
        why = _CHECKS[rule.kind](rule, text, record, known)
        if why:
            awaits = (rule.to, text) if rule.kind is RuleKind.REFERENCE else None
            yield _finding(rule, record, why, awaits)


def _finding(rule: Rule, record: Record, message: str, awaits: tuple[str, str] | None = None) -> Finding:
    return Finding(
        rule=rule.name, level=rule.level, record=record.kind, key=record.key, field=rule.field, message=message,
        line=record.line, awaits=awaits,
    )  # fmt: skip


def _type(rule: Rule, text: str, record: Record, known: Known) -> str:
    wanted = rule.type or ValueType.NUMBER
    return "" if readable(text, wanted) else f"{_shown(text)} is no {wanted.value}."


def readable(text: str, wanted: ValueType) -> bool:
    """Whether a text can be read as a type."""
    match wanted:
        case ValueType.INTEGER:
            return bool(_INTEGER.fullmatch(text))
        case ValueType.NUMBER:
            return bool(_NUMBER.fullmatch(text)) and math.isfinite(float(text))
        case ValueType.BOOLEAN:
            return text in _BOOLEANS
        case ValueType.DATE:
            return _date(text) is not None


def _option(rule: Rule, text: str, record: Record, known: Known) -> str:
    if rule.set:
        return "" if known.holds(rule.set, text) else f"{_shown(text)} is not in {rule.set}."
    return "" if text in rule.options else f"{_shown(text)} is none of {', '.join(rule.options)}."


def _range(rule: Rule, text: str, record: Record, known: Known) -> str:
    if not readable(text, ValueType.NUMBER):
        return f"{_shown(text)} is no number."
    number = float(text)
    if rule.least is not None and number < rule.least:
        return f"{_shown(text)} is less than {rule.least:g}."
    if rule.most is not None and number > rule.most:
        return f"{_shown(text)} is more than {rule.most:g}."
    return ""


def _unique(rule: Rule, text: str, record: Record, known: Known) -> str:
    taken = known.others(record.kind, rule.field, text, record.key)
    return f"Another {record.kind} has {_shown(text)}." if taken else ""


def _reference(rule: Rule, text: str, record: Record, known: Known) -> str:
    return "" if known.has(rule.to, text) else f"There is no {rule.to} {_shown(text)}."


def _dated(rule: Rule, text: str, record: Record, known: Known) -> str:
    day = _date(text)
    if day is None:
        return f"{_shown(text)} is no date."
    if not rule.future and day > known.today():
        return f"{_shown(text)} lies in the future."
    before = _date(value(record.values, rule.after)) if rule.after else None
    return f"{_shown(text)} is before {rule.after} ({before})." if before is not None and day < before else ""


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if len(text) >= 10 else None
    except ValueError:
        return None


def _shown(text: Any) -> str:
    plain = str(text)
    return repr(plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…")


_CHECKS: Mapping[RuleKind, Any] = {
    RuleKind.TYPE: _type, RuleKind.OPTION: _option, RuleKind.RANGE: _range, RuleKind.UNIQUE: _unique,
    RuleKind.REFERENCE: _reference, RuleKind.DATE: _dated,
}  # fmt: skip

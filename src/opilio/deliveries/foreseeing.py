"""Judges the records of a delivery by the rules of its profile without a store: only the delivery itself is known.

A record that it refers to may have been delivered before, so that a missing one is told as such and is no fault.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from opilio.deliveries.errors import BadDocument
from opilio.deliveries.fields import values
from opilio.deliveries.integrity import Finding, judged
from opilio.deliveries.profile import DeliveryProfile, DocumentKind, Level, RuleKind, order_of
from opilio.deliveries.records import Record, records

Documents = Sequence[tuple[str, Path, DocumentKind]]  # name, where it lies, kind


class _Here:
    """The records of the delivery that came so far."""

    def __init__(self, profile: DeliveryProfile, today: date) -> None:
        self._profile, self._today = profile, today
        self._keys: set[tuple[str, str]] = set()
        self._values: dict[tuple[str, str, str], str] = {}
        self._unique = [rule for rule in profile.rules if rule.kind is RuleKind.UNIQUE]
        self._sets: dict[str, frozenset[str]] = {}

    def has(self, kind: str, key: str) -> bool:
        return (kind, key) in self._keys

    def holds(self, name: str, text: str) -> bool:
        if name not in self._sets:
            self._sets[name] = self._profile.set_values(name)
        return text in self._sets[name]

    def others(self, kind: str, field: str, text: str, key: str) -> bool:
        return self._values.get((kind, field, text), key) != key

    def today(self) -> date:
        return self._today

    def take(self, record: Record) -> None:
        """A record that others may refer to."""
        self._keys.add((record.kind, record.key))
        for rule in self._unique:
            if rule.record == record.kind:
                self._values |= {
                    (record.kind, rule.field, text): record.key for text in values(record.values, rule.field)
                }


def foreseen(documents: Documents, profile: DeliveryProfile, today: date) -> Iterator[tuple[str, Finding]]:
    """What the rules would find in each document, in the order in which they would be loaded."""
    here = _Here(profile, today)
    order = order_of(profile)
    for name, path, kind in sorted(documents, key=lambda one: (order.index(one[2].name), one[0])):
        seen: set[tuple[str, str]] = set()
        for record in _readable(path, kind):
            for finding in _of_record(record, profile, here, seen):
                yield name, finding
            seen.add((record.kind, record.key))
            here.take(record)


def _readable(path: Path, kind: DocumentKind) -> Iterator[Record]:
    """Its records; a document that cannot be read was told by its schema."""
    try:
        yield from records(path, kind)
    except BadDocument:
        if not kind.xsd:
            raise


def _of_record(record: Record, profile: DeliveryProfile, here: _Here, seen: set[tuple[str, str]]) -> Iterator[Finding]:
    if not record.key.strip("\x1f"):
        yield _error(record, "key", "It has no key.")
    elif (record.kind, record.key) in seen:
        yield _error(record, "twice", "The document has it twice.")
    else:
        yield from judged(record, profile.rules, here)


def _error(record: Record, rule: str, message: str) -> Finding:
    return Finding(
        rule=rule, level=Level.ERROR, record=record.kind, key=record.key, field="", message=message, line=record.line
    )

"""The built-in store of records: versions by key, what is current, and what may be only once. Callers are in a
transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from opilio.deliveries.fields import values
from opilio.deliveries.integrity import Finding, judged
from opilio.deliveries.profile import DeliveryProfile, Level, RuleKind
from opilio.deliveries.records import Record
from opilio.tracker.fresh_records import Fresh, inserted
from opilio.tracker.models import LoadedRecord, UniqueValue, XmlDocument

_PORTION = 1_000  # records at a time
_QUESTION = 400  # keys in one question

Key = tuple[str, str]
Version = tuple[int | None, int]


@dataclass(kw_only=True)
class Taken:
    """What became of the records of a document."""

    loaded: int = 0
    findings: list[Finding] = field(default_factory=list)
    arrived: list[Key] = field(default_factory=list)

    @property
    def worst(self) -> Level | None:
        """The heaviest level among the findings."""
        order = (Level.FATAL, Level.ERROR, Level.WARN)
        return next((level for level in order if any(one.level is level for one in self.findings)), None)


class RecordStore:
    """Takes in the records of documents of one profile."""

    def __init__(self, profile: DeliveryProfile, at: datetime) -> None:
        self._profile, self._at = profile, at
        self._unique = [rule for rule in profile.rules if rule.kind is RuleKind.UNIQUE]
        self._sets: dict[str, frozenset[str]] = {}

    def take(self, document: XmlDocument, action: str, found: Iterable[Record]) -> Taken:
        """Load, change or remove the records of a document; what is wrong with each is told."""
        taken, seen, portion = Taken(), set[Key](), list[Record]()
        for record in found:
            portion.append(record)
            if len(portion) == _PORTION:
                self._portion(document, action, portion, taken, seen)
                portion = []
        if portion:
            self._portion(document, action, portion, taken, seen)
        return taken

    def _portion(
        self, document: XmlDocument, action: str, portion: Sequence[Record], taken: Taken, seen: set[Key]
    ) -> None:
        current = self._current([(one.kind, one.key) for one in portion])
        known = _Known(self, current, self._referred(portion), seen)
        fresh: list[Fresh] = []
        for record in portion:
            key = (record.kind, record.key)
            faults = self._faults(record, action, key, known, seen)
            taken.findings += faults
            seen.add(key)
            if not any(one.level is not Level.WARN for one in faults):
                fresh.append(self._version(document, record, action, current.get(key)))
                known.took(record, action)
        self._write(fresh, current, taken)

    def _faults(self, record: Record, action: str, key: Key, known: "_Known", seen: set[Key]) -> list[Finding]:
        if not record.key.strip("\x1f"):
            return [_finding(record, "key", "It has no key.")]
        if key in seen:
            return [_finding(record, "twice", "The document has it twice.")]
        if action != "add" and not known.current(key):
            return [_finding(record, f"{action}-of-unknown", f"There is no such {record.kind} to {action}.")]
        return judged(record, self._profile.rules, known) if action != "delete" else []

    def _version(self, document: XmlDocument, record: Record, action: str, before: Version | None) -> Fresh:
        removed = action == "delete"
        return Fresh(
            kind=record.kind, key=record.key[:500], number=before[1] + 1 if before else 1, removed=removed,
            values={} if removed else record.values, document=document.pk, line=record.line,
        )  # fmt: skip

    def _write(self, fresh: list[Fresh], current: Mapping[Key, Version], taken: Taken) -> None:
        last = (current.get((row.kind, row.key), (None, 0))[0] for row in fresh)
        old = [pk for pk in last if pk is not None]
        for start in range(0, len(old), _QUESTION):
            LoadedRecord.objects.filter(pk__in=old[start : start + _QUESTION]).update(current=False)
            UniqueValue.objects.filter(record_id__in=old[start : start + _QUESTION]).delete()
        keys = inserted(fresh, self._profile.name, self._at)
        UniqueValue.objects.bulk_create(
            [one for pk, row in zip(keys, fresh, strict=True) for one in self._unique_values(pk, row)], batch_size=500
        )
        taken.loaded += len(fresh)
        taken.arrived += [(row.kind, row.key) for row in fresh if not row.removed]

    def _unique_values(self, pk: int, row: Fresh) -> Iterable[UniqueValue]:
        for rule in self._unique:
            if rule.record == row.kind:
                for text in values(row.values, rule.field):
                    yield UniqueValue(
                        record_id=pk, profile=self._profile.name, kind=row.kind, field=rule.field, value=text[:500]
                    )

    def _current(self, keys: Sequence[Key]) -> dict[Key, Version]:
        """The last version of each key that has one: its identifier, None where that is a removal, and its number."""
        found: dict[Key, Version] = {}
        by_kind: dict[str, list[str]] = {}
        for kind, key in keys:
            by_kind.setdefault(kind, []).append(key)
        for kind, wanted in by_kind.items():
            for start in range(0, len(wanted), _QUESTION):
                rows = LoadedRecord.objects.filter(
                    profile=self._profile.name, kind=kind, key__in=wanted[start : start + _QUESTION]
                )
                for pk, key, number, current in rows.order_by("number").values_list("pk", "key", "number", "current"):
                    found[kind, key] = (pk if current else None, number)
        return found

    def _referred(self, portion: Sequence[Record]) -> set[Key]:
        wanted = {
            (rule.to, text)
            for rule in self._profile.rules if rule.kind is RuleKind.REFERENCE
            for record in portion if record.kind == rule.record
            for text in values(record.values, rule.field)
        }  # fmt: skip
        return {key for key, (pk, _) in self._current(sorted(wanted)).items() if pk is not None}

    def set_values(self, name: str) -> frozenset[str]:
        """A reference set of the profile."""
        if name not in self._sets:
            self._sets[name] = self._profile.set_values(name)
        return self._sets[name]

    def others(self, kind: str, name: str, text: str, key: str) -> bool:
        """Whether a current record with another key has a value."""
        rows = UniqueValue.objects.filter(profile=self._profile.name, kind=kind, field=name, value=text[:500])
        return rows.exclude(record__key=key[:500]).exists()

    def today(self) -> date:
        """The day on which records are taken in."""
        return self._at.date()


class _Known:
    """What is known beside a record: the store, and what came before it in its document."""

    def __init__(self, store: RecordStore, current: Mapping[Key, Version], referred: set[Key], seen: set[Key]) -> None:
        self._store, self._current, self._here = store, current, referred
        self._values: dict[tuple[str, str, str], str] = {}
        self._unique = store._unique

    def current(self, key: Key) -> bool:
        """Whether there is a current version."""
        return self._current.get(key, (None, 0))[0] is not None

    def took(self, record: Record, action: str) -> None:
        """A record of the same document that comes before others."""
        if action == "delete":
            return
        self._here.add((record.kind, record.key))
        for rule in self._unique:
            if rule.record == record.kind:
                for text in values(record.values, rule.field):
                    self._values[record.kind, rule.field, text] = record.key

    def has(self, kind: str, key: str) -> bool:
        return (kind, key) in self._here

    def holds(self, name: str, text: str) -> bool:
        return text in self._store.set_values(name)

    def others(self, kind: str, field: str, text: str, key: str) -> bool:
        here = self._values.get((kind, field, text), key)
        return here != key or self._store.others(kind, field, text, key)

    def today(self) -> date:
        return self._store.today()


def _finding(record: Record, rule: str, message: str) -> Finding:
    return Finding(
        rule=rule, level=Level.ERROR, record=record.kind, key=record.key, field="", message=message, line=record.line
    )


def undone(document: XmlDocument) -> int:
    """Take back what a document brought: the version before each of its current ones is current again."""
    rows = list(LoadedRecord.objects.filter(document=document).order_by("-number"))
    changed = 0
    for row in rows:
        newer = LoadedRecord.objects.filter(profile=row.profile, kind=row.kind, key=row.key, number__gt=row.number)
        if newer.exists():
            continue  # something later stands on it
        before = LoadedRecord.objects.filter(
            profile=row.profile, kind=row.kind, key=row.key, number__lt=row.number
        ).order_by("-number").first()  # fmt: skip
        row.delete()
        changed += 1
        if before is not None and not before.removed:
            LoadedRecord.objects.filter(pk=before.pk).update(current=True)
    return changed

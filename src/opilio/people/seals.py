"""The chain over the audit log: each committed entry gets a number and a digest that covers all before it.

Entries are written unsealed, inside the transactions that cause them; one process at a time, under a named lease,
seals what has been committed. `verify` walks the chain and names what was changed or removed and what is unsealed yet.
"""

import datetime
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from opilio.people.models import AuditEntry, AuditSeal

START = "0" * 64  # what the first seal has for its predecessor
_BATCH = 1_000
_TOLD = (
    "id", "at", "action", "subject_type", "subject_id", "subject_name", "message", "user_id", "username",
    "first_name", "last_name", "agency_id", "agency_name", "before", "after", "correlation", "via", "address",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One place where the chain does not hold."""

    number: int
    entry: int
    what: str


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What walking the chain found."""

    sealed: int
    unsealed: int
    head: str  # digest of the last seal: note it elsewhere to prove later that nothing was cut off
    faults: tuple[Fault, ...] = field(default=())


def digest(entry: AuditEntry, number: int, previous: str) -> str:
    """The seal of an entry at its place in the chain."""
    told = {name: getattr(entry, name) for name in _TOLD}
    told["at"] = entry.at.astimezone(datetime.UTC).isoformat(timespec="microseconds")
    text = json.dumps([number, previous, told], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def head_number() -> int:
    """How long the chain is; grows with whatever is written down."""
    found = AuditSeal.objects.order_by("-number").values_list("number", flat=True).first()
    return found or 0


def unsealed() -> QuerySet[AuditEntry]:
    """Committed entries without a seal, oldest first."""
    sealed = AuditSeal.objects.filter(entry_id=OuterRef("id"))
    return AuditEntry.objects.filter(~Exists(sealed)).order_by("id")


def seal(now: datetime.datetime, limit: int = _BATCH) -> int:
    """Seal what has been committed; how many entries. The caller holds the lease `audit-sealer`."""
    with transaction.atomic():
        last = AuditSeal.objects.order_by("-number").first()
        number, previous = (last.number, last.digest) if last else (0, START)
        rows = []
        for entry in unsealed()[:limit]:
            number += 1
            sealed = digest(entry, number, previous)
            rows.append(AuditSeal(number=number, entry_id=entry.id, previous=previous, digest=sealed, sealed_at=now))
            previous = sealed
        AuditSeal.objects.bulk_create(rows)
    return len(rows)


def verify(*, expected_head: str = "") -> Verdict:
    """Walk the whole chain in constant memory; the first hundred faults are named."""
    faults: list[Fault] = []
    number, previous, seen_head = 0, START, not expected_head
    for row, entry in _pairs():
        faults.extend(_faults_of(row, entry, number + 1, previous))
        number, previous = row.number, row.digest
        seen_head = seen_head or row.digest == expected_head
    if not seen_head:
        faults.append(
            Fault(number=number, entry=0, what="the noted head is no longer in the chain: its end was cut off")
        )
    return Verdict(sealed=number, unsealed=unsealed().count(), head=previous, faults=tuple(faults[:100]))


def _pairs() -> Iterator[tuple[AuditSeal, AuditEntry | None]]:
    at = 0
    while True:
        seals = list(AuditSeal.objects.filter(number__gt=at).order_by("number")[:_BATCH])
        if not seals:
            return
        entries = AuditEntry.objects.in_bulk([row.entry_id for row in seals])
        for row in seals:
            yield row, entries.get(row.entry_id)
        at = seals[-1].number


def _faults_of(row: AuditSeal, entry: AuditEntry | None, expected: int, previous: str) -> Iterator[Fault]:
    if row.number != expected:
        yield Fault(number=row.number, entry=row.entry_id, what=f"seals {expected} to {row.number - 1} were removed")
    if row.previous != previous:
        yield Fault(number=row.number, entry=row.entry_id, what="it does not follow the seal before it")
    if entry is None:
        yield Fault(number=row.number, entry=row.entry_id, what="the entry was removed")
    elif digest(entry, row.number, row.previous) != row.digest:
        yield Fault(number=row.number, entry=row.entry_id, what="the entry was changed")

"""Whether the end of the audit chain holds, for whoever may read the whole log; `opilio audit verify` walks it all."""

from dataclasses import dataclass, field

from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.models import AuditEntry, AuditSeal
from opilio.people.privileges import Privilege
from opilio.people.seals import START, Fault, digest, unsealed


@dataclass(frozen=True, kw_only=True)
class ChainEnd:
    """What the last seals say."""

    sealed: int  # number of the last seal
    unsealed: int
    head: str  # digest of the last seal: note it elsewhere
    checked: int  # seals looked at
    faults: tuple[Fault, ...] = field(default=())


def chain_end(actor: Actor, *, last: int) -> ChainEnd:
    """Check the last seals of the chain against their entries."""
    if not (actor.is_system or actor.grants.everywhere(Privilege.VIEW_AUDIT)):
        raise NotAllowed(
            f"{actor.username} may not check the audit chain", where="audit chain",
            remedy="It covers all agencies: it needs VIEW_AUDIT over everything.",
        )  # fmt: skip
    seals = list(AuditSeal.objects.order_by("-number")[: last + 1])[::-1]
    entries = AuditEntry.objects.in_bulk([row.entry_id for row in seals])
    before, looked_at = (seals[0], seals[1:]) if len(seals) > last else (None, seals)
    faults: list[Fault] = []
    for row in looked_at:
        number, previous = (before.number, before.digest) if before else (0, START)
        if row.number != number + 1 or row.previous != previous:
            faults.append(Fault(number=row.number, entry=row.entry_id, what="it does not follow the seal before it"))
        faults.extend(_of_entry(row, entries.get(row.entry_id)))
        before = row
    return ChainEnd(
        sealed=before.number if before else 0, unsealed=unsealed().count(), head=before.digest if before else START,
        checked=len(looked_at), faults=tuple(faults[:100]),
    )  # fmt: skip


def _of_entry(row: AuditSeal, entry: AuditEntry | None) -> list[Fault]:
    if entry is None:
        return [Fault(number=row.number, entry=row.entry_id, what="the entry was removed")]
    if digest(entry, row.number, row.previous) != row.digest:
        return [Fault(number=row.number, entry=row.entry_id, what="the entry was changed")]
    return []

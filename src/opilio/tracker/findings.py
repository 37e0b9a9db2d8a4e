"""Writes down what is wrong; kinds are made when they are first met."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models.functions import Now

from opilio.tracker.models import Attempt, Delivery, DeliveryFinding, DocumentFinding, FindingKind, XmlDocument

MIRRORS = "mirrors-differ"  # kind: holds as long as sources have different versions, whatever came
MOST_OF_A_KIND = 50  # findings of one kind about one document that are kept one by one
_LONGEST = 32_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Noted:
    """Something that is wrong with a document."""

    kind: str
    message: str
    level: str = "error"
    line: int | None = None
    column: int | None = None
    record: tuple[str, str] = ("", "")  # kind and key
    awaits: tuple[str, str] = ("", "")


def kind_named(name: str) -> FindingKind:
    """The kind of this name."""
    found, _ = FindingKind.objects.get_or_create(short_name=name[:64])
    return found


def of_delivery(delivery: Delivery, kind: str, message: str, attempt: Attempt | None = None) -> None:
    """Note what is wrong with a delivery; the same thing once."""
    found = DeliveryFinding.objects.filter(
        delivery=delivery, attempt=attempt, kind=kind_named(kind), message=message[:_LONGEST], active=True
    )
    if not found.exists():
        DeliveryFinding(delivery=delivery, attempt=attempt, kind=kind_named(kind), message=message[:_LONGEST]).save()


def retired(delivery: Delivery) -> None:
    """What was wrong with a delivery before it came again does not count any more."""
    rows = DeliveryFinding.objects.filter(delivery=delivery, active=True).exclude(kind__short_name=MIRRORS)
    rows.update(active=False, last_update=Now())
    found = DocumentFinding.objects.filter(document__attempt__offering__delivery=delivery, active=True)
    found.update(active=False, last_update=Now())


def retired_of_kind(kind: str, deliveries: Iterable[int], still: Collection[int]) -> None:
    """Findings of a kind about deliveries hold no longer, but for some."""
    wanted = sorted(set(deliveries) - set(still))
    for start in range(0, len(wanted), 500):
        DeliveryFinding.objects.filter(
            delivery_id__in=wanted[start : start + 500], kind__short_name=kind, active=True
        ).update(active=False, last_update=Now())


def of_document(document: XmlDocument, found: Iterable[Noted]) -> None:
    """Note what is wrong with a document; of each kind the first ones, with the number of all."""
    everything = list(found)
    counts = Counter(one.kind for one in everything)
    kept: list[DocumentFinding] = []
    taken: Counter[str] = Counter()
    kinds = {name: kind_named(name) for name in counts}
    for one in everything:
        taken[one.kind] += 1
        if taken[one.kind] <= MOST_OF_A_KIND:
            more = counts[one.kind] - MOST_OF_A_KIND if taken[one.kind] == MOST_OF_A_KIND else 0
            kept.append(_row(document, kinds[one.kind], one, 1 + max(more, 0)))
    DocumentFinding.objects.bulk_create(kept, batch_size=500)


def retire_awaiting(arrived: Sequence[tuple[str, str]]) -> list[int]:
    """Retire findings about records that have now come; the documents that were waiting for them."""
    waiting: set[int] = set()
    by_kind: dict[str, list[str]] = {}
    for kind, key in arrived:
        by_kind.setdefault(kind, []).append(key)
    for kind, keys in by_kind.items():
        for start in range(0, len(keys), 500):
            rows = DocumentFinding.objects.filter(
                active=True, awaits_kind=kind, awaits_key__in=keys[start : start + 500]
            )
            waiting |= set(rows.values_list("document_id", flat=True))
            rows.update(active=False, last_update=Now())
    return sorted(waiting)


def _row(document: XmlDocument, kind: FindingKind, one: Noted, count: int) -> DocumentFinding:
    return DocumentFinding(
        document=document, kind=kind, level=one.level, message=one.message[:_LONGEST], line=one.line, col=one.column,
        count=count, record_kind=one.record[0], record_key=one.record[1][:500], awaits_kind=one.awaits[0],
        awaits_key=one.awaits[1][:500],
    )  # fmt: skip

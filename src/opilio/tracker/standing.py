"""The one place that changes where something stands: `deliveries.states` decides, each change is written down.

A document tells its attempt, and a delivery mirrors its latest attempt. Callers are in a transaction.
"""

from dataclasses import dataclass
from datetime import datetime

from opilio.deliveries.states import Phase, Standing, Status, advanced, promoted
from opilio.tracker.models import Attempt, Delivery, StandingChange, XmlDocument

Row = Attempt | Delivery | XmlDocument
_NAMES: dict[type, str] = {Delivery: "delivery", Attempt: "attempt", XmlDocument: "document"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Telling:
    """Who says so, when and why."""

    at: datetime
    by: str
    why: str = ""


def of(row: Row) -> Standing:
    """Where a row stands."""
    return Standing(phase=Phase(row.phase_id), status=Status(row.status_id))


def document_told(document: XmlDocument, phase: Phase, status: Status, telling: Telling) -> None:
    """A document came somewhere; its attempt and its delivery follow."""
    if _moved(document, advanced(of(document), Standing(phase=phase, status=status)), telling):
        attempt = document.attempt
        found = [
            Standing(phase=Phase(phase), status=Status(status))
            for phase, status in attempt.documents.values_list("phase_id", "status_id")
        ]
        _attempt_is(attempt, promoted(of(attempt), found), telling)


def attempt_told(attempt: Attempt, phase: Phase, status: Status, telling: Telling) -> None:
    """An attempt came somewhere; its delivery follows."""
    _attempt_is(attempt, advanced(of(attempt), Standing(phase=phase, status=status)), telling)


def delivery_told(delivery: Delivery, phase: Phase, status: Status, telling: Telling) -> None:
    """A delivery came somewhere before there was an attempt."""
    _moved(delivery, advanced(of(delivery), Standing(phase=phase, status=status)), telling)


def judged_again(delivery: Delivery, phase: Phase, status: Status, telling: Telling) -> None:
    """A name is judged anew, because rules or centres changed: only a delivery without an attempt can go back."""
    if not Attempt.objects.filter(offering__delivery=delivery).exists():
        _moved(delivery, Standing(phase=phase, status=status), telling)


def mirrored(delivery: Delivery, telling: Telling) -> None:
    """A delivery stands where its latest attempt does."""
    latest = Attempt.objects.filter(offering__delivery=delivery).order_by("-id").first()
    if latest is not None:
        _moved(delivery, of(latest), telling)


def _attempt_is(attempt: Attempt, now: Standing, telling: Telling) -> None:
    if _moved(attempt, now, telling):
        mirrored(attempt.offering.delivery, telling)


def _moved(row: Row, now: Standing, telling: Telling) -> bool:
    before = of(row)
    fresh = not StandingChange.objects.filter(what=_NAMES[type(row)], row=row.pk).exists()
    if now == before and not fresh:
        return False
    row.phase_id, row.status_id = int(now.phase), int(now.status)
    columns = ["phase", "status", "last_update"]
    if isinstance(row, Delivery):
        row.why, columns = telling.why[:4_000], [*columns, "why"]
    row.save(update_fields=columns)
    StandingChange(
        delivery_id=_delivery_of(row), what=_NAMES[type(row)], row=row.pk,
        from_phase=None if fresh else int(before.phase), from_status=None if fresh else int(before.status),
        to_phase=int(now.phase), to_status=int(now.status), at=telling.at, by=telling.by[:150],
        why=telling.why[:4_000],
    ).save()  # fmt: skip
    return True


def _delivery_of(row: Row) -> int:
    match row:
        case Delivery():
            found = row.pk
        case Attempt():
            found = row.offering.delivery_id
        case XmlDocument():
            found = row.attempt.offering.delivery_id
    return int(found)

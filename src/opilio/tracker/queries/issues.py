"""What is wrong with the files of a centre, since a time: for partners and their programs."""

import heapq
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, Q

from opilio.people.actor import Actor
from opilio.tracker.models import Centre, DeliveryFinding, DocumentFinding, LoadedRecord
from opilio.tracker.queries.deliveries import centres

MOST = 1_000  # issues in one answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Issue:
    """Something that is, or was, wrong."""

    at: datetime  # when it was found, or retired
    id: str
    centre: str
    action: str
    delivery: str
    document: str
    line: int | None
    column: int | None
    kind: str
    level: str
    message: str
    count: int
    record_kind: str
    record_key: str
    active: bool  # False: it does not hold any more

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {**asdict(self), "at": self.at.isoformat()}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Wanted:
    """Which issues are asked for."""

    centres: Collection[int]
    since: datetime | None
    active: bool | None
    limit: int
    only: Collection[int] | None = None  # deliveries


def issues(
    actor: Actor, *, centre: str = "", since: datetime | None = None, active: bool | None = None, limit: int = MOST
) -> list[Issue]:
    """Oldest change first, from a time on; ask again from the last one's time for what follows."""
    seen = centres(actor)
    seen = seen.filter(short_name=centre) if centre else seen
    keys = sorted(seen.order_by().values_list("pk", flat=True))
    return _found(_Wanted(centres=keys, since=since, active=active, limit=limit))


def of_centre(
    centre: Centre, *, since: datetime | None = None, active: bool | None = True,
    only: Collection[int] | None = None,
) -> list[Issue]:  # fmt: skip
    """The issues of one centre, for its report."""
    return _found(_Wanted(centres=[centre.pk], since=since, active=active, limit=MOST, only=only))


def not_resubmitted(centre: Centre) -> list[Mapping[str, str]]:
    """Records that were refused and of which no version is loaded by now."""
    here = LoadedRecord.objects.filter(kind=OuterRef("record_kind"), key=OuterRef("record_key"), current=True)
    rows = DocumentFinding.objects.filter(
        active=True, document__attempt__offering__delivery__zip__centre=centre, level__in=("error", "fatal")
    ).exclude(record_key="")  # fmt: skip
    found = rows.annotate(here=Exists(here)).filter(here=False).values_list("record_kind", "record_key").distinct()
    return [{"kind": kind, "key": key} for kind, key in found.order_by("record_kind", "record_key")[:MOST]]


def _order(issue: Issue) -> tuple[datetime, str]:
    return issue.at, issue.id


def _found(wanted: _Wanted) -> list[Issue]:
    return list(islice(heapq.merge(_of_deliveries(wanted), _of_documents(wanted), key=_order), wanted.limit))


def _narrowed(rows: Any, wanted: _Wanted, deliveries: str) -> Any:
    rows = rows.filter(last_update__gte=wanted.since) if wanted.since is not None else rows
    rows = rows.filter(active=wanted.active) if wanted.active is not None else rows
    rows = rows.filter(**{f"{deliveries}__in": wanted.only}) if wanted.only is not None else rows
    return rows.order_by("last_update", "id")[: wanted.limit]


def _of_deliveries(wanted: _Wanted) -> Iterator[Issue]:
    rows = DeliveryFinding.objects.filter(
        Q(delivery__zip__centre_id__in=wanted.centres)
        | Q(delivery__zip__centre=None, delivery__offerings__source__centre_id__in=wanted.centres)
    ).distinct().select_related("kind", "delivery__zip__centre", "delivery__todo")  # fmt: skip
    for row in _narrowed(rows, wanted, "delivery_id"):
        yield _issue(
            row, row.delivery, id=f"delivery-{row.pk}", document="", line=None, column=None, level="fatal", count=1,
            record_kind="", record_key="",
        )  # fmt: skip


def _of_documents(wanted: _Wanted) -> Iterator[Issue]:
    rows = DocumentFinding.objects.filter(document__attempt__offering__delivery__zip__centre_id__in=wanted.centres)
    rows = rows.select_related(
        "kind", "document__attempt__offering__delivery__zip__centre", "document__attempt__offering__delivery__todo"
    )
    for row in _narrowed(rows, wanted, "document__attempt__offering__delivery_id"):
        yield _issue(
            row, row.document.attempt.offering.delivery, id=f"document-{row.pk}", document=row.document.fname,
            line=row.line, column=row.col, level=row.level, count=row.count, record_kind=row.record_kind,
            record_key=row.record_key.replace("\x1f", "/"),
        )  # fmt: skip


def _issue(row: Any, delivery: Any, **fields: Any) -> Issue:
    centre = delivery.zip.centre
    return Issue(
        at=row.last_update, centre=centre.short_name if centre else "", action=delivery.todo.short_name,
        delivery=delivery.zip.file_name, kind=row.kind.short_name, message=row.message, active=row.active, **fields,
    )  # fmt: skip

"""The story of one delivery: who offers it, each attempt, its documents, what was wrong, every change."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from django.db.models import Count, Q, QuerySet

from opilio.deliveries.excerpt import ShownLine, Spot, excerpts
from opilio.deliveries.profile import ArchiveLimits
from opilio.deliveries.pulling import Place
from opilio.deliveries.states import Phase, Status
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one
from opilio.tracker import again, profiles
from opilio.tracker.belonging import subject_of
from opilio.tracker.delivery_folder import delivery_files
from opilio.tracker.models import (
    Attempt,
    Delivery,
    DeliveryFinding,
    DocumentFinding,
    LoadedRecord,
    Offering,
    StandingChange,
    XmlDocument,
)
from opilio.tracker.queries.deliveries import deliveries

_log = logger(__name__)


def offerings(row: Delivery) -> QuerySet[Offering]:
    """The sources that have a delivery."""
    return row.offerings.select_related("source__centre", "source__protocol").order_by("-source__preference", "id")


def attempts(row: Delivery) -> QuerySet[Attempt]:
    """The attempts at a delivery, newest first."""
    found = Attempt.objects.filter(offering__delivery=row).annotate(document_count=Count("documents"))
    return found.select_related("offering__source__centre", "phase", "status").order_by("-id")


def documents(row: Delivery) -> QuerySet[XmlDocument]:
    """The documents of all attempts, newest attempt first, each with the number of its findings that count."""
    wrong = Count("findings", filter=Q(findings__active=True))
    found = XmlDocument.objects.filter(attempt__offering__delivery=row).annotate(wrong=wrong)
    return found.select_related("phase", "status", "centre").order_by("-attempt_id", "number")


def document(actor: Actor, delivery_id: int, document_id: int) -> XmlDocument:
    """One document of a delivery that the asker may see, or `NotFound`."""
    rows = XmlDocument.objects.filter(attempt__offering__delivery__in=deliveries(actor).filter(pk=delivery_id))
    rows = rows.select_related("phase", "status", "centre", "attempt__offering__delivery__zip__centre")
    return one(rows, "document", document_id)


def changes(row: Delivery) -> QuerySet[StandingChange]:
    """Every change of the delivery, its attempts and its documents, oldest first."""
    return row.changes.order_by("id")


def file_findings(row: Delivery) -> QuerySet[DeliveryFinding]:
    """What was wrong with the file itself, newest first; what counts now before the rest."""
    return row.findings.select_related("kind", "attempt").order_by("-active", "-id")


def document_findings(row: XmlDocument) -> QuerySet[DocumentFinding]:
    """What was found in a document, by its place."""
    return row.findings.select_related("kind").order_by("-active", "line", "col", "id")


def records(row: Delivery) -> QuerySet[LoadedRecord]:
    """The records that a delivery brought, in all their versions."""
    found = LoadedRecord.objects.filter(document__attempt__offering__delivery=row)
    return found.select_related("document").order_by("kind", "key", "-number", "id")


def records_of(row: Delivery) -> Mapping[str, tuple[int, int]]:
    """By kind: how many records a delivery brought, and how many of them are current."""
    counted = records(row).order_by().values("kind")
    found = counted.annotate(number=Count("pk"), now=Count("pk", filter=Q(current=True))).order_by("kind")
    return {one["kind"]: (one["number"], one["now"]) for one in found}


def may_manage(actor: Actor, row: Delivery) -> bool:
    """Whether the asker may decide about a delivery."""
    return actor.may(Privilege.MANAGE_DELIVERIES, subject_of(row))


def offers(row: Delivery) -> frozenset[str]:
    """What can be decided about a delivery where it stands, whoever asks."""
    over = row.status_id in (Status.FAILED, Status.CANCELLED)
    named = row.phase_id > Phase.NAME
    here = again.whole(row) is not None
    possible = {
        "retry": over and named,
        "revalidate": here and row.status_id != Status.CANCELLED,
        "requeue": named,
        "cancel": not over,
        "undo": records(row).filter(current=True).exists(),
        "hold": not row.held,
        "release": row.held,
    }
    return frozenset(name for name, holds in possible.items() if holds)


def file_of(row: XmlDocument) -> Path | None:
    """Where a document lies, brought here from another machine if need be; None when it was removed."""
    attempt, files = row.attempt, delivery_files(patience=0.0)
    if not attempt.folder:
        return None
    place = Place(folder=files.folder / attempt.folder)
    try:
        path = files.document(place, attempt.sha256, row.number, row.content_sha256, lambda: _limits(attempt))
    except OpilioError as error:
        _log.warning("document_not_here", document=row.pk, error=str(error))
        return None
    return path if path.is_file() else None


def _limits(attempt: Attempt) -> ArchiveLimits:
    return profiles.named(attempt.offering.delivery.profile).archive


def shown_lines(
    row: XmlDocument, spots: Sequence[Spot], *, around: int = 2
) -> Mapping[Spot, Sequence[ShownLine]] | None:
    """The lines of a document around some places; None when the document is not here any more."""
    path = file_of(row)
    if path is None:
        return None
    try:
        return excerpts(path, spots, around=around)
    except FileNotFoundError:  # removed since it was looked up
        return None

"""Deliveries, centres, sources and sessions that the asker may see."""

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from opilio.deliveries.states import Phase, Status
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.visible import one
from opilio.tracker.models import Attempt, Centre, Delivery, DeliverySession, DocumentFinding, Source, XmlDocument

READERS = frozenset({
    Privilege.VIEW_DELIVERIES, Privilege.MANAGE_DELIVERIES, Privilege.MANAGE_SOURCES, Privilege.RUN_SESSION,
})  # fmt: skip
STILL = timedelta(days=1)  # what has not moved for so long is told


def agencies(actor: Actor) -> frozenset[int] | None:
    """The agencies whose deliveries the actor may see; None means all."""
    held = [grant for grant in actor.grants if grant.privilege in READERS]
    if actor.is_system or any(grant.scope == Scope.ALL for grant in held):
        return None
    return frozenset(grant.agency for grant in held)


def centres(actor: Actor) -> QuerySet[Centre]:
    """Centres with the time of their last delivery and how many sources they have."""
    came = Attempt.objects.filter(offering__delivery__zip__centre=OuterRef("pk")).order_by()
    has = Source.objects.filter(centre=OuterRef("pk")).order_by()
    rows: QuerySet[Centre] = (
        Centre.objects.select_related("agency")
        .annotate(
            last=Subquery(came.values("offering__delivery__zip__centre").annotate(last=Max("received")).values("last")),
            source_count=Coalesce(
                Subquery(has.values("centre").annotate(number=Count("pk")).values("number")), Value(0)
            ),
        )
        .order_by("short_name", "id")
    )
    reached = agencies(actor)
    return rows if reached is None else rows.filter(agency_id__in=sorted(reached))


def centre(actor: Actor, identifier: int) -> Centre:
    """One centre, or `NotFound`."""
    return one(centres(actor), "centre", identifier)


def sources(actor: Actor) -> QuerySet[Source]:
    """Sources of centres."""
    rows: QuerySet[Source] = Source.objects.select_related("centre", "protocol", "state", "centre__agency")
    reached = agencies(actor)
    return rows if reached is None else rows.filter(centre__agency_id__in=sorted(reached))


def source(actor: Actor, identifier: int) -> Source:
    """One source, or `NotFound`."""
    return one(sources(actor), "source", identifier)


def deliveries(actor: Actor) -> QuerySet[Delivery]:
    """Deliveries, newest first; those of no known centre are seen by whoever sees everything."""
    rows = Delivery.objects.select_related("zip__centre", "todo", "phase", "status").order_by("-id")
    reached = agencies(actor)
    return rows if reached is None else rows.filter(zip__centre__agency_id__in=sorted(reached))


def with_kind(rows: QuerySet[Delivery], kind: str) -> QuerySet[Delivery]:
    """Of some deliveries, those in which there is a document of a kind."""
    found = XmlDocument.objects.filter(attempt__offering__delivery=OuterRef("pk"), kind=kind)
    return rows.filter(Exists(found))


def delivery(actor: Actor, identifier: int) -> Delivery:
    """One delivery, or `NotFound`."""
    return one(deliveries(actor), "delivery", identifier)


def attempts(row: Delivery) -> QuerySet[Attempt]:
    """The attempts at a delivery, newest first."""
    found = Attempt.objects.filter(offering__delivery=row)
    return found.select_related("offering__source__centre", "phase", "status").order_by("-id")


def documents(row: Attempt) -> QuerySet[XmlDocument]:
    """The documents of an attempt."""
    return row.documents.select_related("phase", "status").order_by("number")


def problems(row: Delivery) -> QuerySet[DocumentFinding]:
    """What is wrong with the documents of a delivery, now."""
    found = DocumentFinding.objects.filter(document__attempt__offering__delivery=row, active=True)
    return found.select_related("kind", "document").order_by("id")


def matrix(actor: Actor) -> Mapping[tuple[str, Phase, Status], int]:
    """How many deliveries stand where, by the code of their centre; empty where nobody knows it."""
    rows = deliveries(actor).order_by().values_list("zip__centre__short_name", "phase_id", "status_id")
    counted = rows.annotate(number=Count("pk"))
    return {(centre or "", Phase(phase), Status(status)): number for centre, phase, status, number in counted}


def stuck(actor: Actor) -> QuerySet[Delivery]:
    """Deliveries that wait for somebody: what failed, and what has not moved for a day before it was through."""
    since = actor.clock.now() - STILL
    still = Q(status_id__in=(Status.PENDING, Status.RUNNING)) | Q(status_id=Status.DONE, phase_id__lt=Phase.INTEGRITY)
    return deliveries(actor).filter(Q(status_id=Status.FAILED) | (still & Q(last_update__lt=since)))


def sessions() -> QuerySet[DeliverySession]:
    """Sessions, newest first."""
    return DeliverySession.objects.order_by("-id")

"""Sessions and their tasks. They visit all centres, so whoever sees one centre only does not see them."""

from django.db.models import QuerySet

from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one
from opilio.tracker.models import Attempt, DeliverySession, SessionTask
from opilio.tracker.queries.deliveries import agencies


def may_see(actor: Actor) -> bool:
    """Whether the asker sees sessions: those who see all centres, and those who start sessions."""
    return agencies(actor) is None or actor.holds(Privilege.RUN_SESSION)


def may_run(actor: Actor) -> bool:
    """Whether the asker may start one."""
    return actor.holds(Privilege.RUN_SESSION)


def sessions(actor: Actor) -> QuerySet[DeliverySession]:
    """Sessions, newest first."""
    rows = DeliverySession.objects.order_by("-id")
    return rows if may_see(actor) else rows.none()


def session(actor: Actor, identifier: int) -> DeliverySession:
    """One session, or `NotFound`."""
    return one(sessions(actor), "delivery session", identifier)


def tasks(row: DeliverySession) -> QuerySet[SessionTask]:
    """What it did, in its order."""
    return row.tasks.select_related("phase").order_by("id")


def attempts(row: DeliverySession) -> QuerySet[Attempt]:
    """The attempts that it made, in their order."""
    found = Attempt.objects.filter(session=row.pk)
    return found.select_related(
        "offering__delivery__zip__centre", "offering__delivery__todo", "offering__source__centre", "phase", "status"
    ).order_by("id")

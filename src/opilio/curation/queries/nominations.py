"""Nominations that the asker may see, and invitations to verify a target."""

from datetime import datetime

from django.db.models import QuerySet

from opilio.curation import verifying
from opilio.curation.models import Invitation, Nomination, Purpose, Target
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.queries.visible import one


def nominations(actor: Actor) -> QuerySet[Nomination]:
    """Nominations for the agencies in which the asker works."""
    rows: QuerySet[Nomination] = Nomination.objects.select_related("agency", "target", "updated_by")
    return seen(rows, actor)


def nomination(actor: Actor, identifier: int) -> Nomination:
    """One nomination, or `NotFound`."""
    return one(nominations(actor), "nomination", identifier)


def verifications(row: Target) -> QuerySet[Invitation]:
    """Who was asked to verify a target, and what they answered, newest first."""
    return Invitation.objects.filter(target=row, purpose=Purpose.VERIFY).select_related("made_by")


def asked_by(token: str, now: datetime) -> Target | None:
    """The target that an unused invitation is about; open to whoever holds the token."""
    found = verifying.opened(token, now)
    return found.target if found is not None else None

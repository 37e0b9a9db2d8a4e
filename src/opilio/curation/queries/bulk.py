"""Bulk work of the asker, with what became of its rows."""

from django.db.models import QuerySet

from opilio.curation.models import BulkItem, BulkRun, BulkState, Outcome
from opilio.people.actor import Actor
from opilio.people.queries.visible import one

__all__ = ["BulkState", "Outcome", "items", "run", "runs"]


def runs(actor: Actor) -> QuerySet[BulkRun]:
    """What the asker prepared, newest first; the system's own for the system."""
    rows = BulkRun.objects.select_related("user")
    return rows.filter(user=None) if actor.user is None else rows.filter(user_id=actor.user)


def run(actor: Actor, identifier: int) -> BulkRun:
    """One piece of bulk work, or `NotFound`."""
    return one(runs(actor), "bulk work", identifier)


def items(actor: Actor, identifier: int, *outcomes: str) -> QuerySet[BulkItem]:
    """Its rows in their order, those with some outcomes only if they are named."""
    rows = BulkItem.objects.filter(run=run(actor, identifier)).order_by("position", "id")
    return rows.filter(outcome__in=outcomes) if outcomes else rows

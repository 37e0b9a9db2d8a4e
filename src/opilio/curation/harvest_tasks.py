"""The tasks about harvests; that which asks people to decide about a held one goes when somebody did."""

from collections.abc import Sequence

from opilio.people.intray import Resource, close_tasks, close_tasks_about

HELD_TASK = "harvest-held"
REVIEW_TASK = "endorse-harvest"


def decided(harvest_id: int) -> None:
    """Somebody launched, moved or deleted the harvest: nobody need be asked any more."""
    close_tasks(kind=HELD_TASK, resource=Resource(kind="harvest", id=harvest_id))


def removed(harvest_ids: Sequence[int]) -> None:
    """Harvests that were planned are gone: nobody need decide about them."""
    close_tasks_about(kind=HELD_TASK, resource="harvest", ids=harvest_ids)

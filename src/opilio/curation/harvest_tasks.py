"""The task that asks people to decide about a held harvest; it goes when somebody did."""

from opilio.people.intray import Resource, close_tasks

HELD_TASK = "harvest-held"


def decided(harvest_id: int) -> None:
    """Somebody launched, moved or deleted the harvest: nobody need be asked any more."""
    close_tasks(kind=HELD_TASK, resource=Resource(kind="harvest", id=harvest_id))

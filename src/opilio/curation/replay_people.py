"""Who looks at a result in replay, and whether they still may."""

from opilio.curation import replay_doors
from opilio.curation.queries import results
from opilio.people.actor import Actor, Via, system
from opilio.people.errors import NotFound
from opilio.people.queries.account import actor_for


def actor_named(person: str) -> Actor | None:
    """Who a token or session speaks of; None when that user may not sign in any more."""
    if person == replay_doors.OPERATOR:
        return system(name="replay")
    short = person.isascii() and person.isdigit() and len(person) < 19
    return actor_for(int(person), via=Via.PAGE) if short else None


def admits(result_id: int, person: str) -> bool:
    """Whether somebody who was let in to a result may still see it."""
    actor = actor_named(person)
    if actor is None:
        return False
    try:
        results.result(actor, result_id)
    except NotFound:
        return False
    return True

"""Ends groups whose last day is over: they become inactive, and what was planned for them is removed."""

from collections.abc import Callable
from datetime import timedelta

from opilio.curation import grouping
from opilio.curation.kinds import GROUP
from opilio.curation.models import Group, State
from opilio.people.acting import Act, action
from opilio.people.actor import Actor

_FURTHEST_EAST = timedelta(hours=14)  # where a day begins first, and so ends first


@action("group.expire", "End a group whose last day is over; the system does it.")
def expire_group(act: Act, /, *, group_id: int) -> State:
    """The status is computed anew, and so is that of all groups above it."""
    act.require_that(act.actor.is_system, "end groups", "Set the last day of the group instead.")
    group: Group = act.fetch(GROUP, group_id)
    return grouping.recompute(act, group)


def expire_due(actor: Actor, should_stop: Callable[[], bool] = lambda: False) -> int:
    """End all groups whose last day is over, each in a transaction of its own; how many ended."""
    today = (actor.clock.now() + _FURTHEST_EAST).date()
    due = Group.objects.filter(end_date__lt=today).exclude(state=State.GROUP_INACTIVE).order_by("end_date", "id")
    ended = 0
    for group_id in list(due.values_list("id", flat=True)):
        if should_stop():
            break
        ended += expire_group(actor, group_id=group_id) == State.GROUP_INACTIVE
    return ended

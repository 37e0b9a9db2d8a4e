"""Remove the files of deliveries whose time is over; agents do, and operators."""

from collections.abc import Sequence
from datetime import timedelta

from opilio.jobs import leases
from opilio.people.acting import Act, action
from opilio.tracker import retention
from opilio.tracker.clerk import LEASE, SessionRuns
from opilio.tracker.models import Attempt, Delivery
from opilio.tracker.retention import Due
from opilio.works.sharing.delivery_files import DeliveryFiles

_LEASE = timedelta(minutes=10)
_AT_ONCE = 500


@action("delivery.expire", "Remove the files of deliveries whose time is over; agents do.")
def expire(act: Act, /, *, files: DeliveryFiles, most: int = _AT_ONCE) -> Sequence[Due]:
    """What went. No session runs meanwhile; files go before that is written down, so that none is forgotten."""
    act.require_that(act.actor.user is None, "remove the files of deliveries", "Agents and operators do that.")
    now = act.clock.now()
    held = leases.acquire(LEASE, owner=f"retention {act.name}", now=now, lease=_LEASE)
    if held is None:
        raise SessionRuns("A delivery session is under way", where="deliveries", remedy="Files are removed after it.")
    gone: list[Due] = []
    for one in retention.due(retention.in_force(), now):
        if len(gone) == most:
            break
        size = retention.remove(files, one)
        Attempt.objects.filter(pk__in=one.attempts).update(folder="")
        row = Delivery.objects.select_related("zip", "todo").get(pk=one.delivery)
        act.record(row, message=f"{size:,} bytes were removed from {one.folder}: {one.why}")
        gone.append(one)
    leases.release(held, now=now)
    return gone

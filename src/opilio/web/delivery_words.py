"""How deliveries are told on pages: names of phases and statuses, their colours and marks, ages."""

import datetime
from typing import TYPE_CHECKING

from opilio.deliveries.states import Phase, Status
from opilio.web.lists.cells import Badge

if TYPE_CHECKING:
    from opilio.tracker.models import Attempt, Delivery, XmlDocument

PATH = "/deliveries"
TONES = {
    Status.PENDING: "quiet", Status.RUNNING: "info", Status.DONE: "good", Status.CANCELLED: "warn",
    Status.FAILED: "bad",
}  # fmt: skip
ICONS = {
    Status.PENDING: "circle-dashed", Status.RUNNING: "loader", Status.DONE: "circle-check",
    Status.CANCELLED: "ban", Status.FAILED: "circle-x",
}  # fmt: skip
_DAY = 86_400  # seconds
LATE_DAYS = 30  # without a delivery, after which a centre is marked


def status_word(status: Status) -> str:
    """The name of a status, as people read it."""
    return status.name.lower()


def standing(row: "Delivery | Attempt | XmlDocument") -> str:
    """Phase and status in words."""
    return f"{Phase(row.phase_id).title}: {status_word(Status(row.status_id))}"


def tone(row: "Delivery | Attempt | XmlDocument") -> str:
    """The colour of where something stands."""
    return TONES[Status(row.status_id)]


def badge(row: "Delivery | Attempt | XmlDocument") -> Badge:
    """Where something stands."""
    return Badge(text=status_word(Status(row.status_id)), tone=tone(row))


def age(then: datetime.datetime | None, now: datetime.datetime) -> str:
    """How long ago, roughly: 5 h, 12 days."""
    if then is None:
        return "never"
    seconds = max(0.0, (now - then).total_seconds())
    if seconds < 2 * 3_600:
        return f"{int(seconds // 60)} min ago"
    if seconds < 2 * _DAY:
        return f"{int(seconds // 3_600)} h ago"
    return f"{int(seconds // _DAY):,} days ago"


def late(then: datetime.datetime | None, now: datetime.datetime) -> bool:
    """Whether the last delivery is too long ago."""
    return then is None or now - then > datetime.timedelta(days=LATE_DAYS)

"""What the calendar does to permissions, every so often: reminders, word of silence, word of expiry.

`due` says what is to be done; `turn` does it by the same actions that people use, each in its own transaction.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Q

from opilio.curation.actions.permission_requests import announce_permission, remind_permission
from opilio.curation.days import day_in
from opilio.curation.models import Permission, PermissionStatus
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor
from opilio.people.parameters import value

_log = logger(__name__)


class Step(StrEnum):
    """What is due for a permission."""

    REMIND = "remind"
    ANNOUNCE = "announce"


@dataclass(frozen=True, kw_only=True)
class Due:
    """One thing to be done now."""

    step: Step
    permission: int


def due(now: datetime) -> Iterator[Due]:
    """Everything that is due; each permission at most once."""
    yield from _unanswered(now)
    yield from _expiring(now)


def turn(actor: Actor, *, base_url: str, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Do what is due. How much was done; what cannot be done is logged and tried at the next turn."""
    done = 0
    for one in list(due(actor.clock.now())):
        if should_stop():
            break
        try:
            if one.step is Step.REMIND:
                remind_permission(actor, permission_id=one.permission, base_url=base_url)
            else:
                announce_permission(actor, permission_id=one.permission)
            done += 1
        except OpilioError as error:
            _log.warning("permission_clock_stuck", permission=one.permission, step=one.step.value, error=str(error))
    return done


def _unanswered(now: datetime) -> Iterator[Due]:
    """Asked, and silence since the request, the last reminder or the last word about it."""
    since, most = now - timedelta(days=int(value("reminder_days"))), int(value("most_reminders"))
    waiting = Permission.objects.filter(status=PermissionStatus.REQUESTED, requested_at__lte=since).filter(
        Q(reminded_at=None) | Q(reminded_at__lte=since)
    )
    for row in waiting.select_related("agent").order_by("id").iterator():
        if row.reminders < most and row.agent.email:
            yield Due(step=Step.REMIND, permission=row.id)
        elif row.expiry_told_at is None or row.expiry_told_at <= since:
            yield Due(step=Step.ANNOUNCE, permission=row.id)


def _expiring(now: datetime) -> Iterator[Due]:
    """Granted, the last day near or just gone, and not announced since it came near."""
    days = timedelta(days=int(value("expiry_warning_days")))
    rows = Permission.objects.filter(
        status=PermissionStatus.APPROVED, end_date__lte=(now + days + timedelta(days=1)).date(),
        end_date__gte=(now - timedelta(days=1)).date(),
    )  # fmt: skip
    for row in rows.select_related("agency").order_by("id").iterator():
        today = day_in(now, row.agency.time_zone)
        told = row.expiry_told_at is not None and row.expiry_told_at >= now - days
        if not told and today <= row.end_date <= today + days:
            yield Due(step=Step.ANNOUNCE, permission=row.id)

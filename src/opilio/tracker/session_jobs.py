"""The job that runs a delivery session, and when the next one is due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.people.parameters import value
from opilio.tracker.models import Centre, DeliverySession

DEDUP = "session"  # one job at a time, whatever its profile


@job(kind="tracker.run_delivery_session", max_attempts=3)
@dataclass(frozen=True, kw_only=True)
class RunDeliverySession:
    """Visit the sources of all centres that deliver by a profile."""

    profile: str
    by: str
    downloaders: int = 2
    validators: int = 1
    dry_run: bool = False


def run_soon(wanted: RunDeliverySession, now: datetime) -> queue.Enqueued:
    """Have a session run by an agent; the job that waits already, if there is one."""
    return queue.enqueue(wanted, now=now, dedup_key=DEDUP)


def ordered(profile: str, by: str, *, dry_run: bool = False) -> RunDeliverySession:
    """A session as the parameters of the installation have it."""
    return RunDeliverySession(
        profile=profile, by=by, downloaders=int(value("delivery_downloaders")),
        validators=int(value("delivery_validators")), dry_run=dry_run,
    )  # fmt: skip


def due(now: datetime) -> Sequence[str]:
    """Profiles of active centres whose last session began long enough ago, the one that waits longest first."""
    hours = int(value("delivery_hours"))
    if not hours:
        return ()
    begun = {profile: _last(profile) for profile in profiles_in_use()}
    late = [name for name, at in begun.items() if at is None or now - at >= timedelta(hours=hours)]
    return sorted(late, key=lambda name: (begun[name] is not None, begun[name] or now, name))


def profiles_in_use() -> list[str]:
    """Profiles by which active centres deliver."""
    rows = Centre.objects.filter(active=True, deleted=False)
    return sorted(rows.values_list("profile", flat=True).distinct())


def _last(profile: str) -> datetime | None:
    rows = DeliverySession.objects.filter(profile=profile, dry_run=False)
    found: datetime | None = rows.order_by("-id").values_list("start_time", flat=True).first()
    return found

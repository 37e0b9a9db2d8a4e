"""What a centre is told: where its deliveries stand, and what is wrong with them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from opilio.tracker.models import Centre, Delivery
from opilio.tracker.queries.issues import Issue, not_resubmitted, of_centre

_MOST_SHOWN = 1_000  # deliveries


@dataclass(frozen=True, kw_only=True)
class CentreReport:
    """A report as it was made."""

    centre: str
    name: str
    at: datetime
    since: datetime | None
    deliveries: Sequence[Mapping[str, str]]  # those that changed since, newest first
    issues: Sequence[Issue]
    missing: Sequence[Mapping[str, str]]  # records that failed and were not delivered again

    @property
    def counts(self) -> Mapping[str, int]:
        """How many deliveries stand where."""
        return Counter(f"{one['phase']} {one['status']}" for one in self.deliveries)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not self.deliveries and not self.issues


def made(
    centre: Centre, now: datetime, *, since: datetime | None = None, only: Collection[int] | None = None
) -> CentreReport:
    """The report of a centre: all that is so now, or what changed since a time, or about some deliveries only."""
    rows = Delivery.objects.filter(zip__centre=centre).select_related("zip", "todo", "phase", "status")
    if since is not None:
        rows = rows.filter(last_update__gte=since)
    if only is not None:
        rows = rows.filter(pk__in=only)
    return CentreReport(
        centre=centre.short_name, name=centre.full_name, at=now, since=since,
        deliveries=[_delivery(row) for row in rows.order_by("-id")[:_MOST_SHOWN]],
        issues=of_centre(centre, since=since, only=only), missing=not_resubmitted(centre),
    )  # fmt: skip


def _delivery(row: Delivery) -> dict[str, str]:
    return {
        "id": str(row.pk), "file": row.zip.file_name, "action": row.todo.short_name, "phase": row.phase.short_name,
        "status": row.status.short_name, "why": row.why, "changed": row.last_update.isoformat(),
    }  # fmt: skip

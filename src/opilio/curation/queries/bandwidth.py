"""What the line may carry, for whoever manages agents."""

from dataclasses import dataclass

from django.db.models import QuerySet

from opilio.curation import line
from opilio.curation.models import BandwidthRestriction
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one


@dataclass(frozen=True, kw_only=True)
class LineNow:
    """The line at this moment."""

    limit: int | None  # kB/s; None: without limit
    sharing: int  # harvests

    @property
    def sentence(self) -> str:
        """For people."""
        if self.limit is None:
            return f"There is no limit: no row says one. {self.sharing} harvests share the line."
        if self.limit == 0:
            return f"Nothing is harvested now: no row covers this time. {self.sharing} harvests wait for the next one."
        return f"{self.limit:,} kB/s now, shared by {self.sharing} harvests."


def restrictions(actor: Actor) -> QuerySet[BandwidthRestriction]:
    """All rows, by day and time."""
    rows: QuerySet[BandwidthRestriction] = BandwidthRestriction.objects.all()
    return rows if actor.holds(Privilege.MANAGE_WEB_HARVESTER) else rows.none()


def restriction(actor: Actor, identifier: int) -> BandwidthRestriction:
    """One row, or `NotFound`."""
    return one(restrictions(actor), "bandwidth restriction", identifier)


def line_now(actor: Actor) -> LineNow:
    """What is in force."""
    return LineNow(limit=line.limit_now(actor.clock.now()), sharing=len(line.sharing()))

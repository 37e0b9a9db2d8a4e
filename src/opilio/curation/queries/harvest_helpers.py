"""What agents that help with a harvest must know of it."""

from dataclasses import dataclass

from opilio.curation.models import Harvest, HarvestState

_AT_WORK = (HarvestState.QUEUED, HarvestState.RUNNING, HarvestState.PAUSED)


@dataclass(frozen=True, kw_only=True)
class Led:
    """A harvest at which agents work."""

    agent: str  # that leads it; empty before one does
    since: int | None  # the earlier harvest that it goes by


def led(harvest: int) -> Led | None:
    """A harvest; None when nothing is fetched for it any more."""
    row = Harvest.objects.filter(pk=harvest, state__in=_AT_WORK).first()
    return Led(agent=row.agent_name, since=row.since_id) if row is not None else None

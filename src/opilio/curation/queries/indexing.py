"""Whose pages reviewers find in the working index; for agents, which see everything."""

from collections.abc import Iterable
from dataclasses import dataclass

from opilio.curation.models import Harvest, HarvestState

#: In these states a harvest has pages, and may get more.
_RUNNING = (HarvestState.RUNNING, HarvestState.PAUSED, HarvestState.STOPPING)
#: In these states what a harvest collected is not looked at any more: it is published, or thrown away.
_OVER = (HarvestState.ARCHIVED, HarvestState.REJECTED, HarvestState.ABORTED)


@dataclass(frozen=True, kw_only=True)
class Indexed:
    """What the working index says about the pages of a harvest."""

    harvest: int
    target: int
    agency: int
    since: int | None


def to_index(harvest_id: int) -> Indexed | None:
    """A harvest whose pages reviewers want to find; None when they do not, or it is gone."""
    row = Harvest.objects.filter(pk=harvest_id, purged=False).exclude(state__in=_OVER).first()
    return _indexed(row) if row is not None else None


def running() -> list[Indexed]:
    """The harvests that run now, the oldest first."""
    return list(map(_indexed, Harvest.objects.filter(state__in=_RUNNING, purged=False).order_by("pk")))


def over(harvests: Iterable[int]) -> set[int]:
    """Those of some harvests whose pages nobody reviews any more."""
    wanted = set(harvests)
    kept = Harvest.objects.filter(pk__in=wanted, purged=False).exclude(state__in=_OVER)
    return wanted - set(kept.values_list("pk", flat=True))


def _indexed(row: Harvest) -> Indexed:
    return Indexed(harvest=row.pk, target=row.abstract_target_id, agency=row.agency_id, since=row.since_id)

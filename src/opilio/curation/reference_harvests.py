"""The harvest that another is compared with: the one denoted, else the last archived or endorsed, else a good one."""

from dataclasses import dataclass

from opilio.curation.last_good import last_good
from opilio.curation.models import Harvest, HarvestState, Result, ResultState

_KEPT = (HarvestState.ENDORSED, HarvestState.ARCHIVING, HarvestState.ARCHIVED)


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A harvest, and which of its results stands for it."""

    harvest: int
    result: int  # number
    words: str  # for people


def reference_of(harvest: Harvest) -> Reference | None:
    """None where the harvest is the first."""
    found = _denoted(harvest) or _kept(harvest) or last_good(harvest)
    if found is None:
        return None
    endorsed = Result.objects.filter(harvest=found, state=ResultState.ENDORSED)
    number = endorsed.order_by("number").values_list("number", flat=True).first()
    when = found.started_at or found.scheduled_at
    return Reference(harvest=found.pk, result=number or 1, words=f"the harvest of {when:%Y-%m-%d} ({found.pk})")


def _denoted(harvest: Harvest) -> Harvest | None:
    found: Harvest | None = harvest.abstract_target.reference_harvest
    return found if found is not None and found.pk != harvest.pk and not found.purged else None


def _kept(harvest: Harvest) -> Harvest | None:
    rows = Harvest.objects.filter(abstract_target_id=harvest.abstract_target_id, state__in=_KEPT, purged=False)
    found: Harvest | None = rows.exclude(pk=harvest.pk).order_by("-started_at", "-id").first()
    return found

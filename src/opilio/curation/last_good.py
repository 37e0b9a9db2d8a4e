"""The earlier harvest that a new one goes by: the last of the same target or group whose result is good."""

from opilio.curation.models import Harvest, HarvestState

#: The states in which what a harvest collected is kept and was not found wanting.
GOOD = (HarvestState.HARVESTED, HarvestState.ENDORSED, HarvestState.ARCHIVING, HarvestState.ARCHIVED)


def last_good(harvest: Harvest) -> Harvest | None:
    """The last good harvest of the same target or group that began before this one does."""
    rows = Harvest.objects.filter(abstract_target_id=harvest.abstract_target_id, state__in=GOOD, purged=False)
    found: Harvest | None = rows.exclude(pk=harvest.pk).order_by("-started_at", "-id").first()
    return found

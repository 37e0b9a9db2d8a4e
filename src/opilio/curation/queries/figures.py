"""Numbers of the whole installation for those who look after it, whoever may see the rows."""

from collections.abc import Mapping

from django.db.models import Count

from opilio.curation.models import Harvest


def harvests_by_state() -> Mapping[str, int]:
    """How many harvests are in each state."""
    return dict(Harvest.objects.order_by().values_list("state").annotate(count=Count("id")))

"""Numbers of the whole installation for those who look after it, whoever may see the rows."""

from collections.abc import Mapping

from django.db.models import Count

from opilio.tracker.models import Delivery


def deliveries_by_standing() -> Mapping[tuple[str, str], int]:
    """How many deliveries stand where, by phase and status."""
    rows = Delivery.objects.order_by().values_list("phase__short_name", "status__short_name")
    return {(phase, status): count for phase, status, count in rows.annotate(count=Count("id"))}

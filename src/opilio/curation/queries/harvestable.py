"""Finds what somebody wants to harvest by the name or number that they typed."""

from django.db.models import QuerySet

from opilio.curation.models import AbstractTarget
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields


def found_by_name(actor: Actor, text: str) -> int:
    """The identifier of the one target or group, among those that the asker may see, or `InvalidFields`."""
    rows: QuerySet[AbstractTarget] = seen(AbstractTarget.objects.filter(deleted=False), actor)
    wanted = text.strip()
    numbers = list(rows.filter(name__iexact=wanted).values_list("pk", flat=True)[:3])
    if not numbers and wanted.isascii() and wanted.isdecimal() and len(wanted) < 19:
        numbers = list(rows.filter(pk=int(wanted)).values_list("pk", flat=True))
    if len(numbers) != 1:
        raise InvalidFields({"holder": [_told(wanted, len(numbers))]}, where="harvest.now")
    return int(numbers[0])


def _told(wanted: str, count: int) -> str:
    if count:
        return f"Several are called {wanted[:100]!r}; give its number."
    return f"There is no target or group {wanted[:100]!r} that you may see."

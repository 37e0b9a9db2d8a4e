"""Holds fields to their constrained lists: one value of the list, or none."""

from opilio.people.errors import InvalidFields
from opilio.people.models import ListEntry


def check(list_name: str, field: str, value: str, *, kept: str = "") -> None:
    """Refuse a value that the list does not offer; a row may keep a retired value that it has already."""
    if value in ("", kept):
        return
    offered = list(ListEntry.objects.filter(list_name=list_name, active=True).values_list("value", flat=True))
    if value not in offered:
        choice = ", ".join(offered[:20]) or "nothing yet; an administrator fills the list"
        raise InvalidFields({field: [f"{value[:64]!r} is not in the list; it offers {choice}."]})

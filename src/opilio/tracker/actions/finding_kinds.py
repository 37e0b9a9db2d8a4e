"""Describe kinds of finding, and delete those that nothing is of any more. Kinds are made when they are first met."""

from django.db.models import ProtectedError

from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.privileges import SYSTEM_WIDE, Privilege
from opilio.tracker.errors import KindInUse
from opilio.tracker.models import FindingKind

_LONGEST = 4_000


@action("finding_kind.describe", "Say what a kind of finding means.", privilege=Privilege.MANAGE_SOURCES)
def describe_kind(act: Act, /, *, kind_id: int, description: str) -> FindingKind:
    """What all findings of the kind share, so that their messages need not say it."""
    row = _fetched(act, kind_id, "describe")
    text = description.strip()
    if len(text) > _LONGEST:
        raise InvalidFields({"description": [f"Write at most {_LONGEST:,} characters."]}, where=act.name)
    before, row.description = row.description, text
    row.save(update_fields=["description", "last_update"])
    act.record(row, before={"description": before}, after={"description": text})
    return row


@action("finding_kind.delete", "Delete a kind of finding that is not used.", privilege=Privilege.MANAGE_SOURCES)
def delete_kind(act: Act, /, *, kind_id: int) -> str:
    """Its name; refused while a finding is of it, be it one that does not count any more."""
    row = _fetched(act, kind_id, "delete")
    name = row.short_name
    act.record(row, before={"short_name": name, "description": row.description})
    try:
        row.delete()
    except ProtectedError as error:
        raise KindInUse(
            f"The kind of finding {name!r} is in use", where=act.name,
            remedy="It can go when no finding is of it: findings go with their deliveries.",
        ) from error  # fmt: skip
    return name


def _fetched(act: Act, kind_id: int, verb: str) -> FindingKind:
    act.require(Privilege.MANAGE_SOURCES, SYSTEM_WIDE, f"{verb} kinds of finding, which all centres share")
    row = FindingKind.objects.select_for_update().filter(pk=kind_id).first()
    if row is None:
        raise NotFound(f"There is no kind of finding {kind_id}", where=act.name, remedy="The list of kinds has all.")
    return row

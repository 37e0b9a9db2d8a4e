"""Writes audit entries, and says what of a row goes into them."""

import datetime
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models

from opilio.catalogue.curated import METACOLUMNS
from opilio.people import gathering, overhearing
from opilio.people.actor import Actor
from opilio.people.models import Agency, AuditEntry
from opilio.people.remembering import keep

#: Columns that no entry repeats: secrets, what is derived, and what the entry itself tells.
HIDDEN = frozenset({"id", "password", "secret", "digest", "grants", "last_login", *METACOLUMNS})
_LONGEST_VALUE = 4_000  # characters


def values(row: models.Model) -> dict[str, Any]:
    """The columns of a row as an entry tells them."""
    return {
        field.attname: told(getattr(row, field.attname))
        for field in row._meta.concrete_fields
        if field.name not in HIDDEN
    }


def told(value: Any) -> Any:
    """A value as JSON can hold it; long texts are cut."""
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return value[:_LONGEST_VALUE] + "…"
    return value


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of two states of a row, the columns that differ, as they were and as they became."""
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return ({n: before[n] for n in changed if n in before}, {n: after[n] for n in changed if n in after})


def write(
    actor: Actor,
    *,
    action: str,
    subject_type: str = "",
    subject_id: int | None = None,
    subject_name: str = "",
    agency_id: int | None = None,
    agency_name: str = "",
    message: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Append an entry in the caller's transaction: what is rolled back was not done and is not told."""
    entry = AuditEntry(
        at=actor.clock.now(),
        action=action,
        subject_type=subject_type,
        subject_id=subject_id,
        subject_name=subject_name[:255],
        message=message,
        user_id=actor.user,
        username=actor.username[:150],
        first_name=actor.first_name,
        last_name=actor.last_name,
        agency_id=agency_id if agency_id is not None else actor.agency,
        agency_name=agency_name or _name(actor, agency_id),
        before=dict(before or {}),
        after=dict(after or {}),
        correlation=actor.correlation[:64],
        via=actor.via,
        address=actor.address[:64],
    )
    gathering.add(entry)
    overhearing.heard(entry)
    return entry


def _name(actor: Actor, agency_id: int | None) -> str:
    return actor.agency_name if agency_id in (None, actor.agency) else name_of_agency(agency_id)


def keep_names_of_agencies(agency_ids: Iterable[int]) -> None:
    """Ask for the names of agencies together that entries will ask for one by one."""
    found = Agency.everything.filter(id__in=set(agency_ids)).order_by().values_list("id", "name")
    keep({("agency name", number): name for number, name in found})


def name_of_agency(agency_id: int | None) -> str:
    """The agency's name, copied, so that it outlives the agency."""
    return Agency.everything.filter(id=agency_id or 0).order_by().values_list("name", flat=True).first() or ""

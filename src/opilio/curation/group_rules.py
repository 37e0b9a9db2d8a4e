"""The rules of groups as pure decisions: the computed status, what a type demands, which days count."""

import datetime
import zoneinfo
from collections.abc import Collection, Mapping

from opilio.curation.models import State

SUB_GROUP = "Sub-Group"
#: Types of groups that a sub-group may be in.
PARENT_TYPES = ("Collection", "Thematic", "Event")

#: A member in one of these makes its group active.
LIVE = frozenset({State.APPROVED, State.COMPLETED, State.GROUP_ACTIVE})


def computed(states: Collection[int], *, ended: bool) -> State:
    """The status of a group whose members are in these states; one without members is pending."""
    if ended:
        return State.GROUP_INACTIVE
    if LIVE & set(states):
        return State.GROUP_ACTIVE
    if set(states) == {State.GROUP_INACTIVE}:
        return State.GROUP_INACTIVE
    return State.GROUP_PENDING


def ended(end: datetime.date | None, now: datetime.datetime, zone: str) -> bool:
    """Whether the last day is over where the group's agency is."""
    return end is not None and day_at(now, zone) > end


def holds(
    start: datetime.date | None, end: datetime.date | None, at: datetime.datetime, zone: str
) -> bool:  # fmt: skip
    """Whether members belong to the group at an instant; both days count whole, where the group's agency is."""
    day = day_at(at, zone)
    return (start is None or start <= day) and (end is None or day <= end)


def day_at(now: datetime.datetime, zone: str) -> datetime.date:
    """The day that it is in a zone."""
    return now.astimezone(zoneinfo.ZoneInfo(zone or "UTC")).date()


def date_faults(start: datetime.date | None, end: datetime.date | None) -> Mapping[str, list[str]]:
    """What is wrong with the days of a group, by field."""
    if start is not None and end is not None and end < start:
        return {"end_date": ["The last day is before the first; choose a later one, or leave it empty."]}
    return {}


def type_fault(group_type: str, parent_types: Collection[str]) -> str:
    """Why a group cannot be of this type in groups of those types; empty: it can."""
    if group_type != SUB_GROUP or set(parent_types) & set(PARENT_TYPES):
        return ""
    return f"A sub-group must be in a group of the type {', '.join(PARENT_TYPES[:-1])} or {PARENT_TYPES[-1]}."

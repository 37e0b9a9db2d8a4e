"""Rules of access about single harvests: their display flag, the groups they were in, and what a group harvested.

Which groups a harvest belonged to stands in its snapshot; what those groups say is read anew.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opilio.curation.access_about import About, flag_rules, restricts
from opilio.curation.access_rooms import Rooms
from opilio.curation.grouping import inner_groups
from opilio.curation.models import Group, Harvest, HarvestState, ObjectType, SnapshotPart
from opilio.kernel.access_rules import Rule, Says

#: Harvests of which readers may see something; what other rules say comes on top.
READABLE = (HarvestState.ENDORSED, HarvestState.ARCHIVING, HarvestState.ARCHIVED)
_WITHOUT_RULE = (*READABLE, HarvestState.SCHEDULED, HarvestState.QUEUED)
_SECTIONS = ("target", "members")


@dataclass(frozen=True, kw_only=True)
class Combined:
    """A harvest of a whole group, with the targets that were in it."""

    harvest: int
    agency: int
    members: tuple[int, ...]


def about(harvest: int, agency: int, rooms: Rooms) -> About:
    """The captures of one harvest."""
    return About(agency=agency, mark=f"harvest-{harvest}", harvest=str(harvest), rooms=rooms.of(agency))


def display_rules(rooms: Rooms) -> Iterator[Rule]:
    """Harvests that readers are not shown."""
    rows = Harvest.objects.filter(display=False).order_by("id").values_list("id", "agency_id")
    for harvest, agency in rows.iterator():
        yield about(harvest, agency, rooms).rule("display", Says.HIDDEN)


def unendorsed_rules(rooms: Rooms) -> Iterator[Rule]:
    """Readers see what was endorsed; of the rest, also of what was endorsed once, they do not even learn."""
    rows = Harvest.objects.filter(purged=False).exclude(state__in=_WITHOUT_RULE).order_by("id")
    for harvest, agency in rows.values_list("id", "agency_id").iterator():
        yield about(harvest, agency, rooms).rule("unendorsed", Says.HIDDEN)


def group_rules(rooms: Rooms) -> Iterator[Rule]:
    """What groups say of the harvests of those who were their members then."""
    above = _restricting()
    if not above:
        return
    for harvest, agency, groups in _memberships():
        found = {group.pk: group for one in groups for group in above.get(one, ())}
        for number, group in sorted(found.items()):
            yield from flag_rules(group, about(harvest, agency, rooms), f":group-{number}")


def combined() -> Iterator[Combined]:
    """The harvests of whole groups."""
    rows = SnapshotPart.objects.filter(
        key="members", snapshot__harvest__abstract_target__object_type=ObjectType.GROUP,
        snapshot__harvest__deleted=False,
    ).order_by("snapshot__harvest_id")  # fmt: skip
    columns = ("snapshot__harvest_id", "snapshot__harvest__agency_id", "value")
    for harvest, agency, value in rows.values_list(*columns).iterator():
        members = tuple(int(one["id"]) for one in json.loads(value))
        yield Combined(harvest=harvest, agency=agency, members=members)


def _restricting() -> Mapping[int, list[Group]]:
    """For each group, the groups that restrict its members: itself or one above it."""
    found: dict[int, list[Group]] = {}
    for group in filter(restricts, Group.objects.order_by("id").iterator()):
        below, reached = {group.pk}, {group.pk}
        while below:
            below = set(inner_groups(below)) - reached
            reached |= below
        for number in reached:
            found.setdefault(number, []).append(group)
    return found


def _memberships() -> Iterator[tuple[int, int, set[int]]]:
    rows = SnapshotPart.objects.filter(key__in=_SECTIONS, snapshot__harvest__deleted=False)
    columns = ("snapshot__harvest_id", "snapshot__harvest__agency_id", "value")
    held: tuple[int, int, set[int]] | None = None
    for harvest, agency, value in rows.order_by("snapshot__harvest_id").values_list(*columns).iterator():
        if held is not None and held[0] != harvest:
            yield held
            held = None
        held = held or (harvest, agency, set())
        held[2].update(_groups(json.loads(value)))
    if held is not None:
        yield held


def _groups(section: Any) -> Iterable[int]:
    targets = section if isinstance(section, list) else [section]
    return (int(group["id"]) for one in targets if one for group in one.get("groups", ()))

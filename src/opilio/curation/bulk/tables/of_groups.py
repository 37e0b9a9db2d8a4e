"""The table of groups, with their members."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch, QuerySet

from opilio.curation.actions.group_members import add_members
from opilio.curation.actions.groups import create_group, update_group
from opilio.curation.actions.ownership import give_ownership
from opilio.curation.bulk.tables import columns as read
from opilio.curation.bulk.tables.columns import TableColumn
from opilio.curation.bulk.tables.lookups import Names
from opilio.curation.bulk.tables.of_targets import ZONES
from opilio.curation.bulk.tables.table import Table, uses
from opilio.curation.models import AbstractTarget, AccessZone, Group, GroupMember, HarvestAs, ObjectType
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_LINES = ("reference", "group_type")
_TEXTS = ("description", "ownership_metadata", "profile_note", "display_note")
_DAYS = ("start_date", "end_date")
_SWITCHES = ("display", "follow_reference", "prune_again")
_PLAIN = (*_LINES, *_TEXTS, *_DAYS, *_SWITCHES, "harvest_as", "access_zone", "embargo_days")
_WAYS = {"together": HarvestAs.COMBINED, "separately": HarvestAs.SEPARATE}
_KINDS = {"targets": ObjectType.TARGET, "subgroups": ObjectType.GROUP}


def _day(value: str) -> datetime.date | None:
    return datetime.date.fromisoformat(value) if value else None


COLUMNS = (
    TableColumn(name="agency", read=read.text(), required=True),
    TableColumn(name="name", read=read.text(), required=True),
    TableColumn(name="owner", read=read.name(150)),
    *(TableColumn(name=name, read=read.text()) for name in _LINES),
    *(TableColumn(name=name, read=read.text(4_000)) for name in _TEXTS),
    *(TableColumn(name=name, read=read.day, use=_day) for name in _DAYS),
    TableColumn(name="harvest_as", read=read.choice(_WAYS), use=_WAYS.__getitem__),
    TableColumn(name="profile", read=read.name()),
    TableColumn(name="access_zone", read=read.choice(ZONES), use=ZONES.__getitem__),
    TableColumn(name="embargo_days", read=read.number),
    *(TableColumn(name=name, read=read.flag) for name in _SWITCHES),
    *(TableColumn(name=name, read=read.lines(read.text(512)), grows=True) for name in _KINDS),
)


def rows(actor: Actor) -> QuerySet[Group]:
    """Groups that the asker may see, with their members."""
    members = GroupMember.objects.filter(child__deleted=False).select_related("child__agency").order_by("child__name")
    found = Group.objects.select_related("agency", "owner", "profile").prefetch_related(
        Prefetch("members", queryset=seen(members, actor, agency_path="child__agency_id"))
    )
    return seen(found, actor).order_by("agency__name", "name", "id")


def written(row: Group) -> dict[str, Any]:
    """A group as a row of the table."""
    return {
        "agency": row.agency.name, "name": row.name, "owner": row.owner.username,
        **{name: getattr(row, name) for name in (*_LINES, *_TEXTS, *_SWITCHES, "embargo_days")},
        **{name: day.isoformat() if (day := getattr(row, name)) else "" for name in _DAYS},
        "harvest_as": next(word for word, way in _WAYS.items() if way == row.harvest_as),
        "profile": row.profile.name if row.profile else "", "access_zone": AccessZone(row.access_zone).label,
        **{column: [_member(row, one.child) for one in row.members.all() if one.child.object_type == kind]
           for column, kind in _KINDS.items()},
    }  # fmt: skip


def _member(group: Group, child: AbstractTarget) -> str:
    """`NAME`, or `NAME@AGENCY` of another agency; also where the name itself holds that mark."""
    plain = child.agency_id == group.agency_id and "@" not in child.name
    return child.name if plain else f"{child.name}@{child.agency.name}"


class GroupImporter:
    """Makes and changes groups as a table says."""

    def __init__(self, actor: Actor) -> None:
        self._actor, self._names = actor, Names()

    def check(self, values: Mapping[str, Any]) -> None:
        """Agency, owner and profile are known; members may be made by the same table."""
        self._names.check(values)

    def find(self, values: Mapping[str, Any]) -> Group | None:
        """The group of this name in the agency."""
        agency = self._names.agency(values["agency"])
        return rows(self._actor).filter(agency_id=agency, name=values["name"]).first()

    def make(self, values: Mapping[str, Any]) -> object:
        """A group; then its members, then its owner."""
        agency = self._names.agency(values["agency"])
        owner = self._names.user(values["owner"]) if values.get("owner") else None
        fields = uses(COLUMNS, values, *_PLAIN)
        if values.get("profile"):
            fields["profile_id"] = self._names.profile(agency, values["profile"])
        group = create_group(
            self._actor, agency_id=agency, name=values["name"],
            owner_id=owner if self._actor.is_system else None, **fields,
        )  # fmt: skip
        self._add(group.id, agency, values, [name for name in _KINDS if values.get(name)], set())
        if owner is not None and owner != group.owner_id:
            give_ownership(self._actor, kind_name="group", row_id=group.id, user_id=owner)
        return group

    def change(self, row: Group, values: Mapping[str, Any], columns: Sequence[str]) -> object:
        """The columns that differ; members are added, none is taken away."""
        fields = uses(COLUMNS, values, *(name for name in _PLAIN if name in columns))
        if "profile" in columns:
            fields["profile_id"] = self._names.profile(row.agency_id, values["profile"])
        if fields:
            update_group(self._actor, group_id=row.id, version=row.version, **fields)
        known = {one.child_id for one in row.members.all()}
        self._add(row.id, row.agency_id, values, [name for name in _KINDS if name in columns], known)
        if "owner" in columns:
            owner = self._names.user(values["owner"])
            give_ownership(self._actor, kind_name="group", row_id=row.id, user_id=owner)
        return row

    def _add(
        self, group_id: int, agency: int, values: Mapping[str, Any], names: Sequence[str], known: set[int]
    ) -> None:
        wanted = [self._child(column, agency, name) for column in names for name in values[column]]
        fresh = [one for one in wanted if one not in known]
        if fresh:
            add_members(self._actor, group_id=group_id, member_ids=fresh)

    def _child(self, column: str, agency: int, written_name: str) -> int:
        name, mark, elsewhere = written_name.rpartition("@")
        home = self._names.agency(elsewhere.strip()) if mark else agency
        wanted = name.strip() if mark else written_name
        rows = AbstractTarget.objects.filter(object_type=_KINDS[column], agency_id=home, name=wanted)
        found: int | None = seen(rows, self._actor).values_list("id", flat=True).first()
        if found is None:
            raise InvalidFields({column: [f"There is no such member: {written_name[:60]!r}."]})
        return found


TABLE = Table(
    noun="group", columns=COLUMNS, key=("agency", "name"), rows=rows, written=written, importer=GroupImporter,
    privileges=(Privilege.CREATE_GROUP, Privilege.MANAGE_GROUP),
)  # fmt: skip

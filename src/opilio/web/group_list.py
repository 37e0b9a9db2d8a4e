"""The list of groups: its columns, filters and bulk actions."""

from typing import TYPE_CHECKING

from django.db.models import Q

from opilio.curation.queries import groups
from opilio.curation.words import AccessZone, HarvestAs, State, tone_of
from opilio.curation.workflow import GROUP_STATES
from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.records import choices
from opilio.web.group_page import PATH
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Date, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Day, Identifier, Options, States, Words

if TYPE_CHECKING:
    import datetime

    from opilio.curation.models import Group


def _name(row: "Group") -> Cell:
    return Link(text=row.name, url=f"{PATH}/{row.pk}", note=row.reference)


def _day(day: "datetime.date | None") -> Cell:
    return Date(on=day, never="")


def _owners(actor: Actor) -> Options:
    found = [(str(number), name) for number, name in groups.owner_choices(actor) if number != actor.user]
    return [(str(actor.user), "Me"), *found] if actor.user is not None else found


_COLUMNS: "tuple[Column[Group], ...]" = (
    Column(name="name", label="Group", cell=_name, sort="name"),
    Column(name="state", label="Status", sort="state",
           cell=lambda row: Badge(text=State(row.state).label.lower(), tone=tone_of(row.state))),
    Column(name="type", label="Type", cell=lambda row: Text(text=row.group_type), sort="group_type"),
    Column(name="members", label="Members", cell=lambda row: Number(number=row.member_count), numeric=True),  # type: ignore[attr-defined]  # counted by the query
    Column(name="owner", label="Owner", cell=lambda row: Text(text=row.owner.username), sort="owner__username"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="harvests", label="Harvested", cell=lambda row: Text(text=HarvestAs(row.harvest_as).label, quiet=True)),
    Column(name="start", label="From", cell=lambda row: _day(row.start_date), sort="start_date", shown=False),
    Column(name="end", label="Until", cell=lambda row: _day(row.end_date), sort="end_date"),
    Column(name="parents", label="In groups", numeric=True, shown=False,
           cell=lambda row: Number(number=row.parent_count)),  # type: ignore[attr-defined]  # as above
    Column(name="profile", label="Profile", sort="profile__name", shown=False,
           cell=lambda row: Text(text=row.profile.name if row.profile else "")),
    Column(name="access", label="Access zone", shown=False,
           cell=lambda row: Text(text=AccessZone(row.access_zone).label)),
    Column(name="description", label="Description", cell=lambda row: Text(text=row.description), shown=False),
    Column(name="since", label="In its status since", cell=lambda row: Moment(at=row.state_since), sort="state_since",
           shown=False),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated", shown=False),
    Column(name="created", label="Made", cell=lambda row: Moment(at=row.created), sort="created", shown=False),
)  # fmt: skip
_STATES = {str(state.value): (state.label, Q(state=state)) for state in GROUP_STATES}
_WAYS = {str(way.value): (way.label, Q(harvest_as=way)) for way in HarvestAs}
GROUPS: "ListPage[Group]" = ListPage(
    name="groups", path=PATH, title="Groups", words=("group", "groups"), rows=groups.groups, columns=_COLUMNS,
    intro="Targets and groups that belong together: collections, subjects, events. Their status follows from their "
    "members.",
    order=("name", "id"),
    filters=(
        Words(columns=("name", "reference", "description")),
        States(name="state", label="Status", states=_STATES),
        Choice(name="type", label="Type", column="group_type", offered=lambda actor: choices("group-type")),
        Choice(name="owner", label="Owner", column="owner_id", offered=_owners),
        Choice(name="agency", label="Agency", column="agency_id",
               offered=lambda actor: [(str(number), name) for number, name in groups.agency_choices(actor)]),
        States(name="harvests", label="Harvested", states=_WAYS),
        Identifier(name="member", label="Has member (number)", column="members__child_id"),
        Day(name="since", label="Changed since", column="updated"),
    ),
    new=New(label="New group", path=f"{PATH}/new", privilege=Privilege.CREATE_GROUP),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MANAGE_GROUP,
             warning="Members stay, and are in one group less. Groups that were harvested are left as they are. "
             "Deleted groups can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="group", row_id=row.pk)),
    ),
    empty=Empty(title="No group yet", text="Make one, then add the targets that belong together.", icon="folder-tree"),
)  # fmt: skip

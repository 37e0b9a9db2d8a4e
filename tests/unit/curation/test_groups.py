"""Groups through their actions: making, changing, copying, deleting, expiring."""

import datetime

import pytest

from opilio.curation.actions.group_expiry import expire_due, expire_group
from opilio.curation.actions.group_members import add_members
from opilio.curation.actions.groups import copy_group, create_group, update_group
from opilio.curation.membership import CyclicGroups
from opilio.curation.models import DublinCore, Group, GroupMember, Harvest, HarvestAs, State
from opilio.people.actions.installation import prepare
from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.errors import InvalidFields, NotAllowed, NotFound, Stale
from opilio.people.models import AuditEntry
from opilio.people.privileges import Privilege, Scope
from tests.curation import Desk
from tests.people import Town

MANAGER = {
    Privilege.CREATE_GROUP: Scope.AGENCY, Privilege.MANAGE_GROUP: Scope.AGENCY,
    Privilege.ADD_TARGET_TO_GROUP: Scope.AGENCY,
}  # fmt: skip
DAY = datetime.timedelta(days=1)


@pytest.fixture
def desk(db):
    town = Town()
    prepare(town.system)
    return Desk(town)


@pytest.fixture
def curator(desk):
    return desk.town.actor(privileges=MANAGER)


def make(desk, curator, name="Elections", **fields):
    return create_group(curator, agency_id=desk.town.library.id, name=name, **fields)


def fresh(row):
    return type(row).everything.get(pk=row.pk)


def test_a_new_group_is_pending_and_belongs_to_its_maker(desk, curator):
    """An empty group is pending by ruling."""
    made = make(desk, curator, group_type="Event", description="All of them", reference="R 1")
    assert (made.state, made.owner_id, made.agency_id) == (State.GROUP_PENDING, curator.user, desk.town.library.id)
    assert AuditEntry.objects.filter(action="group.create", subject_id=made.id).exists()


def test_the_operator_says_who_owns_a_new_group(desk):
    """The command line is nobody in particular."""
    with pytest.raises(InvalidFields, match="owner"):
        make(desk, desk.town.system)
    owner = desk.town.user()
    assert make(desk, desk.town.system, owner_id=owner.id).owner_id == owner.id


def test_nobody_makes_groups_for_somebody_else(desk, curator):
    """They are made, then given away."""
    with pytest.raises(NotAllowed, match="somebody else"):
        make(desk, curator, owner_id=desk.town.user().id)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"group_type": "Bundle"}, "group_type"),
        ({"group_type": "Sub-Group"}, "group_type"),
        ({"start_date": datetime.date(2026, 2, 2), "end_date": datetime.date(2026, 2, 1)}, "end_date"),
        ({"harvest_as": 7}, "harvest_as"),
        ({"access_zone": 9}, "access_zone"),
        ({"name": "x" * 256}, "name"),
        ({"name": "  "}, "name"),
        ({"description": "x" * 4_001}, "description"),
        ({"profile_id": 12_345}, "profile"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(desk, curator, fields, field):
    """Nothing is made."""
    with pytest.raises(InvalidFields) as refused:
        make(desk, curator, **{"name": "Elections", **fields})
    assert field in refused.value.messages
    assert not Group.objects.exists()


def test_names_are_given_once_in_an_agency(desk, curator):
    """A deleted group frees its name."""
    first = make(desk, curator)
    with pytest.raises(InvalidFields) as refused:
        make(desk, curator)
    assert "name" in refused.value.messages
    delete_row(curator, kind_name="group", row_id=first.id)
    make(desk, curator)


def test_a_profile_of_another_agency_is_refused(desk, curator):
    """And so is one above the level that one may choose."""
    foreign = desk.profile(agency=desk.town.museum)
    with pytest.raises(InvalidFields, match="another agency"):
        make(desk, curator, profile_id=foreign.id)
    with pytest.raises(NotAllowed, match="level"):
        make(desk, curator, profile_id=desk.profile(level=3).id)


def test_a_sub_group_is_made_inside_a_collection(desk, curator):
    """In one step, because it cannot be alone."""
    parent = make(desk, curator, "Sport", group_type="Collection")
    inner = make(desk, curator, "Rowing", group_type="Sub-Group", parent_id=parent.id)
    assert GroupMember.objects.filter(parent=parent, child_id=inner.id).exists()
    subject = make(desk, curator, "Words", group_type="Subject")
    with pytest.raises(InvalidFields, match="sub-group"):
        make(desk, curator, "Verbs", group_type="Sub-Group", parent_id=subject.id)


def test_a_type_changes_only_where_it_fits(desk, curator):
    """Neither may a group become a sub-group alone, nor a collection leave its sub-groups alone."""
    parent = make(desk, curator, "Sport", group_type="Collection")
    make(desk, curator, "Rowing", group_type="Sub-Group", parent_id=parent.id)
    with pytest.raises(InvalidFields, match="Rowing"):
        update_group(curator, group_id=parent.id, version=fresh(parent).version, group_type="Subject")
    with pytest.raises(InvalidFields, match="sub-group"):
        update_group(curator, group_id=parent.id, version=fresh(parent).version, group_type="Sub-Group")
    update_group(curator, group_id=parent.id, version=fresh(parent).version, group_type="Thematic")


def test_a_save_of_an_older_version_is_refused(desk, curator):
    """With both versions."""
    made = make(desk, curator)
    update_group(curator, group_id=made.id, version=made.version, description="first")
    with pytest.raises(Stale) as stale:
        update_group(curator, group_id=made.id, version=made.version, description="second")
    assert stale.value.theirs["description"] == "first"


def test_an_unchanged_save_changes_nothing(desk, curator):
    """Neither version nor audit log."""
    made = make(desk, curator)
    update_group(curator, group_id=made.id, version=made.version, name=made.name)
    assert fresh(made).version == made.version
    assert not AuditEntry.objects.filter(action="group.update").exists()


def test_another_way_of_harvesting_removes_what_is_planned(desk, curator):
    """And plans it the other way: one harvest of the group, or one of each member."""
    target = desk.target(state=State.APPROVED)
    group = desk.group(target, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.COMBINED)
    desk.schedule(group)
    update_group(curator, group_id=group.id, version=group.version, description="any change")
    update_group(curator, group_id=group.id, version=fresh(group).version, end_date=datetime.date(2027, 1, 1))
    assert set(Harvest.objects.values_list("abstract_target_id", flat=True)) == {group.id}
    before = set(Harvest.objects.values_list("id", flat=True))
    update_group(curator, group_id=group.id, version=fresh(group).version, harvest_as=HarvestAs.SEPARATE)
    assert not Harvest.objects.filter(id__in=before).exists()
    assert target.id not in before
    owner_agency = group.owner.agency_id
    assert owner_agency == target.agency_id
    assert set(Harvest.objects.values_list("abstract_target_id", flat=True)) == {target.id}


def test_a_last_day_in_the_past_ends_a_group(desk, curator):
    """What was planned for it is removed, and the groups above it follow."""
    target = desk.target(state=State.APPROVED)
    group = desk.group(target, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.COMBINED)
    outer = desk.group(group, state=State.GROUP_ACTIVE)
    desk.schedule(group)
    update_group(curator, group_id=group.id, version=group.version, start_date=datetime.date(2020, 1, 1))
    assert Harvest.objects.count() > 0
    yesterday = desk.now.date() - DAY
    update_group(curator, group_id=group.id, version=fresh(group).version, end_date=yesterday)
    assert (fresh(group).state, fresh(outer).state) == (State.GROUP_INACTIVE, State.GROUP_INACTIVE)
    assert Harvest.objects.count() == 0


def test_time_ends_groups(desk):
    """The chore finds those whose last day is over where their agency is, and no other."""
    target = desk.target(state=State.APPROVED)
    today = desk.now.date()
    ends, stays = (
        desk.group(target, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.COMBINED, end_date=day)
        for day in (today, today + 5 * DAY)
    )
    desk.schedule(ends)
    assert expire_due(desk.town.system) == 0
    desk.town.clock.advance(DAY.total_seconds())
    assert expire_due(desk.town.system) == 1
    assert (fresh(ends).state, fresh(stays).state) == (State.GROUP_INACTIVE, State.GROUP_ACTIVE)
    assert expire_due(desk.town.system) == 0


def test_only_the_system_ends_groups(desk, curator):
    """People set the last day."""
    with pytest.raises(NotAllowed):
        expire_group(curator, group_id=desk.group().id)


def test_a_copy_has_the_same_members_and_description(desk, curator):
    """But another name and owner, and no schedules."""
    target = desk.target(state=State.APPROVED)
    core = DublinCore(title="Votes", created=desk.now, updated=desk.now)
    core.save()
    group = desk.group(target, group_type="Event", description="All", dublin_core=core, state=State.GROUP_ACTIVE)
    desk.schedule(group)
    made = copy_group(curator, group_id=group.id, name="Elections again")
    assert (made.description, made.group_type, made.owner_id) == ("All", "Event", curator.user)
    assert made.dublin_core.title == "Votes"
    assert made.dublin_core_id != group.dublin_core_id
    assert fresh(made).state == State.GROUP_ACTIVE
    assert list(GroupMember.objects.filter(parent=made).values_list("child_id", flat=True)) == [target.id]
    assert not made.schedules.exists()


def test_a_copied_sub_group_is_in_the_same_groups(desk, curator):
    """It could not be alone."""
    inner = desk.group(group_type="Sub-Group")
    outer = desk.group(inner, group_type="Collection")
    made = copy_group(curator, group_id=inner.id, name="Copy")
    assert GroupMember.objects.filter(parent=outer, child_id=made.id).exists()


def test_groups_of_another_agency_cannot_be_copied(desk, curator):
    """They are not there for whoever cannot see them."""
    foreign = desk.group(agency=desk.town.museum)
    with pytest.raises(NotFound):
        copy_group(curator, group_id=foreign.id, name="Mine")


def test_a_deleted_group_leaves_its_groups(desk, curator):
    """Those above are computed anew; what it planned goes; its members are not touched."""
    target = desk.target(state=State.APPROVED)
    group = desk.group(target, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE)
    outer = desk.group(group, state=State.GROUP_ACTIVE)
    desk.schedule(group)
    update_group(curator, group_id=group.id, version=group.version, start_date=datetime.date(2020, 1, 1))
    assert Harvest.objects.exists()
    delete_row(curator, kind_name="group", row_id=group.id)
    assert fresh(outer).state == State.GROUP_PENDING
    assert not Harvest.objects.exists()
    assert fresh(target).state == State.APPROVED


def test_a_restored_group_is_what_its_members_make_it(desk, curator):
    """They may have changed while it was away."""
    target = desk.target(state=State.APPROVED)
    group = desk.group(target, state=State.GROUP_ACTIVE)
    delete_row(curator, kind_name="group", row_id=group.id)
    type(target).objects.filter(pk=target.pk).update(state=State.CANCELLED)
    restore_row(curator, kind_name="group", row_id=group.id)
    assert fresh(group).state == State.GROUP_PENDING


def test_deleting_a_group_needs_the_privilege(desk):
    """Owning it is not enough."""
    owner = desk.town.user(privileges={Privilege.CREATE_GROUP: Scope.OWNER})
    group = desk.group(owner=owner)
    with pytest.raises(NotAllowed, match="MANAGE_GROUP"):
        delete_row(desk.town.actor(owner), kind_name="group", row_id=group.id)


def test_a_group_never_contains_itself(desk, curator):
    """Neither at once nor by a long way round."""
    inner = desk.group()
    middle = desk.group(inner)
    outer = desk.group(middle)
    for member in (outer, middle, inner):
        with pytest.raises(CyclicGroups, match="itself"):
            add_members(curator, group_id=inner.id, member_ids=[member.id])

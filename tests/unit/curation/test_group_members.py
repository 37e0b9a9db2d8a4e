"""Who is in a group, who is told, and what random edits make of it."""

import contextlib
import datetime

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.curation.actions.group_members import add_members, move_members, remove_members
from opilio.curation.actions.groups import update_group
from opilio.curation.actions.target_moves import approve_target, cancel_target
from opilio.curation.group_rules import computed
from opilio.curation.membership import AlreadyMember, CyclicGroups, NestedTooDeeply
from opilio.curation.models import AbstractTarget, Group, GroupMember, Harvest, HarvestAs, State
from opilio.curation.queries.groups import belongings
from opilio.kernel.errors import OpilioError
from opilio.people.actions.rows import delete_row
from opilio.people.errors import InvalidFields, NotAllowed, NotFound
from opilio.people.models import Notification
from opilio.people.privileges import Privilege, Scope
from tests.curation import Desk
from tests.people import Town

ADDER = {Privilege.ADD_TARGET_TO_GROUP: Scope.AGENCY}


@pytest.fixture
def desk(db):
    return Desk(Town())


@pytest.fixture
def curator(desk):
    return desk.town.actor(privileges=ADDER)


def inside(group):
    return set(GroupMember.objects.filter(parent_id=group.pk).values_list("child_id", flat=True))


def state(row):
    return AbstractTarget.everything.get(pk=row.pk).state


def test_members_join_and_leave(desk, curator):
    """The group becomes active with the first approved member, and pending without it; so do those above."""
    target, other = desk.target(state=State.APPROVED), desk.target()
    group = desk.group()
    outer = desk.group(group)
    add_members(curator, group_id=group.id, member_ids=[target.id, other.id])
    assert inside(group) == {target.id, other.id}
    assert (state(group), state(outer)) == (State.GROUP_ACTIVE, State.GROUP_ACTIVE)
    remove_members(curator, group_id=group.id, member_ids=[target.id])
    assert inside(group) == {other.id}
    assert (state(group), state(outer)) == (State.GROUP_PENDING, State.GROUP_PENDING)


def test_one_that_is_in_the_group_is_refused(desk, curator):
    """And with it the others of the same change."""
    first, second = desk.target(name="First"), desk.target()
    group = desk.group(first)
    with pytest.raises(AlreadyMember, match="First"):
        add_members(curator, group_id=group.id, member_ids=[second.id, first.id])
    assert inside(group) == {first.id}


def test_nothing_and_too_much_are_refused(desk, curator):
    """With what to do."""
    group = desk.group()
    with pytest.raises(InvalidFields, match="at least one"):
        add_members(curator, group_id=group.id, member_ids=[])
    with pytest.raises(InvalidFields, match="at most"):
        add_members(curator, group_id=group.id, member_ids=range(1, 1_002))
    with pytest.raises(NotFound):
        add_members(curator, group_id=group.id, member_ids=[12_345_678])
    with pytest.raises(NotFound, match="not in the group"):
        remove_members(curator, group_id=group.id, member_ids=[desk.target().id])


def test_a_target_that_one_cannot_see_cannot_be_added(desk, curator):
    """It might as well not exist; whoever sees both agencies may."""
    foreign, group = desk.target(agency=desk.town.museum), desk.group()
    with pytest.raises(NotFound):
        add_members(curator, group_id=group.id, member_ids=[foreign.id])
    everywhere = desk.town.actor(privileges={Privilege.ADD_TARGET_TO_GROUP: Scope.ALL})
    add_members(everywhere, group_id=group.id, member_ids=[foreign.id])
    assert inside(group) == {foreign.id}


def test_moving_takes_both_groups_to_decide(desk):
    """The privilege must reach either."""
    target = desk.target()
    owner = desk.town.user(privileges={Privilege.ADD_TARGET_TO_GROUP: Scope.OWNER})
    mine, others = desk.group(target, owner=owner), desk.group()
    with pytest.raises(NotAllowed):
        move_members(desk.town.actor(owner), source_id=mine.id, into_id=others.id, member_ids=[target.id])
    assert inside(mine) == {target.id}


def test_members_move_together(desk, curator):
    """One that is in the other group already just leaves the first; both are computed anew."""
    first, second = desk.target(state=State.APPROVED), desk.target()
    source, into = desk.group(first, second, state=State.GROUP_ACTIVE), desk.group(second)
    move_members(curator, source_id=source.id, into_id=into.id, member_ids=[first.id, second.id])
    assert (inside(source), inside(into)) == (set(), {first.id, second.id})
    assert (state(source), state(into)) == (State.GROUP_PENDING, State.GROUP_ACTIVE)


def test_members_cannot_move_to_where_they_are(desk, curator):
    """Nor into a group that is in one of them."""
    inner = desk.group()
    outer = desk.group(inner)
    source = desk.group(outer)
    with pytest.raises(InvalidFields):
        move_members(curator, source_id=source.id, into_id=source.id, member_ids=[outer.id])
    with pytest.raises(CyclicGroups):
        move_members(curator, source_id=source.id, into_id=inner.id, member_ids=[outer.id])
    assert inside(source) == {outer.id}


def test_groups_are_nested_only_so_deep(desk, curator):
    """Fifty levels are allowed, one more is not."""
    row = bottom = desk.group()
    for _ in range(48):
        row = desk.group(row, owner=bottom.owner)
    add_members(curator, group_id=bottom.id, member_ids=[desk.group().id])
    top = desk.group()
    with pytest.raises(NestedTooDeeply, match="50"):
        add_members(curator, group_id=top.id, member_ids=[row.id])
    add_members(curator, group_id=bottom.id, member_ids=[desk.target(state=State.APPROVED).id])
    assert state(row) == State.GROUP_ACTIVE


def test_a_sub_group_stays_where_it_fits(desk, curator):
    """It may move between collections, and not leave its last one."""
    inner = desk.group(group_type="Sub-Group")
    first, second = desk.group(inner, group_type="Collection"), desk.group(group_type="Event")
    with pytest.raises(InvalidFields, match="sub-group"):
        remove_members(curator, group_id=first.id, member_ids=[inner.id])
    move_members(curator, source_id=first.id, into_id=second.id, member_ids=[inner.id])
    assert (inside(first), inside(second)) == (set(), {inner.id})
    with pytest.raises(InvalidFields, match="sub-group"):
        move_members(curator, source_id=second.id, into_id=desk.group().id, member_ids=[inner.id])


def test_moves_of_targets_reach_all_groups_above(desk):
    """Approved: active all the way up; cancelled: pending again."""
    target = desk.approvable()
    group = desk.group(target)
    outer = desk.group(group)
    approve_target(desk.town.system, target_id=target.id)
    assert (state(group), state(outer)) == (State.GROUP_ACTIVE, State.GROUP_ACTIVE)
    cancel_target(desk.town.system, target_id=target.id)
    assert (state(group), state(outer)) == (State.GROUP_PENDING, State.GROUP_PENDING)


def test_a_group_that_harvests_each_member_plans_for_newly_approved_ones(desk):
    """Although it was active before."""
    target, waiting = desk.target(state=State.APPROVED), desk.approvable()
    inner = desk.group(waiting)
    group = desk.group(target, inner, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE)
    desk.schedule(group)
    approve_target(desk.town.system, target_id=waiting.id)
    assert waiting.id in set(Harvest.objects.values_list("abstract_target_id", flat=True))


def test_members_who_leave_are_no_longer_planned_for(desk, curator):
    """Also by schedules of groups above."""
    target, other = desk.target(state=State.APPROVED), desk.target(state=State.APPROVED)
    inner = desk.group(target, state=State.GROUP_ACTIVE)
    group = desk.group(inner, state=State.GROUP_ACTIVE, harvest_as=HarvestAs.SEPARATE)
    desk.schedule(group)
    add_members(curator, group_id=inner.id, member_ids=[other.id])
    assert set(Harvest.objects.values_list("abstract_target_id", flat=True)) == {target.id, other.id}
    remove_members(curator, group_id=inner.id, member_ids=[target.id])
    assert set(Harvest.objects.values_list("abstract_target_id", flat=True)) == {other.id}


def test_a_deleted_target_leaves_its_groups(desk):
    """Their owners are told."""
    target = desk.target(name="Gone")
    group = desk.group(target)
    delete_row(desk.town.system, kind_name="target", row_id=target.id)
    assert inside(group) == set()
    assert "removed Gone" in Notification.objects.get(user=group.owner).message


class TestNotices:
    """Owners of groups are told who came and went."""

    def test_owners_of_all_groups_above_are_told(self, desk, curator):
        """With who did it and what."""
        group = desk.group(name="Sport")
        outer = desk.group(group)
        add_members(curator, group_id=group.id, member_ids=[desk.target(name="Rowing").id])
        told = Notification.objects.filter(kind="group-changed")
        assert {one.user_id for one in told} == {group.owner_id, outer.owner_id}
        assert {one.message for one in told} == {f"{curator.username} added Rowing to the group Sport."}
        assert {(one.resource_type, one.resource_id) for one in told} == {("group", group.id)}

    def test_one_group_of_ones_own_is_no_news(self, desk):
        """Nobody tells you what you did yourself."""
        owner = desk.town.user(privileges=ADDER)
        group = desk.group(owner=owner)
        add_members(desk.town.actor(owner), group_id=group.id, member_ids=[desk.target().id])
        assert not Notification.objects.exists()

    def test_several_groups_are_news_even_if_one_is_ones_own(self, desk):
        """Because one may not know of the others."""
        owner = desk.town.user(privileges=ADDER)
        group = desk.group(owner=owner)
        outer = desk.group(group)
        add_members(desk.town.actor(owner), group_id=group.id, member_ids=[desk.target().id])
        assert set(Notification.objects.values_list("user_id", flat=True)) == {owner.id, outer.owner_id}

    def test_a_parameter_switches_them_off(self, desk, curator):
        """For institutions where groups change all day."""
        desk.town.parameter("group_change_notices", "off")
        add_members(curator, group_id=desk.group().id, member_ids=[desk.target().id])
        assert not Notification.objects.exists()

    def test_many_members_make_one_short_notice(self, desk, curator):
        """It names some and counts the rest."""
        group = desk.group()
        rows = [desk.target(owner=group.owner) for _ in range(23)]
        add_members(curator, group_id=group.id, member_ids=[row.id for row in rows])
        assert "and 3 more" in Notification.objects.get().message


class TestBelongings:
    """Which groups a harvest is in, by the time at which it began."""

    def test_only_groups_whose_days_include_the_time_count(self, desk):
        """And a group above counts on days that both share."""
        target = desk.target()
        past = desk.group(target, name="Past", end_date=datetime.date(2025, 12, 31))
        now = desk.group(target, name="Now", start_date=datetime.date(2026, 1, 1))
        desk.group(past, name="Above the past")
        desk.group(now, name="Above now")
        at = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
        assert [(one.name, one.path) for one in belongings(target.id, at)] == [("Now", ()), ("Above now", ("Now",))]
        before = datetime.datetime(2025, 12, 31, 12, tzinfo=datetime.UTC)
        assert {one.name for one in belongings(target.id, before)} == {"Past", "Above the past"}

    def test_a_group_reached_in_two_ways_is_named_once(self, desk):
        """By the shorter way."""
        target = desk.target()
        inner = desk.group(target, name="Inner")
        desk.group(target, inner, name="Outer")
        found = belongings(target.id, desk.now)
        assert [(one.name, one.path) for one in found] == [("Inner", ()), ("Outer", ())]


EDITS = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "move", "approve", "cancel", "end", "delete"]),
              st.integers(0, 5), st.integers(0, 9), st.integers(0, 5)),
    min_size=8, max_size=16,
)  # fmt: skip


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(edits=EDITS)
def test_random_edits_keep_groups_true(desk, edits):
    """No edit makes a circle, and every status equals one computed from scratch."""
    with transaction.atomic():
        _World(desk).run(edits)
        transaction.set_rollback(True)


class _World:
    """Six groups and four targets, edited at random; what is refused changes nothing."""

    def __init__(self, desk):
        self.desk, self.actor = desk, desk.town.system
        owner = desk.town.user()
        self.groups = [desk.group(owner=owner) for _ in range(6)]
        self.rows = [*self.groups, *(desk.approvable(owner=owner) for _ in range(4))]

    def run(self, edits):
        for verb, group, member, other in edits:
            with contextlib.suppress(OpilioError):
                getattr(self, verb)(self.groups[group], self.rows[member], self.groups[other])
            self.check()

    def add(self, group, member, other):
        add_members(self.actor, group_id=group.id, member_ids=[member.id])

    def remove(self, group, member, other):
        remove_members(self.actor, group_id=group.id, member_ids=[member.id])

    def move(self, group, member, other):
        move_members(self.actor, source_id=group.id, into_id=other.id, member_ids=[member.id])

    def approve(self, group, member, other):
        approve_target(self.actor, target_id=member.id)

    def cancel(self, group, member, other):
        cancel_target(self.actor, target_id=member.id)

    def end(self, group, member, other):
        today = self.desk.now.date()
        row = Group.everything.get(id=group.id)
        end = None if row.end_date else today - datetime.timedelta(days=1)
        update_group(self.actor, group_id=row.id, version=row.version, end_date=end)

    def delete(self, group, member, other):
        delete_row(self.actor, kind_name="group", row_id=group.id)

    def check(self):
        below = {group.id: inside(group) for group in self.groups}
        for group in self.groups:
            assert group.id not in _reached(below, group.id)
        alive = Group.objects.in_bulk()
        expected = {}
        for group in sorted(alive, key=lambda one: len(_reached(below, one))):
            row = alive[group]
            over = row.end_date is not None and row.end_date < self.desk.now.date()
            states = [expected.get(child) or state_of(child) for child in below[group]]
            expected[group] = computed(states, ended=over)
            assert row.state == expected[group]


def state_of(identifier):
    return AbstractTarget.objects.get(id=identifier).state


def _reached(below, start):
    found, edge = set(), {start}
    while edge:
        edge = set().union(*(below.get(one, set()) for one in edge)) - found
        found |= edge
    return found

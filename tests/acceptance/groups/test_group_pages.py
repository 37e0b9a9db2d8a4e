"""The pages of groups, ownership and assignments, as browsers see them."""

import datetime

import pytest

from opilio.curation.models import Group, GroupMember, HarvestAs, State, Target
from opilio.people.models import Notification
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.pages.words import value_of

HOSTILE = '<script>alert("1")</script> \u202eאבג 🐢 \' " & {{ 7 }}'
WORKER = {Privilege.MODIFY_TARGET: Scope.OWNER}


def inside(group):
    return set(GroupMember.objects.filter(parent_id=group.pk).values_list("child_id", flat=True))


def fields(browser, path, *names):
    """The hidden and text inputs of a form, to be sent back."""
    text = browser.see(path)
    return {name: value_of(text, name) or "" for name in names}


def test_a_group_is_made_filled_and_emptied(curator, desk):
    """From the empty list to members and back, without a line of script."""
    assert "No group yet" in curator.see("/groups")
    answer = curator.send(
        "/groups/new", {"agency": desk.town.library.id, "name": "Elections", "group_type": "Event", "harvest_as": "2"}
    )
    group = Group.objects.get()
    assert answer["Location"] == f"/groups/{group.id}/members"
    target = desk.target(name="Votes of the town", state=State.APPROVED)
    path = f"/groups/{group.id}/members"
    assert "Votes of the town" in curator.see(path, find="votes")
    assert "Votes of the town" not in curator.see(path, find="something else")
    curator.send(path, {"action": "add", "row": [target.id]})
    assert inside(group) == {target.id}
    shown = curator.see(path)
    assert "1 member added to Elections." in shown
    assert "active" in shown
    curator.send(path, {"action": "remove", "row": [target.id]})
    assert inside(group) == set()
    assert "No member yet" in curator.see(path)


def test_members_move_by_the_page(curator, desk):
    """To the group that was chosen beside the button."""
    target = desk.target()
    source, into = desk.group(target), desk.group(name="Other")
    path = f"/groups/{source.id}/members"
    curator.send(path, {"action": "move", "row": [target.id], "into": ""})
    assert "No group was chosen" in curator.see(path)
    curator.send(path, {"action": "move", "row": [target.id], "into": into.id})
    assert (inside(source), inside(into)) == (set(), {target.id})


def test_a_target_joins_and_leaves_from_its_own_page(curator, desk):
    """The groups that one may fill are offered there."""
    target, group = desk.target(), desk.group(name="Sport")
    path = f"/targets/{target.id}/groups"
    assert f'<option value="{group.id}">Sport' in curator.see(path)
    curator.send(f"{path}/join", {"group": group.id})
    assert inside(group) == {target.id}
    text = curator.see(path)
    assert "It is in the group Sport." in text
    assert f'<option value="{group.id}">' not in text
    curator.send(f"{path}/join", {"group": "none"})
    assert "No group was chosen" in curator.see(path)
    curator.send(f"{path}/leave", {"group": group.id})
    assert inside(group) == set()
    assert curator.send(f"{path}/explode").status_code == 404


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"action": "add", "row": []}, "at least one"),
        ({"action": "add", "row": ["x", "-1", "9" * 30]}, "at least one"),
        ({"action": "remove", "row": []}, "at least one"),
    ],
)
def test_what_cannot_be_done_is_told_on_the_page(curator, desk, data, words):
    """Whatever was sent."""
    path = f"/groups/{desk.group().id}/members"
    assert curator.send(path, data).status_code == 302
    assert words in curator.see(path)


def test_a_circle_is_told_on_the_page(curator, desk):
    """And an unknown button is no button."""
    inner = desk.group(name="Inner")
    outer = desk.group(inner)
    path = f"/groups/{inner.id}/members"
    curator.send(path, {"action": "add", "row": [outer.id]})
    assert "contain itself" in curator.see(path)
    assert curator.send(path, {"action": "explode"}).status_code == 404


def test_groups_above_are_not_offered_as_members(curator, desk):
    """Nor is the group itself, nor who is in it."""
    inside_it = desk.target(name="Zzz inside")
    group = desk.group(inside_it, name="Zzz group")
    desk.group(group, name="Zzz above")
    desk.target(name="Zzz free")
    text = curator.see(f"/groups/{group.id}/members", find="zzz")
    offered = text.split('id="candidates"')[1].split("</form>")[0]
    assert "Zzz free" in offered
    assert not {name for name in ("Zzz inside", "Zzz group", "Zzz above") if name in offered}


def test_members_of_other_agencies_are_counted_and_not_named(curator, desk):
    """On the page of members, in the tree and in the harvest."""
    foreign = desk.target(agency=desk.town.museum, name="Secret of the museum")
    group = desk.group(foreign)
    assert "1 more member belongs to" in curator.see(f"/groups/{group.id}/members")
    for part in ("members", "tree", "seeds"):
        assert "Secret of the museum" not in curator.see(f"/groups/{group.id}/{part}")


def test_a_stale_save_shows_both_versions(curator, desk):
    """Nothing is lost."""
    group = desk.group(name="Old")
    sent = fields(curator, f"/groups/{group.id}", "version")
    data = {**sent, "name": "Mine", "harvest_as": "2"}
    Group.objects.filter(id=group.id).update(version=5)
    answer = curator.send(f"/groups/{group.id}", data)
    assert answer.status_code == 409
    assert "Two versions" in answer.content.decode()


def test_details_are_saved_with_their_faults_told(curator, desk):
    """The last day before the first is told beside it."""
    group = desk.group()
    sent = {**fields(curator, f"/groups/{group.id}", "version"), "name": "Named", "harvest_as": "1"}
    answer = curator.send(f"/groups/{group.id}", {**sent, "start_date": "2026-05-02", "end_date": "2026-05-01"})
    assert answer.status_code == 422
    assert "last day is before the first" in answer.content.decode()
    assert curator.send(f"/groups/{group.id}", {**sent, "start_date": "2026-05-02"}).status_code == 302
    group.refresh_from_db()
    assert (group.name, group.harvest_as) == ("Named", HarvestAs.COMBINED)
    assert group.start_date == datetime.date(2026, 5, 2)
    assert 'value="2026-05-02"' in curator.see(f"/groups/{group.id}")


def test_description_access_and_copy(curator, desk):
    """The other forms of a group."""
    group = desk.group(name="Sport")
    base = f"/groups/{group.id}"
    assert curator.send(f"{base}/description", {"version": "0", "title": "All sport"}).status_code == 302
    assert "All sport" in curator.see(f"{base}/description")
    sent = fields(curator, f"{base}/access", "version")
    curator.send(f"{base}/access", {**sent, "access_zone": "2", "display_note": "Only for us"})
    group.refresh_from_db()
    assert (group.access_zone, group.display, group.display_note) == (2, False, "Only for us")
    curator.send(f"{base}/copy", {"name": "Sport again"})
    assert Group.objects.filter(name="Sport again", access_zone=2).exists()
    assert "group.update" in curator.see(f"{base}/history")
    assert "Notes" in curator.see(f"{base}/notes")


def test_the_tree_shows_all_levels(curator, desk):
    """However deep, and deeper than any page could draw."""
    row = desk.group(desk.target(name="At the bottom"), name="Level 0")
    for level in range(1, 40):
        row = desk.group(row, name=f"Level {level}", owner=row.owner)
    text = curator.see(f"/groups/{row.id}/tree")
    assert "Level 25" in text
    assert "At the bottom" not in text
    low = Group.objects.get(name="Level 3")
    assert "At the bottom" in curator.see(f"/groups/{low.id}/tree")


def test_the_harvest_page_tells_who_is_left_out(curator, desk):
    """And why."""
    pending = desk.target(name="Not yet", seeds=["http://a.example/"])
    ready = desk.approvable(state=State.APPROVED, name="Ready")
    group = desk.group(pending, ready, harvest_as=HarvestAs.COMBINED)
    text = curator.see(f"/groups/{group.id}/seeds")
    assert "http://www.site.example/" in text
    assert "It is pending, not approved." in text


def test_hostile_text_is_shown_as_text(curator, desk):
    """On every page of a group, and in notices."""
    target = desk.target(name=HOSTILE[:200], reference=HOSTILE[:200])
    group = desk.group(target, name=HOSTILE, description=HOSTILE, reference=HOSTILE, ownership_metadata=HOSTILE)
    curator.send(f"/groups/{group.id}/members", {"action": "remove", "row": [target.id]})
    for part in ("", "/members", "/tree", "/seeds", "/owner", "/history", "/copy"):
        assert "<script>alert" not in curator.see(f"/groups/{group.id}{part}")
    assert "<script>alert" not in curator.see("/groups")
    assert HOSTILE in Group.objects.get().name


def test_texts_that_are_too_long_are_refused(curator, desk):
    """With the limit."""
    answer = curator.send(
        "/groups/new",
        {"agency": desk.town.library.id, "name": "x" * 300, "description": "y" * 4_001, "harvest_as": "2"},
    )
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "255" in text
    assert "4000" in text
    assert not Group.objects.exists()


def test_the_list_filters_sorts_and_exports(curator, desk):
    """By status, type, owner, member and words."""
    target = desk.target(state=State.APPROVED)
    desk.group(target, name="Live", state=State.GROUP_ACTIVE, group_type="Event")
    desk.group(name="Asleep", group_type="Subject")
    for query in ({"q": "live"}, {"state": "9"}, {"type": "Event"}, {"member": str(target.id)}):
        text = curator.see("/groups", **query)
        assert "Live" in text
        assert "Asleep" not in text
    table = b"".join(curator.get("/groups", {"format": "csv", "sort": "-name"}).streaming_content).decode()
    assert table.index("Live") < table.index("Asleep")
    assert "Foreign" not in curator.see("/groups")


def test_groups_are_found_by_the_search_box(curator, desk):
    """And lead to their page."""
    group = desk.group(name="Rowing clubs")
    assert f'href="/groups/{group.id}"' in curator.see("/search", q="rowing")


def test_pages_ask_the_database_little(curator, desk, django_assert_max_num_queries):
    """However many members and groups there are."""
    owner = desk.town.user()
    targets = [desk.approvable(owner=owner, state=State.APPROVED) for _ in range(12)]
    inner = desk.group(*targets[:6], owner=owner)
    group = desk.group(inner, *targets, owner=owner)
    for _ in range(5):
        desk.group(*targets[:3], owner=owner)
    for path in ("/groups", f"/groups/{group.id}", f"/groups/{group.id}/members", f"/groups/{group.id}/tree",
                 f"/groups/{group.id}/seeds", f"/groups/{group.id}/owner", "/in-tray/assigned"):  # fmt: skip
        curator.see(path)
        with django_assert_max_num_queries(15):
            curator.see(path)


class TestOwnership:
    """Targets and groups change hands."""

    def test_an_owner_gives_a_group_away(self, curator, desk):
        """The new owner is told; so is the former one, when it was somebody else's."""
        heir = desk.town.user("heir", privileges=WORKER)
        group = desk.group()
        former = group.owner
        curator.send(f"/groups/{group.id}/owner", {"user": heir.id})
        group.refresh_from_db()
        assert group.owner_id == heir.id
        told = {(one.user_id, one.kind) for one in Notification.objects.all()}
        assert told == {(heir.id, "delegate-target"), (former.id, "transfer-target")}

    def test_one_who_takes_is_not_told_of_it(self, curator, desk):
        """The former owner is."""
        target = desk.target()
        answer = curator.send(f"/owners/target/{target.id}/take")
        assert answer["Location"] == f"/targets/{target.id}/owner"
        assert Target.objects.get().owner_id == curator.user.id
        assert [(one.user_id, one.kind) for one in Notification.objects.all()] == [(target.owner_id, "transfer-target")]

    def test_only_people_of_the_agency_can_own_its_things(self, curator, desk):
        """Neither deactivated users nor strangers."""
        target = desk.target()
        for user in (desk.town.user(agency=desk.town.museum, privileges=WORKER), desk.town.user()):
            answer = curator.send(f"/targets/{target.id}/owner", {"user": user.id})
            assert answer.status_code == 422
        assert Target.objects.get().owner_id == target.owner_id

    def test_without_the_privilege_nothing_is_offered(self, enter, desk):
        """Nor done."""
        reader = enter("reader", privileges={Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY})
        group = desk.group()
        text = reader.see(f"/groups/{group.id}/owner")
        assert "Make it mine" not in text
        assert reader.send(f"/owners/group/{group.id}/take").status_code == 403
        assert reader.send(f"/owners/user/{group.owner_id}/take").status_code == 404


class TestAssignments:
    """Somebody is asked to see to a target."""

    def test_an_assignment_runs_its_course(self, curator, enter, desk):
        """It appears in the in-tray, marked once overdue, and leaves it when done; the owner is told."""
        helper = enter("helper", privileges=WORKER)
        target = desk.target(name="Broken seeds")
        sent = {"user": helper.user.id, "due": "2020-01-31", "note": "Mend the seeds"}
        curator.send(f"/targets/{target.id}/assignment", sent)
        notice = Notification.objects.get(user=helper.user)
        assert (notice.kind, "Mend the seeds" in notice.message) == ("target-assigned", True)
        text = helper.see("/in-tray/assigned")
        assert "Broken seeds" in text
        assert "overdue" in text
        assert "overdue" in curator.see(f"/targets/{target.id}/owner")
        assert "Broken seeds" not in curator.see("/in-tray/assigned")
        assert helper.send(f"/targets/{target.id}/assignment/done", {"next": "/in-tray/assigned"}).status_code == 302
        assert "Nothing is assigned to you" in helper.see("/in-tray/assigned")
        assert "seen to" in Notification.objects.get(user=target.owner).subject

    def test_an_assignment_is_withdrawn(self, curator, desk):
        """Whoever was asked is told."""
        helper = desk.town.user(privileges=WORKER)
        target = desk.target(assigned_to=helper)
        curator.send(f"/targets/{target.id}/assignment/withdraw")
        assert Target.objects.get().assigned_to is None
        assert Notification.objects.get().user_id == helper.id
        assert curator.send(f"/targets/{target.id}/assignment/withdraw").status_code == 409
        assert curator.send(f"/targets/{target.id}/assignment/explode").status_code == 404

    def test_only_whoever_was_asked_says_done(self, curator, desk):
        """Not even whoever may change the target."""
        target = desk.target(assigned_to=desk.town.user(privileges=WORKER))
        assert curator.send(f"/targets/{target.id}/assignment/done").status_code == 403

    def test_somebody_else_takes_over(self, curator, desk):
        """Both are told."""
        first, second = desk.town.user(privileges=WORKER), desk.town.user(privileges=WORKER)
        target = desk.target(assigned_to=first)
        curator.send(f"/targets/{target.id}/assignment", {"user": second.id})
        assert set(Notification.objects.values_list("user_id", flat=True)) == {first.id, second.id}
        answer = curator.send(
            f"/targets/{target.id}/assignment", {"user": second.id, "due": "soon", "note": "x" * 1001}
        )
        assert answer.status_code == 422

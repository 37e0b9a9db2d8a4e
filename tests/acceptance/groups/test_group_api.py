"""Groups, owners and assignments by the API."""

import pytest

from opilio.curation.models import Group, GroupMember, State, Target
from opilio.people.actions.installation import prepare
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import error
from tests.curation import Desk

WORKER = {Privilege.MODIFY_TARGET: Scope.OWNER}


@pytest.fixture
def desk(office):
    prepare(office.town.system)
    return Desk(office.town)


def made(caller, office, **fields):
    answer = caller.post("/groups", {"name": "Elections", "agency": str(office.library.id), **fields})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_group_is_made_changed_and_deleted(caller, office, desk):
    """With words for what the tables hold as numbers."""
    group = made(caller, office, group_type="Event", harvest_as="together", end_date="2030-01-31")
    assert (group["state"], group["harvest_as"], group["access_zone"]) == ("pending", "together", "public")
    path = f"/groups/{group['id']}"
    changed = caller.patch(path, {"version": group["version"], "end_date": "", "access_zone": "restricted"})
    assert (changed.json()["end_date"], changed.json()["access_zone"]) == (None, "restricted")
    stale = error(caller.patch(path, {"version": 1, "description": "late"}), 409)
    assert stale["theirs"]["access_zone"] == 2
    assert caller.delete(path).status_code == 204
    assert caller.get(path).status_code == 404


def test_groups_are_listed_by_what_they_are(caller, office, desk):
    """Only those of one's agencies."""
    target = desk.target(state=State.APPROVED)
    desk.group(target, name="Live", state=State.GROUP_ACTIVE, group_type="Event")
    desk.group(name="Asleep")
    desk.group(name="Foreign", agency=office.museum)
    assert [one["name"] for one in caller.get("/groups").json()["items"]] == ["Asleep", "Live"]
    for query in ({"state": "active"}, {"q": "liv"}, {"group_type": "Event"}, {"member": str(target.id)}):
        assert [one["name"] for one in caller.get("/groups", **query).json()["items"]] == ["Live"]


def test_members_come_and_go(caller, office, desk):
    """All of a request, or none of it."""
    first, second = desk.target(state=State.APPROVED), desk.target()
    group, other = desk.group(), desk.group()
    path = f"/groups/{group.id}/members"
    answer = caller.post(path, {"members": [str(first.id), str(second.id)]})
    assert (answer.json()["state"], answer.json()["member_count"]) == ("active", 2)
    error(caller.post(path, {"members": [str(first.id)]}), 409)
    assert {one["kind"] for one in caller.get(path).json()["items"]} == {"target"}
    moved = caller.post(f"{path}/move", {"members": [str(first.id)], "into": str(other.id)})
    assert moved.json()["id"] == str(other.id)
    assert caller.post(f"{path}/remove", {"members": [str(second.id)]}).json()["member_count"] == 0
    assert list(GroupMember.objects.values_list("parent_id", "child_id")) == [(other.id, first.id)]


@pytest.mark.parametrize(
    "body", [{}, {"members": []}, {"members": ["x"]}, {"members": [1]}, {"members": "1"}, {"members": ["1"] * 1_001}]
)
def test_members_that_are_no_members_are_refused(caller, desk, body):
    """With the shape of all errors."""
    error(caller.post(f"/groups/{desk.group().id}/members", body), 422)


def test_circles_and_strangers_are_refused(caller, office, desk):
    """A foreign group is not there."""
    inner = desk.group()
    outer = desk.group(inner)
    told = error(caller.post(f"/groups/{inner.id}/members", {"members": [str(outer.id)]}), 409)
    assert "itself" in told["message"]
    foreign = desk.group(agency=office.museum)
    for path in ("", "/members", "/tree", "/seeds", "/description"):
        error(caller.get(f"/groups/{foreign.id}{path}"), 404)


def test_the_tree_the_seeds_and_the_description(caller, desk):
    """As the pages show them."""
    inner = desk.group(desk.target(name="Leaf", seeds=["http://a.example/"]), name="Inner")
    group = desk.group(inner, name="Top")
    tree = caller.get(f"/groups/{group.id}/tree").json()
    assert tree["members"][0]["members"][0]["name"] == "Leaf"
    harvest = caller.get(f"/groups/{group.id}/seeds").json()
    assert (harvest["seeds"], harvest["left_out"][0]["reason"]) == ([], "It is pending, not approved.")
    path = f"/groups/{group.id}/description"
    saved = caller.put(path, {"version": 0, "elements": {"title": "All of them"}}).json()
    assert saved["elements"]["title"] == "All of them"
    assert caller.get(path).json() == saved
    error(caller.put(path, {"version": 7, "elements": {"title": "Late"}}), 409)
    error(caller.put(path, {"version": 1, "elements": {"colour": "red"}}), 422)


def test_a_copy_is_made(caller, desk):
    """And belongs to whoever asked."""
    group = desk.group(desk.target())
    copy = caller.post(f"/groups/{group.id}/copy", {"name": "Again"}).json()
    assert (copy["member_count"], copy["owner"]["id"]) == (1, str(caller.user.id))


def test_owners_change(caller, office, desk):
    """By giving and by taking."""
    heir = office.user(privileges=WORKER)
    group = desk.group()
    given = caller.put(f"/owners/group/{group.id}", {"user": str(heir.id)}).json()
    assert given["owner"] == str(heir.id)
    taken = caller.post(f"/owners/group/{group.id}/take").json()
    assert taken["owner"] == str(caller.user.id)
    assert caller.get(f"/owners/group/{group.id}").json() == taken
    assert error(caller.put(f"/owners/group/{group.id}", {"user": "1"}), 422)["fields"]["user"]
    error(caller.get(f"/owners/user/{heir.id}"), 422)


def test_assignments_run_their_course(caller, office, desk):
    """Given, listed by whom it concerns, done."""
    helper = office.caller(privileges=WORKER)
    target = desk.target()
    body = {"user": str(helper.user.id), "due": "2020-01-31", "note": "Mend it"}
    assert caller.put(f"/assignments/{target.id}", body).json()["overdue"] is True
    assert [one["note"] for one in helper.get("/assignments").json()["items"]] == ["Mend it"]
    error(caller.post(f"/assignments/{target.id}/done"), 403)
    assert helper.post(f"/assignments/{target.id}/done").json()["user"] is None
    error(caller.delete(f"/assignments/{target.id}"), 409)
    caller.put(f"/assignments/{target.id}", body)
    assert caller.delete(f"/assignments/{target.id}").status_code == 204
    assert Target.objects.get().assigned_to is None


def test_who_may_nothing_sees_nothing(office, desk):
    """Neither groups nor owners."""
    nobody = office.caller()
    group = desk.group()
    for path in ("/groups", f"/groups/{group.id}", f"/owners/group/{group.id}", "/assignments"):
        error(nobody.get(path), 403)
    assert Group.objects.count() == 1

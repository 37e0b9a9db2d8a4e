"""Users through the API."""

import pytest

from opilio.people.actions.installation import prepare
from opilio.people.privileges import Privilege, Scope
from tests.people import PASSWORD


@pytest.fixture
def manager(office):
    """Manages the users of the library."""
    return office.manager(Privilege.MANAGE_USERS)


def new(office, **changes):
    return {"username": "reviewer", "agency": str(office.library.id), "password": PASSWORD, **changes}


def test_make_show_change(office, manager):
    """A user is made with a role, shown, and changed field by field."""
    prepare(office.town.system)
    role = office.town.role({Privilege.LOGIN: Scope.NONE})
    made = manager.post("/users", new(office, roles=[str(role.id)], title="Dr", notify_on_warnings=True))
    assert made.status_code == 201
    user = made.json()
    assert (user["title"], user["notify_on_warnings"], user["agency"]["name"]) == ("Dr", True, "Library")
    assert user["roles"] == [{"id": str(role.id), "name": role.name, "agency": user["agency"]}]
    path = f"/users/{user['id']}"
    changed = manager.patch(path, {"version": user["version"], "first_name": "Ada"})
    assert (changed.json()["first_name"], changed.json()["title"]) == ("Ada", "Dr")
    assert manager.get(path).json() == changed.json()
    assert "password" not in changed.json()


def test_filters(office, manager):
    """Users are found by part of a name, by agency and by whether they may sign in."""
    office.user("archivist", email="desk@library.example")
    barred = office.user("curator")
    manager.post(f"/users/{barred.id}/deactivate")
    assert names(manager, q="RCHIV") == names(manager, q="desk@") == ["archivist"]
    assert names(manager, active="false") == ["curator"]
    assert "curator" not in names(manager, active="true")
    assert names(manager, agency=str(office.museum.id)) == []


def names(caller, **query):
    return [one["username"] for one in caller.get("/users", **query).json()["items"]]


def test_deactivate_and_activate(office, manager, fault):
    """A deactivated user is shut out at once, and let in again later."""
    caller = office.caller()
    path = f"/users/{caller.user.id}"
    barred = manager.post(f"{path}/deactivate").json()
    assert (barred["is_active"], barred["deactivated_at"] is None) == (False, False)
    fault(caller.get("/me"), 401)
    assert manager.post(f"{path}/activate").json()["is_active"] is True
    assert caller.get("/me").status_code == 200


def test_nobody_deactivates_themselves(manager, fault):
    """A manager cannot shut the door behind themselves."""
    fault(manager.post(f"/users/{manager.user.id}/deactivate"), 403)


def test_set_roles(office, manager, fault):
    """The whole set of roles is replaced; a role that is not there is named."""
    user, role = office.user(), office.town.role({Privilege.VIEW_PROFILES: Scope.AGENCY})
    answer = manager.put(f"/users/{user.id}/roles", {"roles": [str(role.id)]})
    assert [one["id"] for one in answer.json()["roles"]] == [str(role.id)]
    assert "roles" in fault(manager.put(f"/users/{user.id}/roles", {"roles": ["404"]}), 422)["fields"]


def test_a_role_over_everything_is_not_given_away(office, manager, fault):
    """Who lacks a privilege over everything cannot give a role that has it."""
    role = office.town.role({Privilege.MANAGE_USERS: Scope.ALL})
    fault(manager.put(f"/users/{office.user().id}/roles", {"roles": [str(role.id)]}), 403)


def test_reset_password(office, manager, fault):
    """A manager gives a new password, which must be changed at the next sign-in; a weak one is refused."""
    user = office.user()
    answer = manager.post(f"/users/{user.id}/password", {"new": "another four unrelated words"})
    assert answer.json()["force_password_change"] is True
    assert fault(manager.post(f"/users/{user.id}/password", {"new": "short"}), 422)["code"] == "weak-password"


def test_delete(office, manager, fault):
    """A deleted user is gone from lists, and cannot be deleted twice."""
    user = office.user("reader")
    assert manager.delete(f"/users/{user.id}").status_code == 204
    assert "reader" not in names(manager)
    fault(manager.delete(f"/users/{user.id}"), 404)


@pytest.mark.parametrize("verb", ["", "/activate", "/deactivate", "/password", "/roles", "/delete"])
def test_other_agency_is_hidden(office, manager, fault, verb):
    """Nothing can be done to users of another agency, and the answer does not tell that they exist."""
    foreign = office.user("foreigner", agency=office.museum)
    path = f"/users/{foreign.id}"
    calls = {
        "": lambda: manager.patch(path, {"version": 1, "phone": "1"}),
        "/password": lambda: manager.post(f"{path}/password", {"new": PASSWORD}),
        "/roles": lambda: manager.put(f"{path}/roles", {"roles": []}),
        "/delete": lambda: manager.delete(path),
    }
    answer = calls.get(verb, lambda: manager.post(f"{path}{verb}"))()
    fault(answer, 404)
    assert b"foreigner" not in answer.content
    fault(manager.get(path), 404)
    assert "foreigner" not in names(manager)


def test_denied(office, fault):
    """Without the privilege nothing is listed, shown, made or changed."""
    caller, user = office.caller(), office.user("secretive")
    path = f"/users/{user.id}"
    for answer in (
        caller.get("/users"),
        caller.get(path),
        caller.post("/users", new(office)),
        caller.patch(path, {"version": 1}),
        caller.delete(path),
        caller.post(f"{path}/deactivate"),
    ):
        fault(answer, 403)
        assert b"secretive" not in answer.content


def test_make_in_another_agency(office, manager, fault):
    """A user of another agency cannot be made."""
    fault(manager.post("/users", new(office, agency=str(office.museum.id))), 403)


def test_move_to_another_agency(office, manager, fault):
    """Moving a user needs the privilege in both agencies."""
    user = office.user()
    body = {"version": user.version, "agency": str(office.museum.id)}
    fault(manager.patch(f"/users/{user.id}", body), 403)
    over_all = office.manager(Privilege.MANAGE_USERS, Scope.ALL)
    assert over_all.patch(f"/users/{user.id}", body).json()["agency"]["name"] == "Museum"


def test_stale(office, manager, fault):
    """The second change from the same version gets both versions, with identifiers as strings."""
    user = office.user()
    path = f"/users/{user.id}"
    assert manager.patch(path, {"version": user.version, "phone": "1"}).status_code == 200
    stale = fault(manager.patch(path, {"version": user.version, "phone": "2"}), 409)
    assert (stale["mine"], stale["theirs"]["phone"]) == ({"phone": "2"}, "1")
    assert stale["theirs"]["agency_id"] == str(office.library.id)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": "two words"}, "username"),
        ({"username": ""}, "username"),
        ({"username": "x" * 151}, "username"),
        ({"username": 7}, "username"),
        ({"agency": 7}, "agency"),
        ({"email": "nobody"}, "email"),
        ({"title": "Emperor"}, "title"),
        ({"time_zone": "Atlantis"}, "time_zone"),
        ({"external_auth": "yes"}, "external_auth"),
        ({"roles": ["x"]}, "roles.0"),
        ({"roles": ["1"] * 101}, "roles"),
        ({"is_active": False}, "is_active"),
    ],
)
def test_bad_fields(office, manager, fault, changes, field):
    """Each field that cannot be used is named."""
    assert field in fault(manager.post("/users", new(office, **changes)), 422)["fields"]


def test_name_taken(office, manager, fault):
    """A user name is given once, whatever its case."""
    office.user("reviewer")
    assert "username" in fault(manager.post("/users", new(office, username="Reviewer")), 422)["fields"]


def test_agency_of_nothing(office, fault):
    """A home agency that is not there is 404."""
    fault(office.manager(Privilege.MANAGE_USERS, Scope.ALL).post("/users", new(office, agency="404")), 404)


def test_null_changes_nothing(office, manager):
    """A field that is null is left as it is, like one that was not sent."""
    user = office.user(phone="12")
    answer = manager.patch(f"/users/{user.id}", {"version": user.version, "phone": None, "agency": None})
    assert (answer.json()["phone"], answer.json()["version"]) == ("12", user.version)

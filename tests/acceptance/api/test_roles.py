"""Roles and privileges through the API."""

import pytest

from opilio.people.privilege_list import PRIVILEGES
from opilio.people.privileges import Privilege, Scope


@pytest.fixture
def ready_roles():
    """The agencies have the ready roles."""
    return True


@pytest.fixture
def manager(office):
    """Manages the roles of the library."""
    return office.manager(Privilege.MANAGE_ROLES)


def new(office, **changes):
    privileges = {"CREATE_TARGET": "owner", "VIEW_AUDIT": "agency"}
    return {"agency": str(office.library.id), "name": "Helper", "privileges": privileges, **changes}


def test_make_change_delete(office, manager, fault):
    """A role is made with privileges, changed in part, and deleted."""
    made = manager.post("/roles", new(office))
    assert (made.status_code, made.json()["privileges"]) == (201, new(office)["privileges"])
    path = f"/roles/{made.json()['id']}"
    renamed = manager.patch(path, {"version": 1, "name": "Aide"}).json()
    assert (renamed["name"], renamed["privileges"], renamed["version"]) == ("Aide", new(office)["privileges"], 2)
    cut = manager.patch(path, {"version": 2, "privileges": {"VIEW_AUDIT": "agency"}}).json()
    assert (cut["name"], cut["privileges"], cut["privilege_count"]) == ("Aide", {"VIEW_AUDIT": "agency"}, 1)
    assert manager.delete(path).status_code == 204
    fault(manager.get(path), 404)


def test_holders_feel_it_at_once(office, manager):
    """What a role no longer allows, its holders' tokens no longer do."""
    caller = office.manager(Privilege.VIEW_AUDIT)
    held = manager.get("/roles", limit="500").json()["items"]
    role = next(one for one in held if one["name"].startswith("role ") and one["privilege_count"] == 3
                and "VIEW_AUDIT" in manager.get(f"/roles/{one['id']}").json()["privileges"])  # fmt: skip
    assert caller.get("/audit").status_code == 200
    manager.patch(f"/roles/{role['id']}", {"version": role["version"], "privileges": {"LOGIN": "none"}})
    assert caller.get("/audit").status_code == 403


def test_list_and_filter(office):
    """Roles are found by agency and part of the name."""
    caller = office.manager(Privilege.MANAGE_ROLES, Scope.ALL)
    items = caller.get("/roles", q="curat", agency=str(office.museum.id)).json()["items"]
    assert [(one["name"], one["agency"]["name"]) for one in items] == [("Curator", "Museum")]


def test_other_agency_is_hidden(office, manager, fault):
    """Roles of another agency are neither listed nor shown nor changed."""
    role = office.town.role({Privilege.VIEW_AUDIT: Scope.AGENCY}, agency=office.museum)
    assert {one["agency"]["name"] for one in manager.get("/roles").json()["items"]} == {"Library"}
    fault(manager.get(f"/roles/{role.id}"), 404)
    fault(manager.patch(f"/roles/{role.id}", {"version": 1, "name": "x"}), 404)
    fault(manager.delete(f"/roles/{role.id}"), 404)
    fault(manager.post("/roles", new(office, agency=str(office.museum.id))), 403)


def test_denied(office, fault):
    """Managing users shows roles but does not change them; without either they are not shown."""
    role = office.town.role({Privilege.VIEW_AUDIT: Scope.AGENCY})
    reader = office.manager(Privilege.MANAGE_USERS)
    assert reader.get(f"/roles/{role.id}").status_code == 200
    fault(reader.patch(f"/roles/{role.id}", {"version": 1, "name": "x"}), 403)
    fault(reader.post("/roles", new(office)), 403)
    fault(reader.delete(f"/roles/{role.id}"), 403)
    fault(office.caller().get("/roles"), 403)


def test_nothing_over_everything(office, manager, fault):
    """Who holds a privilege in an agency cannot give it over everything."""
    fault(manager.post("/roles", new(office, privileges={"MANAGE_ROLES": "all"})), 403)


def test_stale(office, manager, fault):
    """The second change from the same version is refused with both."""
    role = office.town.role({Privilege.VIEW_AUDIT: Scope.AGENCY}, name="Before")
    manager.patch(f"/roles/{role.id}", {"version": 1, "name": "Theirs"})
    stale = fault(manager.patch(f"/roles/{role.id}", {"version": 1, "name": "Mine"}), 409)
    assert (stale["mine"]["name"], stale["theirs"]["name"]) == ("Mine", "Theirs")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"privileges": {"EVERYTHING": "all"}}, "privileges.EVERYTHING.[key]"),
        ({"privileges": {"VIEW_AUDIT": "some"}}, "privileges.VIEW_AUDIT"),
        ({"privileges": {"LOGIN": "agency"}}, "privileges"),
        ({"privileges": ["LOGIN"]}, "privileges"),
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "Curator"}, "__all__"),
        ({"agency": "x"}, "agency"),
    ],
)
def test_bad_fields(office, manager, fault, changes, field):
    """Each field that cannot be used is named."""
    assert field in fault(manager.post("/roles", new(office, **changes)), 422)["fields"]


def test_privileges(office):
    """All privileges are listed with their sentence and scopes."""
    listed = office.caller().get("/privileges").json()
    assert len(listed) == len(PRIVILEGES)
    assert next(one for one in listed if one["privilege"] == "LOGIN")["scopes"] == ["none"]

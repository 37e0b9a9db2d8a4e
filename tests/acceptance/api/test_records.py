"""Lists, parameters, annotations, saved views and deleted rows through the API."""

import pytest

from opilio.people.actions.installation import prepare
from opilio.people.privileges import Privilege, Scope

TITLES = "/lists/user-title/entries"


@pytest.fixture
def configurer(office):
    """May change lists and parameters, which are filled."""
    prepare(office.town.system)
    return office.manager(Privilege.CONFIGURE_PARAMETERS, Scope.NONE)


def test_lists(configurer):
    """The lists and their entries are shown in order."""
    names = [one["name"] for one in configurer.get("/lists").json()]
    assert names == [
        "user-title", "access-status", "selection-type", "harvest-type", "group-type", "dublin-core-type",
    ]  # fmt: skip
    entries = configurer.get(TITLES).json()["items"]
    assert [one["value"] for one in entries] == ["Dr", "Mr", "Mrs", "Ms", "Mx", "Prof"]


def test_add_change_delete_entry(configurer, fault):
    """An entry is added, retired, and deleted; a stale change is refused."""
    made = configurer.post(TITLES, {"value": "Dame", "position": 9})
    assert (made.status_code, made.json()["label"]) == (201, "Dame")
    path = f"{TITLES}/{made.json()['id']}"
    changed = configurer.patch(path, {"version": 1, "active": False}).json()
    assert (changed["active"], changed["label"], changed["position"]) == (False, "Dame", 9)
    assert fault(configurer.patch(path, {"version": 1, "label": "x"}), 409)["theirs"]["active"] is False
    assert configurer.delete(path).status_code == 204
    fault(configurer.patch(path, {"version": 2, "label": "x"}), 404)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"value": ""}, "value"), ({"value": "Dr"}, "__all__"), ({"value": "x", "position": -1}, "position"),
        ({"value": "x", "position": 10**30}, "position"), ({"value": "x", "position": "1"}, "position"), ({}, "value"),
    ],
)  # fmt: skip
def test_bad_entries(configurer, fault, body, field):
    """Each field that cannot be used is named."""
    assert field in fault(configurer.post(TITLES, body), 422)["fields"]


def test_unknown_list(configurer, fault):
    """A list that there is not is 404."""
    fault(configurer.get("/lists/nothing/entries"), 404)
    fault(configurer.post("/lists/nothing/entries", {"value": "x"}), 404)


def test_lists_are_read_by_all_and_changed_by_few(office, configurer, fault):
    """Everybody reads lists; without the privilege nothing is changed."""
    caller = office.caller()
    entry = caller.get(TITLES).json()["items"][0]
    path = f"{TITLES}/{entry['id']}"
    fault(caller.post(TITLES, {"value": "x"}), 403)
    fault(caller.patch(path, {"version": 1, "label": "x"}), 403)
    fault(caller.delete(path), 403)


def test_parameters(configurer):
    """A parameter is changed from the version that was read, and put back to its default."""
    assert _parameter(configurer, "rows_per_page") == (50, 50, 1)
    changed = configurer.put("/parameters/rows_per_page", {"value": 100, "version": 1})
    assert (changed.json()["value"], changed.json()["version"], changed.headers["ETag"]) == (100, 2, '"2"')
    assert _parameter(configurer, "rows_per_page") == (100, 50, 2)
    for name, value in (("offer_cross_agency_search", False), ("institution", "House")):
        answer = configurer.put(f"/parameters/{name}", {"value": value}, **{"If-Match": '"1"'})
        assert answer.json()["value"] == value
    assert configurer.delete("/parameters/rows_per_page").status_code == 204
    assert configurer.delete("/parameters/rows_per_page").status_code == 204
    assert _parameter(configurer, "rows_per_page") == (50, 50, 3)


def test_stale_parameters(configurer, fault):
    """A change or reset from an older version is refused with both values; without a version nothing is changed."""
    configurer.put("/parameters/institution", {"value": "Theirs", "version": 1})
    stale = fault(configurer.put("/parameters/institution", {"value": "Mine", "version": 1}), 409)
    assert (stale["code"], stale["mine"], stale["theirs"]) == (
        "stale",
        {"institution": "Mine"},
        {"institution": "Theirs"},
    )
    fault(configurer.delete("/parameters/institution", **{"If-Match": '"1"'}), 409)
    assert "version" in fault(configurer.put("/parameters/institution", {"value": "Mine"}), 422)["fields"]
    both = configurer.put("/parameters/institution", {"value": "Mine", "version": 2}, **{"If-Match": '"1"'})
    assert "version" in fault(both, 422)["fields"]
    assert _parameter(configurer, "institution")[0] == "Theirs"
    assert configurer.delete("/parameters/institution", **{"If-Match": '"2"'}).status_code == 204


def _parameter(caller, name):
    found = next(one for one in caller.get("/parameters").json() if one["name"] == name)
    return found["value"], found["default"], found["version"]


@pytest.mark.parametrize(
    ("name", "value", "field"),
    [
        ("rows_per_page", "100", "value"), ("rows_per_page", 5, "rows_per_page"), ("rows_per_page", True, "value"),
        ("offer_cross_agency_search", "banana", "value"), ("institution", 1, "value"),
        ("institution", "x" * 2_001, "institution"), ("rows_per_page", 1.5, "value.bool"),
    ],
)  # fmt: skip
def test_bad_values(configurer, fault, name, value, field):
    """A value must have the type and range of the parameter."""
    assert field in fault(configurer.put(f"/parameters/{name}", {"value": value, "version": 1}), 422)["fields"]


def test_parameters_denied(office, configurer, fault):
    """Without the privilege parameters are neither shown nor changed; an unknown one is 404."""
    caller = office.caller()
    fault(caller.get("/parameters"), 403)
    fault(caller.put("/parameters/rows_per_page", {"value": 100}), 403)
    fault(caller.delete("/parameters/rows_per_page"), 403)
    fault(configurer.put("/parameters/nothing", {"value": 1}), 404)
    fault(configurer.delete("/parameters/nothing"), 404)


def test_annotations(office, fault):
    """A note is pinned to a user, reworded by its author with its history, and deleted."""
    author = office.manager(Privilege.MANAGE_USERS)
    reader = office.manager(Privilege.MANAGE_USERS)
    row = f"/annotations/user/{office.user().id}"
    made = author.post(row, {"note": "First."})
    assert (made.status_code, made.json()["author"]["username"]) == (201, author.user.username)
    note = f"/annotations/{made.json()['id']}"
    changed = author.patch(note, {"version": 1, "note": "Second.", "alertable": True}).json()
    assert ([one["note"] for one in changed["edits"]], changed["alertable"]) == (["First."], True)
    assert author.patch(note, {"version": 2, "note": "Third."}).json()["alertable"] is True
    assert fault(author.patch(note, {"version": 1, "note": "Late."}), 409)["theirs"]["note"] == "Third."
    assert [one["note"] for one in reader.get(row).json()["items"]] == ["Third."]
    fault(reader.patch(note, {"version": 3, "note": "Not mine."}), 403)
    assert author.delete(note).status_code == 204
    fault(author.get(note), 404)


def test_annotations_of_another_agency(office, fault):
    """Notes on rows of another agency are neither seen nor written."""
    user = office.user("secretive")
    row = f"/annotations/user/{user.id}"
    note = f"/annotations/{office.manager(Privilege.MANAGE_USERS).post(row, {'note': 'Here.'}).json()['id']}"
    foreign = office.manager(Privilege.MANAGE_USERS, agency=office.museum)
    for answer in (foreign.get(row), foreign.post(row, {"note": "x"}), foreign.get(note), foreign.delete(note)):
        fault(answer, 404)
        assert b"secretive" not in answer.content


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/annotations/nothing/1", {"note": "x"}, 404), ("/annotations/user/404", {"note": "x"}, 404),
        ("/annotations/user/{user}", {"note": ""}, 422), ("/annotations/user/{user}", {"note": " "}, 422),
        ("/annotations/user/{user}", {"note": "x" * 10_001}, 422), ("/annotations/user/{user}", {}, 422),
    ],
)  # fmt: skip
def test_bad_annotations(office, fault, path, body, status):
    """A note has words, and a row that is there."""
    caller = office.manager(Privilege.MANAGE_USERS)
    fault(caller.post(path.format(user=caller.user.id), body), status)


def test_deleted_rows(office, fault):
    """What was deleted is counted, listed and restored by who may; to others it does not exist."""
    manager = office.manager(Privilege.MANAGE_USERS)
    user = office.user("reader")
    manager.delete(f"/users/{user.id}")
    assert {"kind": "user", "label": "Users", "count": 1} in manager.get("/deleted").json()
    (row,) = manager.get("/deleted/user").json()["items"]
    assert (row["id"], row["name"], row["updated_by"]) == (str(user.id), "reader", manager.user.username)
    foreign = office.manager(Privilege.MANAGE_USERS, agency=office.museum)
    path = f"/deleted/user/{user.id}/restore"
    for caller in (foreign, office.caller()):
        assert caller.get("/deleted/user").json()["items"] == []
        fault(caller.post(path), 404)
    assert manager.post(path).json()["deleted"] is False
    assert manager.get(f"/users/{user.id}").status_code == 200
    fault(manager.post(path), 404)


def test_deleted_of_unknown_kind(office, fault):
    """A kind that there is not is 404."""
    fault(office.caller().get("/deleted/nothing"), 404)
    fault(office.caller().post("/deleted/nothing/1/restore"), 404)


def test_restore_in_the_way(office, fault):
    """A row whose name was taken meanwhile is not restored."""
    caller = office.manager(Privilege.MANAGE_ROLES)
    role = office.town.role({Privilege.VIEW_AUDIT: Scope.AGENCY}, name="Helper")
    caller.delete(f"/roles/{role.id}")
    office.town.role({Privilege.VIEW_AUDIT: Scope.AGENCY}, name="Helper")
    assert fault(caller.post(f"/deleted/role/{role.id}/restore"), 422)["fields"]


def test_views(office, fault):
    """A view is kept, replaced under its name, shared in the agency, and deleted by its owner."""
    owner, colleague = office.caller(), office.caller()
    foreigner = office.caller(agency=office.museum)
    body = {"page": "users", "name": "inactive", "query": "active=no", "shared": True}
    view = owner.put("/views", body).json()
    assert owner.put("/views", {**body, "query": "active=yes"}).json()["id"] == view["id"]
    (seen,) = colleague.get("/views", page="users").json()["items"]
    assert (seen["query"], seen["owner"]) == ("active=yes", str(owner.user.id))
    assert foreigner.get("/views", page="users").json()["items"] == []
    fault(colleague.delete(f"/views/{view['id']}"), 404)
    assert owner.delete(f"/views/{view['id']}").status_code == 204
    assert colleague.get("/views", page="users").json()["items"] == []
    assert "page" in fault(owner.get("/views"), 422)["fields"]
    assert "name" in fault(owner.put("/views", {**body, "name": "x" * 101}), 422)["fields"]

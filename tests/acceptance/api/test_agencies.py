"""Agencies through the API."""

import pytest

from opilio.people.privileges import Privilege, Scope


def test_make_show_change_delete(office, fault):
    """Whoever manages all agencies makes one, changes it and deletes it."""
    caller = office.manager(Privilege.MANAGE_AGENCIES, Scope.ALL)
    made = caller.post("/agencies", {"name": "Archive", "email": "office@archive.example", "with_roles": False})
    assert (made.status_code, made.json()["role_count"]) == (201, 0)
    path = f"/agencies/{made.json()['id']}"
    changed = caller.patch(path, {"version": 1, "fax": "123"})
    assert (changed.json()["fax"], changed.json()["email"]) == ("123", "office@archive.example")
    assert changed.headers["ETag"] == '"2"'
    assert caller.delete(path).status_code == 204
    fault(caller.get(path), 404)


def test_ready_roles(office):
    """A new agency starts with the ready roles unless told otherwise."""
    caller = office.manager(Privilege.MANAGE_AGENCIES, Scope.ALL)
    assert caller.post("/agencies", {"name": "Archive"}).json()["role_count"] == 7


def test_list_and_filter(office):
    """The list holds what the asker manages, narrowed by part of the name."""
    caller = office.manager(Privilege.MANAGE_AGENCIES, Scope.ALL)
    assert [one["name"] for one in caller.get("/agencies").json()["items"]] == ["Library", "Museum"]
    assert [one["name"] for one in caller.get("/agencies", q="muse").json()["items"]] == ["Museum"]


def test_other_agency_is_hidden(office, fault):
    """An agency that the asker does not manage is neither listed nor shown nor changed."""
    caller = office.manager(Privilege.MANAGE_AGENCIES)
    assert [one["name"] for one in caller.get("/agencies").json()["items"]] == ["Library"]
    museum = f"/agencies/{office.museum.id}"
    fault(caller.get(museum), 404)
    fault(caller.patch(museum, {"version": 1, "fax": "1"}), 404)
    fault(caller.delete(museum), 404)
    assert fault(caller.post("/agencies", {"name": "Archive"}), 403)["code"] == "not-allowed"


def test_denied(office, fault):
    """Without a privilege over people there are no agencies to see or change."""
    caller = office.manager(Privilege.VIEW_AUDIT)
    library = f"/agencies/{office.library.id}"
    for answer in (
        caller.get("/agencies"),
        caller.get(library),
        caller.patch(library, {"version": 1}),
        caller.delete(library),
    ):
        assert fault(answer, 403)["code"] == "not-allowed"


def test_stale(office, fault):
    """A change of an older version is refused with both versions."""
    caller = office.manager(Privilege.MANAGE_AGENCIES)
    path = f"/agencies/{office.library.id}"
    assert caller.patch(path, {"fax": "1"}, **{"If-Match": '"1"'}).status_code == 200
    stale = fault(caller.patch(path, {"fax": "2"}, **{"If-Match": '"1"'}), 409)
    assert (stale["mine"], stale["theirs"]["fax"]) == ({"fax": "2"}, "1")
    assert caller.get(path).json()["fax"] == "1"


def test_delete_from_an_older_version(office, fault):
    """A deletion that names an older version is refused."""
    caller = office.manager(Privilege.MANAGE_AGENCIES, Scope.ALL)
    made = caller.post("/agencies", {"name": "Archive"}).json()
    caller.patch(f"/agencies/{made['id']}", {"version": 1, "fax": "1"})
    assert fault(caller.delete(f"/agencies/{made['id']}", **{"If-Match": '"1"'}), 409)["code"] == "stale"


def test_in_use(office, fault):
    """An agency that still has users is not deleted."""
    office.user()
    caller = office.manager(Privilege.MANAGE_AGENCIES, Scope.ALL)
    assert fault(caller.delete(f"/agencies/{office.library.id}"), 409)["code"] == "in-use"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"fax": "1"}, "version"),
        ({"version": 0}, "version"),
        ({"version": "1"}, "version"),
        ({"version": 1, "email": "nobody"}, "email"),
        ({"version": 1, "time_zone": "Atlantis"}, "time_zone"),
        ({"version": 1, "address": "x" * 1_001}, "address"),
        ({"version": 1, "name": "  "}, "name"),
        ({"version": 1, "name": "Museum"}, "__all__"),
        ({"version": 1, "colour": "red"}, "colour"),
    ],
)
def test_bad_fields(office, fault, body, field):
    """Each field that cannot be used is named."""
    caller = office.manager(Privilege.MANAGE_AGENCIES, Scope.ALL)
    assert field in fault(caller.patch(f"/agencies/{office.library.id}", body), 422)["fields"]


@pytest.mark.parametrize("tag", ["1", "*", '"1", "2"', '"x"', '"99999999999"'])
def test_bad_if_match(office, fault, tag):
    """An If-Match that is no single ETag of ours is refused."""
    answer = office.manager(Privilege.MANAGE_AGENCIES).patch(
        f"/agencies/{office.library.id}", {"fax": "1"}, **{"If-Match": tag}
    )
    assert "If-Match" in fault(answer, 422)["fields"]


def test_versions_that_differ(office, fault):
    """A version in the body that differs from If-Match is refused."""
    answer = office.manager(Privilege.MANAGE_AGENCIES).patch(
        f"/agencies/{office.library.id}", {"version": 2, "fax": "1"}, **{"If-Match": '"1"'}
    )
    assert "version" in fault(answer, 422)["fields"]

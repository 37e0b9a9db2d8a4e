"""Profiles, overrides and credentials by the API."""

import pytest

from opilio.curation.models import Credential, Profile
from tests.acceptance.api.conftest import error
from tests.curation import Desk

SECRET = "correct-horse-battery"


@pytest.fixture
def desk(office):
    return Desk(office.town)


def made(caller, office, **fields):
    answer = caller.post("/profiles", {"name": "Weekly", "agency": str(office.library.id), **fields})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_profile_lives_by_the_api(caller, office):
    """Made, changed, compared, copied, switched, deleted."""
    row = made(caller, office, settings={"limits": {"pages": 5}}, level=2)
    assert (row["level"], row["status"], row["settings"]["limits"]["pages"]) == (2, "active", 5)
    path = f"/profiles/{row['id']}"
    changed = caller.patch(path, {"version": 1, "settings": {"limits": {"pages": 9}}})
    assert changed.json()["settings"]["limits"]["pages"] == 9
    found = caller.get(f"{path}/difference", before=1, after=2).json()
    assert found == [{"place": "limits.pages", "before": 5, "after": 9}]
    assert [one["number"] for one in caller.get(f"{path}/versions").json()] == [2, 1]
    copy = caller.post(f"{path}/copy", {"name": "Copy"}).json()
    assert caller.post(f"/profiles/{copy['id']}/deactivate").json()["status"] == "inactive"
    assert caller.post(f"/profiles/{copy['id']}/activate").json()["status"] == "active"
    assert caller.post(f"/profiles/{copy['id']}/default").json()["is_default"]
    assert caller.post(f"{path}/transfer", {"into": copy["id"]}).json() == {"count": 0}
    assert caller.delete(path).status_code == 204
    assert [one["name"] for one in caller.get("/profiles").json()["items"]] == ["Copy"]


def test_wrong_settings_have_their_places(caller, office):
    """The error names every field."""
    body = {
        "name": "X",
        "agency": str(office.library.id),
        "settings": {"limits": {"pages": -1}, "fetch": {"since": "/etc"}},
    }
    assert set(error(caller.post("/profiles", body), 422)["fields"]) == {"limits.pages", "fetch.since"}
    assert not Profile.objects.exists()


def test_overrides_and_credentials_by_the_api(caller, desk):
    """A secret can be sent, and no answer holds it."""
    target = desk.target()
    path = f"/overrides/{target.pk}"
    assert caller.get(path).json()["version"] == 1
    changed = caller.patch(path, {"version": 1, "max_hops": 3, "exclusions": ["/a/"], "overrides": {"max_hops": True}})
    assert (changed.json()["max_hops"], changed.json()["overrides"]["max_hops"]) == (3, True)
    error(caller.patch(path, {"version": 1, "max_hops": 4}), 409)
    error(caller.patch(path, {"version": 3, "overrides": {"colour": True}}), 422)
    error(caller.patch(path, {"version": 3, "exclusions": ["(?=x)"]}), 422)
    (found,) = caller.post(f"{path}/try", {"exclusions": ["/a/"], "urls": ["http://s.example/a/b"]}).json()
    assert (found["kept"], found["pattern"]) == (False, "/a/")
    body = {"kind": "basic", "domain": "www.site.example", "username": "reader", "secret": SECRET}
    answer = caller.post(f"{path}/credentials", body)
    assert answer.status_code == 201
    assert answer.json()["has_secret"]
    number = answer.json()["id"]
    refused = caller.patch(f"/overrides/credentials/{number}", {"version": 1, "domain": "evil.example"})
    assert "secret" in error(refused, 422)["fields"]
    fine = caller.patch(f"/overrides/credentials/{number}", {"version": 1, "secret": "other"})
    texts = [one.content.decode() for one in (answer, refused, fine, caller.get(path))]
    assert not any(SECRET in text or Credential.objects.get().secret in text for text in texts)
    assert caller.delete(f"/overrides/credentials/{number}").status_code == 204


def test_what_is_foreign_is_not_there(caller, office, desk):
    """Profiles and overrides of another agency."""
    foreign = desk.profile(agency=office.museum, settings={"version": 1})
    target = desk.target(agency=office.museum)
    for path in (f"/profiles/{foreign.pk}", f"/profiles/{foreign.pk}/versions", f"/overrides/{target.pk}"):
        error(caller.get(path), 404)
    error(
        caller.post(f"/overrides/{target.pk}/credentials", {"kind": "basic", "domain": "a.example", "secret": "x"}), 404
    )
    error(caller.patch(f"/profiles/{foreign.pk}", {"version": 1, "name": "Mine"}), 404)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 256},
        {"settings": []},
        {"level": 9},
        {"colour": 1},
        {"settings": {"a": "\u0000"}},
    ],
)
def test_hostile_bodies_are_refused(caller, office, body):
    """Wrong types, lengths and names of fields."""
    given = {"name": "Fine", "agency": str(office.library.id), **body} if body else {}
    error(caller.post("/profiles", given), 422)

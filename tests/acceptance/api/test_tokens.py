"""Who may call the API, and what a token allows."""

import datetime

import pytest

from opilio.people.actions.users import deactivate_user
from opilio.people.privileges import Privilege, Scope


def test_a_token_speaks_for_its_user(office):
    """The asker is told who they are and what the token lets them do."""
    caller = office.caller(username="curator", privileges={Privilege.MANAGE_USERS: Scope.AGENCY})
    answer = caller.get("/me")
    assert answer.status_code == 200
    me = answer.json()
    assert (me["username"], me["id"], me["agency"]["name"]) == ("curator", str(caller.user.id), "Library")
    assert {"privilege": "MANAGE_USERS", "scope": "agency", "agency": str(office.library.id)} in me["grants"]
    assert answer.headers["ETag"] == f'"{me["version"]}"'


def test_no_token(stranger, fault):
    """Without credentials the answer is 401, with the challenge."""
    answer = stranger.get("/me")
    assert fault(answer, 401)["code"] == "not-signed-in"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("header", ["Basic Y3VyYXRvcjp4", "opilio_abc", "Bearer"])
def test_another_scheme(stranger, fault, header):
    """Credentials that are no bearer token are refused."""
    fault(stranger.raw("GET", "/me", b"", Authorization=header), 401)


@pytest.mark.parametrize("secret", ["opilio_0123456789_nonsense", "nonsense", "opilio_", "opilio_é_é", "x" * 5_000])
def test_unknown_token(stranger, fault, secret):
    """A token that was never made is refused."""
    assert fault(stranger.raw("GET", "/me", b"", Authorization=f"Bearer {secret}"), 401)["code"] == "token-refused"


def test_changed_secret(office, stranger, fault):
    """The right prefix with another secret is refused."""
    secret = office.secret(office.user())
    fault(
        stranger.raw("GET", "/me", b"", Authorization=f"Bearer {secret[:-1]}{'a' if secret[-1] != 'a' else 'b'}"), 401
    )


def test_expired_token(office, stranger, fault):
    """After its time a token is refused, and the answer says when it ended."""
    secret = office.expired_secret(office.user())
    assert "expired on 2020" in fault(stranger.raw("GET", "/me", b"", Authorization=f"Bearer {secret}"), 401)["message"]


def test_revoked_token(office, fault):
    """A token can end itself, and is refused from then on."""
    caller = office.caller()
    (token,) = caller.get("/tokens").json()["items"]
    assert caller.post(f"/tokens/{token['id']}/revoke").json()["revoked_at"] is not None
    assert "revoked" in fault(caller.get("/me"), 401)["message"]


def test_deactivated_user(office, fault):
    """The tokens of a deactivated user stop working."""
    caller = office.caller()
    deactivate_user(office.town.system, user_id=caller.user.id)
    fault(caller.get("/me"), 401)


def test_narrow_token(office, fault):
    """A token cannot do what is not among its scopes, though its user could."""
    user = office.user(privileges={Privilege.MANAGE_USERS: Scope.AGENCY, Privilege.VIEW_AUDIT: Scope.AGENCY})
    caller = office.caller(user, scopes=[Privilege.VIEW_AUDIT])
    assert caller.get("/audit").status_code == 200
    assert "MANAGE_USERS" in fault(caller.get("/users"), 403)["remedy"]


def test_token_without_scopes(office, fault):
    """A token without scopes reads its own account and changes nothing."""
    caller = office.caller(scopes=[])
    assert caller.get("/me").json()["grants"] == []
    (token,) = caller.get("/tokens").json()["items"]
    assert fault(caller.post(f"/tokens/{token['id']}/revoke"), 403)["code"] == "not-allowed"


def test_make_a_token(office):
    """The secret is shown in the answer that makes the token, works, and is in no list."""
    caller = office.caller(privileges={Privilege.VIEW_AUDIT: Scope.AGENCY})
    made = caller.post("/tokens", _new(scopes=["VIEW_AUDIT"]))
    assert made.status_code == 201
    secret = made.json()["secret"]
    assert secret.startswith("opilio_")
    listed = caller.get("/tokens")
    assert secret not in listed.content.decode()
    assert {one["name"] for one in listed.json()["items"]} == {"test", "report"}
    assert caller.raw("GET", "/audit", b"", Authorization=f"Bearer {secret}").status_code == 200


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"scopes": ["MANAGE_AGENCIES"]}, "scopes"),
        ({"scopes": ["EVERYTHING"]}, "scopes.0"),
        ({"expires": "2020-01-01T00:00:00Z"}, "expires"),
        ({"expires": "2900-01-01T00:00:00Z"}, "expires"),
        ({"expires": "2030-01-01T00:00:00"}, "expires"),
        ({"expires": "0001-01-01T00:00:00+14:00"}, "expires"),
        ({"expires": "soon"}, "expires"),
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_tokens_that_cannot_be_made(office, fault, changes, field):
    """A token has a name, scopes that the asker holds, and an end within the allowed time."""
    assert field in fault(office.caller().post("/tokens", _new(**changes)), 422)["fields"]


def test_a_narrow_token_makes_no_wider_one(office, fault):
    """What a token lacks it cannot give to a new token."""
    user = office.user(privileges={Privilege.VIEW_AUDIT: Scope.AGENCY})
    caller = office.caller(user, scopes=[Privilege.MODIFY_OWN_CREDENTIALS])
    fault(caller.post("/tokens", _new(scopes=["VIEW_AUDIT"])), 422)


def test_tokens_of_others(office, fault):
    """Managers see and end tokens of their users; to everybody else they do not exist."""
    owner = office.caller()
    (token,) = owner.get("/tokens").json()["items"]
    manager = office.manager(Privilege.MANAGE_USERS)
    foreigner = office.manager(Privilege.MANAGE_USERS, agency=office.museum)
    assert foreigner.get("/tokens", user=str(owner.user.id)).json()["items"] == []
    fault(foreigner.post(f"/tokens/{token['id']}/revoke"), 404)
    fault(office.caller().post(f"/tokens/{token['id']}/revoke"), 404)
    assert [one["id"] for one in manager.get("/tokens", user=str(owner.user.id)).json()["items"]] == [token["id"]]
    assert manager.post(f"/tokens/{token['id']}/revoke").status_code == 200
    fault(owner.get("/me"), 401)


def test_change_own_details(office, fault):
    """Own details are changed from the version that was read; a second change from it is stale."""
    caller = office.caller()
    version = caller.get("/me").json()["version"]
    answer = caller.patch("/me", {"version": version, "phone": "12 34", "notify_on_warnings": True})
    assert (answer.json()["phone"], answer.json()["notify_on_warnings"]) == ("12 34", True)
    stale = fault(caller.patch("/me", {"version": version, "phone": "56"}), 409)
    assert (stale["code"], stale["mine"]["phone"], stale["theirs"]["phone"]) == ("stale", "56", "12 34")


def _new(**changes):
    expires = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=10)
    return {"name": "report", "scopes": [], "expires": expires.isoformat(), **changes}

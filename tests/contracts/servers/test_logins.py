"""Areas that need a sign-in: basic, digest, form."""

import re

import httpx
import pytest

from tests.servers.http_logins import PASSWORD, USER, digest_fields, digest_response
from tests.servers.raw_client import ask


def test_basic_lets_in_whoever_knows(server):
    """The right password opens every page of the area; a wrong one, or none, gives the challenge."""
    assert httpx.get(server.url("/login/basic/2"), auth=(USER, PASSWORD)).status_code == 200
    for auth in ((USER, "wrong"), ("archivist", PASSWORD), None):
        answer = httpx.get(server.url("/login/basic/2"), auth=auth)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == 'Basic realm="Granary", charset="UTF-8"'


@pytest.mark.parametrize("header", ["Basic", "Basic ====", "Bearer x", "Digest", 'Digest username="', "Basic a b c"])
@pytest.mark.parametrize("area", ["basic", "digest/md5"])
def test_broken_authorization_is_no_entry(server, area, header):
    """A header that makes no sense is answered like a wrong password."""
    assert ask(server.port, f"/login/{area}", headers={"Authorization": header}).status == 401


@pytest.mark.parametrize("area", ["md5", "sha-256", "both"])
def test_digest_lets_in_whoever_knows(server, area):
    """A client that follows RFC 7616 gets in after one challenge, and again with the same nonce."""
    with httpx.Client(auth=httpx.DigestAuth(USER, PASSWORD)) as client:
        first = client.get(server.url(f"/login/digest/{area}/1?x=1"))
        second = client.get(server.url(f"/login/digest/{area}/2"))
    assert (first.status_code, len(first.history)) == (200, 1)
    assert (second.status_code, len(second.history)) == (200, 0)
    wrong = httpx.get(server.url(f"/login/digest/{area}/1"), auth=httpx.DigestAuth(USER, "wrong"))
    assert wrong.status_code == 401
    assert "stale" not in wrong.headers["WWW-Authenticate"]


def test_digest_offers_its_algorithms(server):
    """Each area names its algorithm; the one with both sends two challenges, the stronger first."""
    challenges = {
        area: [digest_fields(value) for value in ask(server.port, f"/login/digest/{area}").headers("WWW-Authenticate")]
        for area in ("md5", "sha-256", "both")
    }
    offered = {area: [fields["algorithm"] for fields in found] for area, found in challenges.items()}
    assert offered == {"md5": ["MD5"], "sha-256": ["SHA-256"], "both": ["SHA-256", "MD5"]}
    assert all(fields["qop"] == "auth" for found in challenges.values() for fields in found)


def authorized(server, target: str, nonce: str, *, count: int = 1, **changed: str):
    """A request with a digest header made by hand; `changed` fields are falsified after signing."""
    fields = {
        "username": USER, "realm": "Granary", "nonce": nonce, "uri": target, "algorithm": "MD5", "qop": "auth",
        "nc": f"{count:08x}", "cnonce": "c",
    }  # fmt: skip
    fields["response"] = digest_response(fields, method="GET", algorithm="MD5")
    header = "Digest " + ", ".join(f'{name}="{value}"' for name, value in {**fields, **changed}.items())
    return ask(server.port, target, headers={"Authorization": header})


def fresh_nonce(server) -> str:
    return digest_fields(ask(server.port, "/login/digest/md5").header("WWW-Authenticate"))["nonce"]


def test_nonce_grows_stale(server):
    """After its uses a nonce gets stale=true and a new nonce, with which the client gets in."""
    target = "/login/digest/md5?uses=2"
    nonce = fresh_nonce(server)
    statuses = [authorized(server, target, nonce, count=count).status for count in (1, 2)]
    refused = authorized(server, target, nonce, count=3)
    assert [*statuses, refused.status] == [200, 200, 401]
    challenge = digest_fields(refused.header("WWW-Authenticate"))
    assert challenge["stale"] == "true"
    assert authorized(server, target, challenge["nonce"]).status == 200


def test_replay_and_foreign_nonce_are_stale(server):
    """The same count twice, or a nonce the server never gave, does not get in."""
    nonce = fresh_nonce(server)
    assert authorized(server, "/login/digest/md5", nonce).status == 200
    assert authorized(server, "/login/digest/md5", nonce).status == 401
    foreign = authorized(server, "/login/digest/md5", "made-up")
    assert digest_fields(foreign.header("WWW-Authenticate"))["stale"] == "true"


@pytest.mark.parametrize(
    "changed",
    [
        {"uri": "/login/digest/other"}, {"qop": "auth-int"}, {"nc": "1"}, {"cnonce": ""}, {"realm": "Barn"},
        {"algorithm": "SHA-256"}, {"response": "0" * 32}, {"username": "archivist"},
    ],
)  # fmt: skip
def test_falsified_digest_is_no_entry(server, changed):
    """Each field counts; a wrong one is not merely stale."""
    answer = authorized(server, "/login/digest/md5", fresh_nonce(server), **changed)
    assert answer.status == 401
    assert "stale" not in answer.header("WWW-Authenticate")


def sign_in(client: httpx.Client, server, query: str = "", **changed: str) -> httpx.Response:
    """Fill in the form as a browser would, hidden fields included."""
    text = client.get(server.url(f"/login/form{query}")).text
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', text))
    return client.post(server.url("/login/form"), data={**fields, "user": USER, "password": PASSWORD, **changed})


def test_form_gives_a_session(server):
    """The filled form leads inside; without it, the inside leads to the form and remembers the page."""
    with httpx.Client() as client:
        outside = client.get(server.url("/login/inside/3"))
        assert (outside.status_code, outside.headers["Location"]) == (302, "/login/form?next=/login/inside/3")
        answer = sign_in(client, server, "?next=/login/inside/3")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/login/inside/3")
        assert "HttpOnly" in answer.headers["Set-Cookie"]
        assert "Signed in as curator" in client.get(server.url("/login/inside/3")).text


def test_form_refuses_wrong_input(server):
    """A wrong password shows the form again; a token that was not handed out, or was used, is refused."""
    with httpx.Client() as client:
        wrong = sign_in(client, server, password="wrong")
        assert (wrong.status_code, "Wrong user or password." in wrong.text) == (200, True)
        assert sign_in(client, server, token="made-up").status_code == 403
        assert sign_in(client, server, over="elsewhere").status_code == 400
        assert sign_in(client, server, lasts="long").status_code == 400
        assert not client.cookies


def test_token_serves_once(server):
    """The same form cannot be sent twice."""
    with httpx.Client() as client:
        text = client.get(server.url("/login/form")).text
        fields = {**dict(re.findall(r'name="(\w+)" value="([^"]*)"', text)), "user": USER, "password": PASSWORD}
        statuses = [client.post(server.url("/login/form"), data=fields).status_code for _ in range(2)]
    assert statuses == [303, 403]


@pytest.mark.parametrize(("over", "status"), [("redirect", 302), ("page", 200), ("forbidden", 403)])
def test_session_runs_out(server, over, status):
    """After the requests it lasts, the session is over in the way that was asked for."""
    with httpx.Client() as client:
        sign_in(client, server, f"?lasts=2&over={over}")
        inside = [client.get(server.url(f"/login/inside/{room}")) for room in range(3)]
    assert ["Signed in" in answer.text for answer in inside] == [True, True, False]
    assert inside[2].status_code == status
    assert ("<form" in inside[2].text) is (over == "page")


def test_logout_link_ends_the_session(server):
    """Whoever follows the link is out."""
    with httpx.Client() as client:
        sign_in(client, server)
        assert "/login/logout" in client.get(server.url("/login/inside/0")).text
        cookies = dict(client.cookies)
        client.get(server.url("/login/logout"))
    with httpx.Client(cookies=cookies) as client:
        assert client.get(server.url("/login/inside/0")).status_code == 302

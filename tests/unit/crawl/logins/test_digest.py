"""Digest authentication by the examples of RFC 7616 and the rules around them."""

import re

import pytest

from opilio.crawl.fetch.head import parse
from opilio.crawl.logins.authenticator import Meaning
from opilio.crawl.logins.challenge import challenges
from opilio.crawl.logins.credential import Digest
from opilio.crawl.logins.digest import DigestAuthenticator

CLIENT = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
OPAQUE = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
URL = "http://www.example.org/dir/index.html"


def authenticator(user="Mufasa", password="Circle of Life", client=CLIENT, **more):
    return DigestAuthenticator(Digest(user=user, password=password, **more), client_nonce=lambda: client)


def challenge(
    realm="http-auth@example.org", algorithm="MD5", qop="auth, auth-int", nonce=NONCE, opaque=OPAQUE, more=""
):
    return f'Digest realm="{realm}", qop="{qop}", algorithm={algorithm}, nonce="{nonce}", opaque="{opaque}"{more}'


def fields(headers):
    ((name, value),) = headers
    assert name == "Authorization"
    return {key: quoted or bare for key, quoted, bare in re.findall(r'([\w*]+)=(?:"([^"]*)"|([^\s,]+))', value)}


def answered(found, value, method="GET", url=URL, body=None):
    found.refused(challenges([value]), sent=False)
    return fields(found.headers(method, url, body))


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_the_example_of_the_standard(algorithm, response):
    """RFC 7616 §3.9.1, with both of its algorithms."""
    found = answered(authenticator(), challenge(algorithm=algorithm))
    assert found["response"] == response
    assert found | {"uri": "/dir/index.html", "qop": "auth", "nc": "00000001", "cnonce": CLIENT} == found
    assert (found["username"], found["opaque"], found["algorithm"]) == ("Mufasa", OPAQUE, algorithm)


def test_a_user_s_name_may_be_hashed():
    """RFC 7616 §3.9.2 with erratum 4897; its user name is not ASCII."""
    value = challenge(
        realm="api@example.org",
        algorithm="SHA-512-256",
        qop="auth",
        nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
        opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS",
        more=", charset=UTF-8, userhash=true",
    )
    found = answered(
        authenticator(
            user="Jäsøn Doe", password="Secret, or not?", client="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"
        ),
        value,
        url="http://api.example.org/doe.json",
    )
    assert found["username"] == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"
    assert found["userhash"] == "true"
    assert found["response"] == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"


def test_a_user_s_name_beyond_ascii_is_written_as_rfc_5987_has_it():
    """Without userhash."""
    assert answered(authenticator(user="Jäsøn"), challenge())["username*"] == "UTF-8''J%C3%A4s%C3%B8n"


def test_a_body_is_protected_where_that_is_offered():
    """auth-int covers the body; a request without one needs it not."""
    found = authenticator()
    with_body = answered(found, challenge(), method="POST", body=b"a=1")
    assert with_body["qop"] == "auth-int"
    assert fields(found.headers("GET", URL, None))["qop"] == "auth"
    assert fields(found.headers("POST", URL, b"a=2"))["response"] != with_body["response"]


def test_a_server_without_qop_gets_the_old_form():
    """RFC 2069: no count and no nonce of ours."""
    found = answered(authenticator(), f'Digest realm="r", nonce="{NONCE}"')
    assert {"nc", "cnonce", "qop", "algorithm", "opaque"}.isdisjoint(found)
    assert len(found["response"]) == 32


def test_a_session_keeps_the_key_of_its_first_answer():
    """-sess mixes the first nonces in; the count still grows."""
    found = authenticator()
    first = answered(found, challenge(algorithm="MD5-sess"))
    plain = answered(authenticator(), challenge(algorithm="MD5"))
    assert first["algorithm"] == "MD5-sess"
    assert first["response"] != plain["response"]
    found.accepted(parse(b'HTTP/1.1 200 OK\r\nAuthentication-Info: nextnonce="next", qop=auth\r\n\r\n'))
    following = fields(found.headers("GET", URL, None))
    assert (following["nonce"], following["nc"]) == ("next", "00000001")


def test_the_count_grows_with_each_request_and_begins_anew_with_a_nonce():
    """As servers demand it."""
    found = authenticator()
    counts = [answered(found, challenge())["nc"], fields(found.headers("GET", URL, None))["nc"]]
    assert (
        found.refused(challenges([challenge(nonce="other", more=", stale=true")]), sent=True).meaning is Meaning.AGAIN
    )
    counts.append(fields(found.headers("GET", URL, None))["nc"])
    assert counts == ["00000001", "00000002", "00000001"]


def test_a_refusal_that_is_not_stale_is_a_rejection():
    """Of user or password."""
    found = authenticator()
    assert found.refused(challenges([challenge()]), sent=False).meaning is Meaning.AGAIN
    assert found.refused(challenges([challenge()]), sent=True).meaning is Meaning.REJECTED


@pytest.mark.parametrize(
    "value",
    [
        'Basic realm="x"', 'Digest realm="x"', challenge(algorithm="SHA-1024"), challenge(qop="token"),
        challenge(realm="another"), "",
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_foreign(value):
    """Another scheme, no nonce, an unknown hash or protection, another realm."""
    found = authenticator(realm="http-auth@example.org")
    assert found.refused(challenges([value]), sent=False).meaning is Meaning.FOREIGN
    assert found.headers("GET", URL, None) == ()


def test_the_query_is_part_of_what_is_signed():
    """And quotes in what the server sent are escaped."""
    found = answered(authenticator(), challenge(realm='a\\"b'), url="http://www.example.org/a?b=1&c")
    assert found["uri"] == "/a?b=1&c"

"""`WWW-Authenticate` as servers write it, and as nobody should."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.crawl.logins.challenge import challenges


def told(*values):
    return [(each.scheme, each.token, dict(each.parameters)) for each in challenges(values)]


def test_one_header_may_hold_several_challenges():
    """RFC 9110 §11.6.1: commas part challenges as well as their parameters."""
    value = 'Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"'
    assert told(value) == [
        ("newauth", "", {"realm": "apps", "type": "1", "title": 'Login to "apps"'}),
        ("basic", "", {"realm": "simple"}),
    ]


def test_several_headers_keep_their_order():
    """The server's first choice comes first."""
    assert [each[0] for each in told('Digest realm="x", nonce=a==', "Negotiate", "Basic realm=y")] == [
        "digest",
        "negotiate",
        "basic",
    ]
    assert told("Digest nonce=a==")[0][2] == {"nonce": "a=="}


def test_a_token_is_told_from_parameters():
    """Negotiate has one; a scheme alone has neither."""
    assert told("Negotiate YII/+w==, Basic realm = x") == [("negotiate", "YII/+w==", {}), ("basic", "", {"realm": "x"})]
    assert told("Negotiate") == [("negotiate", "", {})]


def test_utf_8_is_read_as_such():
    """Heads come as Latin-1; most servers mean UTF-8, and the others keep their bytes."""
    assert told('Basic realm="Kÿ"')[0][2] == {"realm": "Kÿ"}
    assert told('Basic realm="' + "Größe".encode().decode("latin-1") + '"')[0][2] == {"realm": "Größe"}


@pytest.mark.parametrize("value", ["", ",,,", "=", '"', 'Basic realm="open', "\x00", "a=b", 'Basic realm="a\rb"'])
def test_nonsense_has_no_parameters(value):
    """It is left out, and what would break a header of ours too."""
    assert all(not each[2] for each in told(value))


@given(st.text(max_size=200))
def test_anything_can_be_read(value):
    """No server can make it fail."""
    challenges([value])


def test_a_huge_header_is_cut():
    """Its end is not read."""
    assert len(told("Basic " * 100_000)) <= 20

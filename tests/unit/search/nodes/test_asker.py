"""Who asks a node."""

import pytest

from opilio.search.nodes.asker import asker, passed_on


def scope(client="192.0.2.1", *forwarded):
    headers = [(b"X-Forwarded-For", each.encode("latin-1")) for each in forwarded]
    return {"headers": headers, "client": (client, 4000) if client else None}


@pytest.mark.parametrize(
    ("forwarded", "trusted", "address"),
    [
        ((), 0, "192.0.2.1"),
        (("198.51.100.7",), 0, "192.0.2.1"),
        (("198.51.100.7",), 1, "198.51.100.7"),
        (("10.0.0.1, 198.51.100.7",), 1, "198.51.100.7"),
        (("10.0.0.1", "198.51.100.7, 203.0.113.9"), 2, "198.51.100.7"),
        ((), 1, "192.0.2.1"),
        (("198.51.100.7",), 2, "192.0.2.1"),
        (("nonsense",), 1, ""),
        (("[2001:db8::1]",), 1, "2001:db8::1"),
        (("1" * 100_000,), 1, ""),
    ],
)
def test_only_own_proxies_are_believed(forwarded, trusted, address):
    """As many entries count as there are own proxies; what is no address is nobody's."""
    assert asker(scope("192.0.2.1", *forwarded), trusted).address == address


def test_a_server_that_does_not_know_its_client():
    """Then the reader has no address, and sits in no room."""
    assert asker(scope("")).address == ""


def test_what_is_passed_on():
    """The endpoint adds who sent the request, and passes on nothing but addresses."""
    assert passed_on(scope("192.0.2.1")) == "192.0.2.1"
    assert passed_on(scope("192.0.2.1", "198.51.100.7\r\nX: y")) == "unknown, 192.0.2.1"
    assert passed_on(scope("", "198.51.100.7")) == "198.51.100.7, unknown"

"""Secrets do not reach what is kept of a request."""

from opilio.crawl.fetch.exchange import Ask, Hidden
from opilio.crawl.fetch.hiding import without_secrets

REQUEST = (
    b"POST /x HTTP/1.1\r\nHost: a.org\r\nauthorization: Basic c2VjcmV0\r\nX-Key: secret: 1\r\nCookie: a=secret\r\n\r\n"
    b"b=secret"
)
SHOWN = (
    b"POST /x HTTP/1.1\r\nHost: a.org\r\nauthorization: Basic [hidden]\r\nX-Key: [hidden]\r\n"
    b"Cookie: [hidden]\r\n\r\nb=[hidden]"
)


def test_values_are_replaced_and_names_stay():
    """The scheme of Authorization too; a body only where another stands in for it."""
    hidden = Hidden(headers=frozenset({"authorization", "x-key", "cookie"}), body=b"b=[hidden]")
    assert without_secrets(REQUEST, hidden) == SHOWN
    assert without_secrets(REQUEST, Hidden()) == REQUEST


def test_a_request_does_not_show_what_it_sends():
    """Where it is printed or logged."""
    assert "secret" not in repr(Ask(url="https://a.org/", headers=(("X-Key", "secret"),), body=b"secret"))

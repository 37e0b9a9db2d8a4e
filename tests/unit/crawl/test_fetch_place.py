"""Where a URL is asked for."""

from urllib.parse import urlsplit

import pytest

from opilio.crawl.fetch.place import place_of


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://example.org/", "example.org", 80),
        ("https://Example.org/a/b?c=/d", "example.org", 443),
        ("http://example.org:8080/a", "example.org", 8080),
        ("https://example.org:8443", "example.org", 8443),
        ("http://a/b", "a", 80),
        ("http://[2001:db8::1]:81/x", "2001:db8::1", 81),
        ("http://user:word@example.org/x", "example.org", 80),
        ("http://example.org?to=http://other.example/", "example.org", 80),
        ("http://example.org#/x", "example.org", 80),
        ("http:///x", "", 80),
    ],
)
def test_host_and_port_are_those_of_the_url(url, host, port):
    """As the standard library reads the whole URL, whatever follows the authority."""
    parts = urlsplit(url)
    assert place_of(url) == (host, port) == (parts.hostname or "", parts.port or (443 if url[4] == "s" else 80))

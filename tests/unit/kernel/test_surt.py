"""SURT keys as CDXJ files sort by them."""

import pytest

from opilio.kernel.errors import BadUrl
from opilio.kernel.surt import surt, surt_of_host


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com", "com,example)/"),
        ("https://www.example.com/", "com,example)/"),
        ("http://www2.example.com/", "com,example)/"),
        ("http://wwwexample.com/", "com,wwwexample)/"),
        ("http://www.www.example/", "example,www)/"),
        ("http://awww.example/", "example,awww)/"),
        ("http://old.www.example.com/", "com,example,www,old)/"),
        ("http://example.com/Path/Page.html", "com,example)/path/page.html"),
        ("http://example.com/path/", "com,example)/path"),
        ("http://example.com/p?b=2&a=2&a=1&c", "com,example)/p?a=1&a=2&b=2&c"),
        ("http://example.com/p/?", "com,example)/p"),
        ("http://example.com:8080/p", "com,example:8080)/p"),
        ("https://example.com:443/p#part", "com,example)/p"),
        ("http://user:pass@example.com/", "com,example)/"),
        ("http://127.1/p", "1,0,0,127)/p"),
        ("http://[::1]:8080/p", "[::1]:8080)/p"),
        ("http://bücher.example/", "example,xn--bcher-kva)/"),
        ("http://localhost/", "localhost)/"),
    ],
)
def test_keys(url, expected):
    """Labels are reversed; scheme, www, case, trailing slash and order of parameters make no difference."""
    assert surt(url) == expected


def test_hosts_below_share_the_beginning():
    """The keys of a host's sub-domains start with the key of the host."""
    assert surt("http://news.example.com/").startswith(surt_of_host("example.com"))


def test_only_what_can_be_fetched_has_a_key():
    """Other schemes are refused."""
    with pytest.raises(BadUrl):
        surt("mailto:curator@example.com")

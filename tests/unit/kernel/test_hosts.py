"""Names of hosts: keys, registrable domains, and what people get to read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.kernel.errors import BadUrl
from opilio.kernel.hosts import host_key, registrable_domain, to_ascii, to_unicode


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com/a", "example.com"),
        ("https://Example.com:443/a", "example.com"),
        ("http://example.com.:8080/a", "example.com:8080"),
        ("http://www.example.com/", "www.example.com"),
        ("http://[::1]:8080/", "[::1]:8080"),
        ("http://127.1/", "127.0.0.1"),
    ],
)
def test_host_keys(url, expected):
    """http and https share a key; another port has its own."""
    assert host_key(url) == expected


def test_a_url_without_host_has_no_key():
    """A key is only given for what can be fetched."""
    with pytest.raises(BadUrl):
        host_key("mailto:curator@example.com")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("EXAMPLE.com.", "example.com"),
        ("alice.github.io", "alice.github.io"),
        ("www.alice.github.io", "alice.github.io"),
        ("github.io", None),
        ("co.uk", None),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("www.city.kobe.jp", "city.kobe.jp"),
        ("host.unlisted-suffix", "host.unlisted-suffix"),
        ("localhost", None),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("a..com", None),
        ("", None),
    ],
)
def test_registrable_domains(host, expected):
    """The list's private section counts, and addresses and bare suffixes have no registrable domain."""
    assert registrable_domain(host) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("Bücher.Example", "xn--bcher-kva.example"),
        ("0x7f.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("a_b.example", "a_b.example"),
    ],
)
def test_to_ascii(host, expected):
    """A host becomes what goes over the wire."""
    assert to_ascii(host) == expected


@pytest.mark.parametrize(
    "host",
    ["", "a b", "a/b", "a:80", "user@a", "a?b", "a#b", "a\\b", "[::1]:80", "[::1", "256.1.1.1", "a\nb", "\ud800"],
)
def test_what_is_not_a_host(host):
    """Anything beside a bare host name or address is refused."""
    with pytest.raises(BadUrl, match="name of a host"):
        to_ascii(host)


@pytest.mark.parametrize(
    "name",
    ["münchen.de", "пример.рф", "日本語.jp", "ひらがなカタカナ漢字.jp", "한국.kr", "ελλάδα.ελ", "việt.vn", "łódź.pl"],
)
def test_names_that_look_like_themselves_are_shown(name):
    """A label in one common script is shown as its readers write it."""
    assert to_unicode(to_ascii(name)) == name


@pytest.mark.parametrize(
    "name",
    [
        "аррӏе.com",  # Cyrillic only, under a Latin top-level name
        "pаypal.com",  # one Cyrillic letter among Latin ones
        "google.ϲom.example",  # Greek among Latin
        "ɡoogle.com",  # a phonetic letter
        "maıl.com",  # dotless i
        "☃.net",  # a sign
        "ꭰꮤ.com",  # a script that is not on the list
    ],
)
def test_names_that_could_pass_for_others_stay_in_punycode(name):
    """A label that another name may look like is shown as xn--…"""
    wire = to_ascii(name)
    assert to_unicode(wire) == wire
    assert "xn--" in wire


@pytest.mark.parametrize(
    "host", ["xn--", "xn--a", "xn--zzzzzzzzzzzz", "xn--example-.com", "example.com", "127.0.0.1", ""]
)
def test_broken_punycode_is_shown_as_it_is(host):
    """What cannot be decoded and encoded again is left alone."""
    assert to_unicode(host) == host


@given(st.text(max_size=20))
def test_the_shown_name_always_leads_back(label):
    """Whatever is shown names the same host again."""
    try:
        wire = to_ascii(f"{label}.example")
    except BadUrl:
        return
    assert to_ascii(to_unicode(wire)) == wire

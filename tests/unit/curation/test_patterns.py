"""How URL patterns are read, brought to their normal form, and refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.pattern_reading import MAX_PATTERN, BadPattern, parse_pattern
from opilio.curation.places import place_of


@pytest.mark.parametrize(
    ("written", "normal", "domain"),
    [
        ("example.org", "http://example.org/", "example.org"),
        ("  HTTPS://Example.ORG:443  ", "https://example.org/", "example.org"),
        ("http://example.org:80/a/../b*", "http://example.org/b*", "example.org"),
        ("http://example.org:8080", "http://example.org:8080/", "example.org"),
        ("http://*.Govt.NZ/*", "http://*.govt.nz/*", "govt.nz"),
        ("*.nz", "http://*.nz/", "nz"),
        ("http://*/*", "http://*/*", "*"),
        ("http://*:8080/x*", "http://*:8080/x*", "*"),
        ("http://bücher.example/ü*", "http://xn--bcher-kva.example/%C3%BC*", "xn--bcher-kva.example"),
        ("http://*。bücher。example", "http://*.xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("http://example.org./a?", "http://example.org/a", "example.org"),
        ("http://example.org/a?*", "http://example.org/a?*", "example.org"),
        ("http://example.org/%7ea%2A*", "http://example.org/~a%2A*", "example.org"),
        ("http://example.org?x=1", "http://example.org/?x=1", "example.org"),
        ("http://example.org\\a*", "http://example.org/a*", "example.org"),
        ("http://[2001:DB8:0::1]:8080/", "http://[2001:db8::1]:8080/", "[2001:db8::1]"),
        ("http://0x7f.1/*", "http://127.0.0.1/*", "127.0.0.1"),
        ("http://host.invalid/", "http://host.invalid/", "host.invalid"),
        ("http://example.org/a/..*", "http://example.org/a/..*", "example.org"),
    ],
)
def test_normal_form(written, normal, domain):
    """A pattern has one normal form, which reads as itself, and a key for the index by domain."""
    pattern = parse_pattern(written)
    assert str(pattern) == normal
    assert pattern.domain == domain
    assert parse_pattern(normal) == pattern


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("http://www.*.org/", "inside the host"),
        ("http://*.*.org/", "inside the host"),
        ("http://example.*/", "inside the host"),
        ("http://example.org*/", "inside the host"),
        ("http://%2A.example.org/", "inside the host"),
        ("http://＊.example.org/", "inside the host"),
        ("http://*example.org/", "before a part of a label"),
        ("http://**/", "inside the host"),
        ("http://*.192.0.2.7/", "before an IP address"),
        ("http://*.2.7/*", "before an IP address"),
        ("http://example.org:*/", "in the port"),
        ("http://example.org:80*/", "in the port"),
        ("*://example.org/", "in the scheme"),
        ("http*://example.org/", "in the scheme"),
        ("http://example.org/*/a", "inside the path"),
        ("http://example.org/a*b", "inside the path"),
        ("http://example.org/**", "inside the path"),
        ("http://example.org/?a=*&b=1", "inside the path"),
        ("http://example.org/a%*", "inside an escape"),
        ("http://example.org/a%2*", "inside an escape"),
    ],
)
def test_star_in_the_wrong_place(written, place):
    """The message names the place of the star, repeats the pattern and says what to write."""
    with pytest.raises(BadPattern) as refused:
        parse_pattern(written)
    assert place in refused.value.what
    assert refused.value.where == written
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        (None, "must be text"),
        (b"http://example.org/", "must be text"),
        ("x" * (MAX_PATTERN + 1), "longer than"),
        ("http://example.org/\na", "control character"),
        ("http://example.org/\x00", "control character"),
        ("http://example.org/a#b", "no fragment"),
        ("http://example.org/#*", "no fragment"),
        ("ftp://example.org/*", "the scheme “ftp”"),
        ("javascript://example.org/%0aalert(1)", "the scheme “javascript”"),
        ("http:/example.org/", "not complete"),
        ("mailto:curator@example.org", "not complete"),
        ("http:///example.org/", "names no host"),
        ("/only/a/path", "names no host"),
        ("http://", "names no host"),
        ("http://curator:secret@example.org/", "user name or password"),
        ("http://a..example.org/", "empty label"),
        ("http://*./", "cannot be read"),
        ("http://exa mple.org/", "cannot be read"),
        ("http://example.org:99999/", "cannot be read"),
        ("http://[::1/", "cannot be read"),
        ("http://\ud800.example/", "cannot be read"),
        ("<script>alert(1)</script>", "cannot be read"),
    ],
)
def test_refused(written, words):
    """What cannot be a pattern is refused with a sentence and a remedy."""
    with pytest.raises(BadPattern) as refused:
        parse_pattern(written)
    assert words in refused.value.what
    assert refused.value.remedy
    assert "secret" not in str(refused.value)


def test_a_strict_scheme_must_be_named():
    """A pattern for one scheme only says which one."""
    assert parse_pattern("https://example.org/", strict_scheme=True).doors == {("https", 443)}
    with pytest.raises(BadPattern, match="must name it"):
        parse_pattern("example.org/", strict_scheme=True)


def test_same_meaning():
    """Patterns that differ in the scheme or the default port mean the same, unless the scheme is strict."""
    written = ["http://example.org/*", "https://example.org/*", "example.org:80/*", "https://EXAMPLE.org:443/*"]
    assert len({parse_pattern(each).meaning for each in written}) == 1
    assert parse_pattern(written[0]).meaning != parse_pattern(written[0], strict_scheme=True).meaning


@pytest.mark.parametrize(
    ("wide", "narrow", "holds"),
    [
        ("http://example.org/*", "http://example.org/a", True),
        ("http://example.org/*", "https://example.org/a*", True),
        ("http://example.org/a*", "http://example.org/*", False),
        ("http://example.org/a", "http://example.org/a*", False),
        ("http://example.org/a", "http://example.org/a", True),
        ("http://*.org/*", "http://example.org/*", True),
        ("http://*.org/*", "http://*.example.org/*", True),
        ("http://*.example.org/*", "http://*.example.org/a*", True),
        ("http://*.example.org/*", "http://example.org/*", False),
        ("http://*.example.org/*", "http://*.org/*", False),
        ("http://example.org/*", "http://*.example.org/*", False),
        ("http://*/*", "http://*.example.org/*", True),
        ("http://*/*", "http://*/a", True),
        ("http://*.org/*", "http://*/*", False),
        ("http://example.org/*", "http://example.org:8080/*", False),
        ("http://*/*", "http://example.org:8080/*", False),
    ],
)
def test_contains(wide, narrow, holds):
    """A pattern contains another when it covers all its URLs."""
    assert parse_pattern(wide).contains(parse_pattern(narrow)) is holds


def test_strict_scheme_contains_less():
    """A pattern for one scheme does not contain one for both."""
    strict = parse_pattern("https://example.org/*", strict_scheme=True)
    loose = parse_pattern("https://example.org/*")
    assert loose.contains(strict)
    assert not strict.contains(loose)


def test_readable():
    """People read names in their own script; the stored form stays as it goes over the wire."""
    pattern = parse_pattern("http://*.bücher.example/ü*")
    assert pattern.readable == "http://*.bücher.example/%C3%BC*"


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    """Whatever is written is either a pattern with a stable normal form, or refused by name."""
    try:
        pattern = parse_pattern(text)
    except BadPattern:
        return
    assert parse_pattern(str(pattern)) == pattern


@given(
    st.from_regex(r"https?://(\*\.)?[a-z]{1,5}(\.[a-z]{2,3}){0,2}(:\d{1,4})?(/[a-z.%~?=]{0,4}){0,3}\*?", fullmatch=True)
)
def test_normal_form_is_stable(text):
    """The normal form of the normal form is itself, and a pattern without stars covers its own URL."""
    try:
        pattern = parse_pattern(text)
    except BadPattern:
        return
    assert parse_pattern(str(pattern)) == pattern
    if "*" not in text:
        assert pattern.covers(place_of(text))

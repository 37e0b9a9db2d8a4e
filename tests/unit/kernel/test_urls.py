"""Canonical URLs: each rule once, hostile input, and the properties that hold for every URL."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from opilio.kernel import urls
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import Base, QueryPolicy, QueryRule, canonical, drop_parameters, join, parse, root_matches

CANONICAL = [
    ("http://example.com", "http://example.com/"),
    ("HTTP://Example.COM:80/", "http://example.com/"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("https://example.com:80/a", "https://example.com:80/a"),
    ("http://example.com/a#part", "http://example.com/a"),
    ("http://example.com/a?#part", "http://example.com/a"),
    ("http://example.com/a?", "http://example.com/a"),
    ("http://user:pass@example.com/a", "http://example.com/a"),
    ("http://example.com./a", "http://example.com/a"),
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com/a/%2e%2E/c", "http://example.com/c"),
    ("http://example.com/%7euser/%2d%41", "http://example.com/~user/-A"),
    ("http://example.com/a%2fb%c3%bc", "http://example.com/a%2Fb%C3%BC"),
    ("http://example.com/ü?ü=ü", "http://example.com/%C3%BC?%C3%BC=%C3%BC"),
    ("http://example.com/?b=2&a=%31&&a=+%20", "http://example.com/?b=2&a=1&&a=+%20"),
    ("http://example.com/?q=a/b?c", "http://example.com/?q=a/b?c"),
    ("http://example.com//double//slash/", "http://example.com//double//slash/"),
    ("http:\\\\example.com\\a", "http://example.com/a"),
    ("  http://example.com/a\n/b ", "http://example.com/a/b"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://017700000001/", "http://127.0.0.1/"),
    ("http://127.1/", "http://127.0.0.1/"),
    ("http://127.0.0.1../", "http://127.0.0.1/"),
    ("http://0x7f.1..:8080/a", "http://127.0.0.1:8080/a"),
    ("http://[::FFFF:127.0.0.1]:80/", "http://[::ffff:7f00:1]/"),
    ("http://[0:0::1]:8080/", "http://[::1]:8080/"),
]
REFUSED = [
    "",
    "example.com/page",
    "/page",
    "http://",
    "http:///",
    "http://./",
    "http://a b/",
    "http://256.256.256.256/",
    "http://example.com:99999/",
    "http://[::1/",
    "http://exa\x00mple.com/",
    "ftp://example.com/file",
    "mailto:curator@example.com",
    "javascript:alert(1)",
    "data:text/html,hello",
    "file:///etc/passwd",
    "http://example.com/\ud800",
]
HASH_OF_EXAMPLE = -350646258024731386
SIMPLE = st.text(alphabet="abzAZ019-._~!$&'()*+,;=:@/?#% %2e%41%zz\\üß\t[]|^<>\"", max_size=40)
URLS = st.builds(
    "{}{}{}/{}".format,
    st.sampled_from(["http://", "https://", "HTTP:\\\\", "http://u:p@"]),
    st.sampled_from(
        ["example.com", "Example.COM.", "bücher.example", "127.1", "[::1]", "xn--fa-hia.de", "a..b", "1.2.3.4.."]
    ),
    st.sampled_from(["", ":80", ":443", ":8080", ":"]),
    SIMPLE,
)
POLICIES = st.sampled_from([urls.KEEP_QUERY, urls.DROP_QUERY, drop_parameters("a", "z=1", "%")])


@pytest.mark.parametrize(("given_url", "expected"), CANONICAL)
def test_canonical_form(given_url, expected):
    """Each rule of the canonical form gives the documented result."""
    assert canonical(given_url) == expected


@pytest.mark.parametrize("url", REFUSED)
def test_what_cannot_be_fetched_is_refused(url):
    """Whatever is not a whole http or https URL is a BadUrl with a remedy."""
    with pytest.raises(BadUrl) as caught:
        canonical(url)
    assert caught.value.remedy


def test_the_message_for_another_scheme_says_which_are_possible():
    """A refused scheme is named, and so are the two that work."""
    with pytest.raises(BadUrl) as caught:
        canonical("ftp://example.com/file")
    assert "“ftp”" in str(caught.value)
    assert "http and https" in str(caught.value)


@pytest.mark.parametrize("wrong", [None, b"http://example.com/", 7])
def test_only_text_is_a_url(wrong):
    """Bytes, numbers and nothing are refused with their type."""
    with pytest.raises(BadUrl, match=type(wrong).__name__):
        canonical(wrong)


@pytest.mark.parametrize("path", ["a" * urls.MAX_URL_BYTES, "ü" * (urls.MAX_URL_BYTES // 5)])
def test_long_urls_are_refused_in_few_words(path):
    """A URL above the limit, also one that grows by encoding, is refused without repeating it."""
    with pytest.raises(BadUrl, match="longer than 16384 bytes") as caught:
        canonical(f"http://example.com/{path}")
    assert len(str(caught.value)) < 500


def test_the_longest_url_is_accepted():
    """A URL of exactly the limit passes."""
    url = "http://example.com/".ljust(urls.MAX_URL_BYTES, "a")
    assert canonical(url) == url


def test_messages_repeat_no_password_and_no_control_characters():
    """What an error shows of a URL has no userinfo, however long, and stays on one line."""
    for password in ("hunter2", "hunter2" * 500):
        with pytest.raises(BadUrl) as caught:
            canonical(f"http://curator:{password}@exa mple.com/\nforged")
        assert "hunter2" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_stray_percent_sign_forbids_decoding():
    """Decoding never makes a new escape out of a stray percent sign, in its own part of the URL only."""
    assert canonical("http://example.com/%%34%31") == "http://example.com/%%34%31"
    assert canonical("http://example.com/%7e?a=%zz%7e%c3") == "http://example.com/~?a=%zz%7E%C3"


@given(URLS, POLICIES)
@example("http://example.com/%%34%31", urls.KEEP_QUERY)
@example("http://example.com/%7e?%", urls.DROP_QUERY)
@example("http://example.com/?%61=1&b", drop_parameters("a"))
def test_canonical_is_idempotent(url, policy):
    """The canonical form of a canonical form is itself, under every query policy."""
    try:
        once = canonical(url, policy)
    except BadUrl:
        assume(False)
    assert canonical(once, policy) == once
    assert once.isascii()
    assert "#" not in once
    assert "@" not in once.split("/")[2]


@given(st.text(max_size=60))
def test_any_text_is_a_url_or_refused(text):
    """No text makes anything else than a result or a BadUrl."""
    try:
        found = canonical(text)
    except BadUrl:
        return
    assert found.startswith(("http://", "https://"))


@given(URLS, st.one_of(SIMPLE, URLS, st.text(max_size=30)), POLICIES)
@example("http://example.com/a/b?c", "x:y", urls.KEEP_QUERY)
@example("http://example.com/a/b?c", "//other.example/x", urls.KEEP_QUERY)
@example("http://example.com/a/b?c", "/..//x", urls.KEEP_QUERY)
@example("http://example.com/a/b?c/d", "x", urls.KEEP_QUERY)
def test_links_agree_with_joining_first(url, reference, policy):
    """The quick way for links gives what the WHATWG join followed by the canonical form gives, or None."""
    try:
        base = canonical(url)
    except BadUrl:
        assume(False)
    try:
        expected = canonical(join(base, reference), policy)
    except BadUrl:
        expected = None
    assert Base(url, policy).link(reference) == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("next.html", "https://example.com/a/next.html"),
        ("sub/next.html?x=1#top", "https://example.com/a/sub/next.html?x=1"),
        ("../up", "https://example.com/up"),
        ("/root", "https://example.com/root"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("?q=2", "https://example.com/a/b?q=2"),
        ("#top", "https://example.com/a/b?q=1"),
        ("", "https://example.com/a/b?q=1"),
        ("http://other.example", "http://other.example/"),
        ("mailto:curator@example.com", None),
        ("javascript:void(0)", None),
        ("http://[broken", None),
        ("x" * 20_000, None),
        ("/" + "x" * (urls.MAX_URL_BYTES - 5), None),
    ],
)
def test_links_of_a_page(reference, expected):
    """A reference becomes the canonical URL it leads to, or None where nothing can be fetched."""
    assert Base("https://example.com/a/b?q=1").link(reference) == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("c.html#x", "https://example.com/a/c.html"),
        ("c.html#y#z", "https://example.com/a/c.html"),
        ("c.html #x", "https://example.com/a/c.html%20"),
        ("c.html ", "https://example.com/a/c.html"),
        ("#x", "https://example.com/a/b?q=1"),
        ("?p=2#x", "https://example.com/a/b?p=2"),
        ("mailto:a@example.com#x", None),
    ],
)
def test_a_fragment_leads_nowhere_else(reference, expected):
    """References that differ by their fragments are remembered once, and each means what it says."""
    base = Base("https://example.com/a/b?q=1")
    assert [base.link(reference) for _ in range(2)] == [expected, expected]


def test_a_folder_with_very_many_references_is_still_right():
    """What is remembered of a folder is bounded; beyond it, answers stay the same."""
    base = Base("https://example.com/many/")
    numbers = range(5_000)
    assert [base.link(f"{number}.html#part") for number in numbers] == [
        f"https://example.com/many/{number}.html" for number in numbers
    ]
    assert base.link("0.html") == "https://example.com/many/0.html"


def test_joining_keeps_other_schemes_and_fragments():
    """`join` is the plain WHATWG join."""
    assert join("https://example.com/a/b", "../c#d") == "https://example.com/c#d"
    assert join("https://example.com/a", "mailto:x@example.com") == "mailto:x@example.com"
    with pytest.raises(BadUrl, match="not a URL"):
        join("https://example.com/a", "http://[broken")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (urls.KEEP_QUERY, "http://example.com/p?utm=1&id=2&utm=3&UTM=4"),
        (urls.DROP_QUERY, "http://example.com/p"),
        (drop_parameters("utm"), "http://example.com/p?id=2&UTM=4"),
        (drop_parameters("utm", "id", "UTM"), "http://example.com/p"),
        (QueryPolicy(rule=QueryRule.DROP_NAMED), "http://example.com/p?utm=1&id=2&utm=3&UTM=4"),
    ],
)
def test_query_policies(policy, expected):
    """A profile may drop all or named parameters; the rest keeps its order."""
    assert canonical("http://example.com/p?utm=1&id=2&utm=3&UTM=4", policy) == expected


def test_parameter_names_are_compared_decoded():
    """An escaped spelling does not save a parameter from being dropped."""
    assert canonical("http://example.com/?%75tm=1&b=2", drop_parameters("utm")) == "http://example.com/?b=2"


@pytest.mark.parametrize(
    ("root", "url", "expected"),
    [
        ("http://example.com", "http://example.com/a", True),
        ("http://example.com", "http://example.com.evil.example/", False),
        ("http://example.com", "https://example.com/", False),
        ("http://EXAMPLE.com:80/new", "http://example.com/news", True),
        ("http://example.com/new/", "http://example.com/news", False),
        ("http://example.com/%7ea/", "http://example.com/~a/b", True),
        ("http://example.com/p?", "http://example.com/p?id=1", True),
        ("http://example.com/p?", "http://example.com/page", False),
        ("http://example.com/a/", "http://example.com/a/../b", False),
    ],
)
def test_root_strings(root, url, expected):
    """A root string admits the URLs whose canonical form it begins."""
    assert root_matches(root, url) is expected


def test_parts_of_a_url():
    """All parts are read, and the password does not show in the representation."""
    parts = parse("https://curator:hunter2@Example.com:8443/a?b=c#d")
    assert (parts.scheme, parts.username, parts.password, parts.host, parts.port) == (
        "https",
        "curator",
        "hunter2",
        "example.com",
        8443,
    )
    assert (parts.path, parts.query, parts.fragment) == ("/a", "b=c", "d")
    assert "hunter2" not in repr(parts)


def test_ports_and_schemes():
    """The effective port knows the defaults; only http and https are fetchable."""
    assert parse("https://example.com/").port is None
    assert parse("https://example.com/").effective_port == 443
    assert parse("http://example.com:81/").effective_port == 81
    assert parse("mailto:a@example.com").effective_port is None
    assert not parse("ftp://example.com/").fetchable
    assert parse("http://example.com/").fetchable


def test_hashes_are_stable_and_signed():
    """The 64-bit key never changes, because stores on disk depend on it."""
    assert urls.url_hash64("http://example.com/") == HASH_OF_EXAMPLE
    assert urls.url_hash64("http://example.com/a") != urls.url_hash64("http://example.com/b")


@given(st.text(alphabet="abc/", max_size=20))
def test_hashes_fit_a_database_integer(path):
    """Every key fits a signed 64-bit column."""
    assert -(2**63) <= urls.url_hash64(f"http://example.com/{path}") < 2**63

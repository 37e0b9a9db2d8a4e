"""What a rule of access is about: URLs, captures, agencies, harvests; and how it is found among many."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.kernel.access import (
    Default,
    Reach,
    Rule,
    Rules,
    Says,
    Where,
)
from opilio.kernel.access_index import Origin
from opilio.kernel.access_where import key_of
from tests.unit.kernel.access_rules import CAPTURED, PAGE, about, ask, rule

MATCHES = [
    (Reach.URL, "http://example.org/news/today.html", PAGE, True),
    (Reach.URL, "http://example.org/news/today.html?a=1&b=2", PAGE + "?b=2&a=1", True),
    (Reach.URL, "http://example.org/news", PAGE, False),
    (Reach.URL, "http://example.org/news/", "https://example.org/news", True),
    (Reach.PREFIX, "http://example.org/new", PAGE, True),
    (Reach.PREFIX, "http://example.org/news/", PAGE, True),
    (Reach.PREFIX, "http://example.org/news/", "http://example.org/news", True),
    (Reach.PREFIX, "http://example.org/news/", "http://example.org/news/?p=1", True),
    (Reach.PREFIX, "http://example.org/news/", "http://example.org/newsroom", False),
    (Reach.PREFIX, "http://example.org/", PAGE, True),
    (Reach.PREFIX, "http://example.org/", "http://example.org.evil.test/", False),
    (Reach.PREFIX, "http://example.org/x?id=5", "http://example.org/x?id=5&a=1", True),
    (Reach.PREFIX, "http://example.org/x?id=5", "http://example.org/x?a=1&id=5", False),
    (Reach.PREFIX, "http://example.org/x?id=5", "http://example.org/x", False),
    (Reach.PREFIX, "http://example.org/x?", "http://example.org/x?a", True),
    (Reach.PREFIX, "http://example.org/x?", "http://example.org/x", False),
    (Reach.HOST, "example.org", PAGE, True),
    (Reach.HOST, "EXAMPLE.org", "http://example.org:8080/", True),
    (Reach.HOST, "example.org:8080", "http://example.org:8080/", True),
    (Reach.HOST, "example.org:8080", "http://example.org/", False),
    (Reach.HOST, "example.org", "http://sub.example.org/", False),
    (Reach.HOST, "192.0.2.1", "http://192.0.2.1/x", True),
    (Reach.HOST, "[2001:db8::1]", "http://[2001:db8::1]:81/x", True),
    (Reach.HOST, "bücher.example", "http://xn--bcher-kva.example/", True),
    (Reach.DOMAIN, "example.org", "http://sub.example.org/", True),
    (Reach.DOMAIN, "*.example.org", "http://a.b.example.org:81/", True),
    (Reach.DOMAIN, "example.org", "http://badexample.org/", False),
    (Reach.DOMAIN, "example.org", "http://example.organic/", False),
    (Reach.DOMAIN, "org", PAGE, True),
    (Reach.PATTERN, r"/today\.html$", PAGE, True),
    (Reach.PATTERN, r"^http://", PAGE, False),
    (Reach.ALL, "", PAGE, True),
]


@pytest.mark.parametrize(("reach", "value", "url", "hit"), MATCHES)
def test_reach(reach, value, url, hit):
    """A rule is about what its reach says, by SURT: any scheme, with or without www, any case."""
    assert ask(rule(Says.TAKEN_BLOCK, about(reach, value)), url=url).allowed is not hit


def test_pattern_within():
    """A pattern with a domain is not tried elsewhere."""
    found = rule(Says.EXCLUDED, about(Reach.PATTERN, "today", within="example.org"))
    assert not ask(found).allowed
    assert ask(found, url="http://other.test/today").allowed


def test_capture_range():
    """A rule about a range of captures leaves those before it, and from its end on, alone."""
    ranged = rule(Says.TAKEN_HIDE, captured_from=CAPTURED, captured_to=CAPTURED + timedelta(hours=1))
    for hours, allowed in ((-1, True), (0, False), (0.5, False), (1, True)):
        assert ask(ranged, captured=CAPTURED + timedelta(hours=hours)).allowed is allowed


def test_agency():
    """A rule of an agency is about its own captures."""
    own = rule(Says.HIDDEN, agency="library")
    assert not ask(own).allowed
    assert ask(own, agency="museum").allowed
    assert ask(own, agency="").allowed


def test_harvest_and_target():
    """Display flags of targets and harvests close theirs only."""
    for name in ("target", "harvest"):
        hidden = rule(Says.HIDDEN, **{name: "12"})
        told = {"target": "1", "harvest": "2"}
        assert not ask(hidden, **told | {name: "12"}).allowed
        assert ask(hidden, **told).allowed


def test_unknown_harvest():
    """Where the harvest is not told, its rules close what they might be about, and open nothing."""
    assert not ask(rule(Says.HIDDEN, harvest="12")).allowed
    assert not ask(rule(Says.OPEN, harvest="12"), default=Default.CLOSED).allowed
    opened = rule(Says.OPEN, about(Reach.URL, PAGE), harvest="12", overrides=True)
    assert not ask(rule(Says.EXCLUDED), opened).allowed
    assert ask(rule(Says.EXCLUDED), opened, harvest="12", target="1").allowed


def test_few_rules_touched():
    """Of five thousand rules, a decision looks at those few that are about the URL."""
    hosts = [rule(Says.EXCLUDED, about(Reach.HOST, f"h{n}.example.org"), id=f"h{n}") for n in range(2_000)]
    folders = [rule(Says.EXCLUDED, about(Reach.PREFIX, f"http://e.org/{n}/"), id=f"f{n}") for n in range(1_500)]
    harvests = [rule(Says.HIDDEN, harvest=str(n), id=f"n{n}") for n in range(1_500)]
    held = Rules([*hosts, *folders, *harvests, rule(Says.EXCLUDED, about(Reach.DOMAIN, "e.org"), id="d")])
    origin = Origin(agency="library", target="1", harvest="77")
    touched = [each.id for each in held.touched("org,e)/77/page", origin)]
    assert sorted(touched) == ["d", "f77", "n77"]
    assert [each.id for each in held.touched("org,example,h5)/", origin)] == ["h5", "n77"]


LABELS = st.sampled_from(["a", "b", "ab", "a-b"])


HOSTS = st.lists(LABELS, min_size=1, max_size=3).map(lambda labels: ".".join([*labels, "org"]))


PATHS = st.lists(st.sampled_from(["a", "ab", "b"]), max_size=3).map(lambda parts: "/".join(["", *parts]) or "/")


URLS = st.builds(lambda host, path, end: f"http://{host}{path}{end}", HOSTS, PATHS, st.sampled_from(["", "/", "?q=1"]))


WHERES = st.one_of(
    st.builds(lambda host: about(Reach.HOST, host), HOSTS),
    st.builds(lambda host: about(Reach.DOMAIN, host), HOSTS),
    st.builds(lambda url: about(Reach.PREFIX, url), URLS),
    st.builds(lambda url: about(Reach.URL, url), URLS),
    st.just(Where()),
)


@settings(max_examples=50)
@given(st.lists(WHERES, max_size=12), URLS)
def test_index_finds_what_a_scan_finds(wheres, url):
    """The arranged rules find exactly what looking at every one by itself finds."""
    rules = [rule(Says.EXCLUDED, where, id=str(number)) for number, where in enumerate(wheres)]
    alone = [each.id for each in rules if not ask(each, url=url).allowed]
    assert sorted(each.id for each in Rules(rules).about(*key_of(url), Origin())) == sorted(alone)


@settings(max_examples=50)
@given(st.lists(st.tuples(WHERES, st.sampled_from(list(Says)), st.booleans()), max_size=8), URLS)
def test_adding_a_takedown_never_opens(parts, url):
    """Whatever the other rules are, one more takedown never lets a reader in."""
    rules = [
        Rule(id=str(n), says=says, where=where, seats=1 if says is Says.SEATS else 0,
             overrides=overrides and not says.takedown)
        for n, (where, says, overrides) in enumerate(parts)
    ]  # fmt: skip
    assert not ask(*rules, rule(Says.TAKEN_HIDE, about(Reach.URL, url), id="t"), url=url).allowed

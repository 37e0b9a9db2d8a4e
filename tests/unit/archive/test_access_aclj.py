"""Rules of access as pywb reads them."""

import json
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.access_aclj import to_aclj
from opilio.kernel.access import PUBLIC, Default, Reach, Rule, Rules, Says, Where, decide
from opilio.kernel.surt import surt

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def rule(name, says, reach="all", value="", **fields):
    return Rule(id=name, says=says, where=Where(reach=reach, value=value), **fields)


def made(*rules, default=Default.OPEN, **more):
    return to_aclj(Rules(rules, default=default, rooms={"main": ["192.0.2.0/24"]}), now=NOW, **more)


def looked_up(aclj, url, user=""):
    """What pywb answers: the first line whose key fits, a line for the user before one for all."""
    key = surt(url)
    for line in aclj.lines:
        name, _, fields = line.split(" ", 2)
        found = json.loads(fields)
        fits = key == name.removesuffix("###") if name.endswith("###") else key.startswith(name)
        if fits and found.get("user", user) == user:
            return found["access"]
    return aclj.default


def test_lines():
    """Lines are sorted backwards, so that the longest beginning comes first; an exact key is marked."""
    found = made(
        rule("1", Says.EXCLUDED, Reach.DOMAIN, "example.org"),
        rule("2", Says.OPEN, Reach.URL, "http://example.org/a", overrides=True),
        rule("3", Says.TAKEN_BLOCK, Reach.PREFIX, "http://example.org/b"),
    )
    assert found.text().splitlines() == [
        'org,example: - {"access": "exclude"}',
        'org,example, - {"access": "exclude"}',
        'org,example)/b - {"access": "block"}',
        'org,example)/a### - {"access": "allow"}',
        'org,example) - {"access": "exclude"}',
    ]
    assert found.default == "allow"


def test_reading_rooms():
    """A reading room is a user of pywb."""
    found = made(rule("1", Says.ROOMS, Reach.HOST, "example.org", rooms=frozenset({"main"})))
    assert looked_up(found, "http://example.org/", "main") == "allow"
    assert looked_up(found, "http://example.org/") == "block"
    assert looked_up(found, "http://example.org/", "other") == "block"


def test_parts_are_closed_whole():
    """What pywb cannot tell apart is closed as a whole: ranges of captures, days of embargo, harvests."""
    for fields in ({"captured_to": NOW}, {"harvest": "5"}):
        assert looked_up(made(rule("1", Says.HIDDEN, Reach.HOST, "e.org", **fields)), "http://e.org/") == "exclude"
        opened = made(rule("1", Says.OPEN, Reach.HOST, "e.org", **fields), default=Default.CLOSED)
        assert looked_up(opened, "http://e.org/") == "block"
    assert looked_up(made(rule("1", Says.EMBARGO, Reach.HOST, "e.org", days=1)), "http://e.org/") == "block"


def test_patterns():
    """A pattern within a domain closes the domain; one for all hosts is listed as left out."""
    within = Rule(id="1", says=Says.EXCLUDED, where=Where(reach=Reach.PATTERN, value="x", within="e.org"))
    found = made(within, rule("2", Says.EXCLUDED, Reach.PATTERN, "y"))
    assert looked_up(found, "http://www.e.org/") == "exclude"
    assert found.left_out == ("2",)


def test_times():
    """Rules that are over say nothing; the next change of the lines is named."""
    over = rule("1", Says.HIDDEN, Reach.HOST, "e.org", ends=NOW)
    coming = rule("2", Says.HIDDEN, Reach.HOST, "f.org", starts=NOW + timedelta(1))
    found = made(over, coming)
    assert looked_up(found, "http://e.org/") == "allow"
    assert found.until == NOW + timedelta(1)


def test_agency():
    """Rules of other agencies are not about these captures."""
    own = rule("1", Says.HIDDEN, Reach.HOST, "e.org", agency="library")
    assert looked_up(made(own, agency="library"), "http://e.org/") == "exclude"
    assert looked_up(made(own, agency="museum"), "http://e.org/") == "allow"


def test_without_an_agency_rules_of_agencies_close_and_open_nothing():
    """The captures may be anybody's: the strictest reading holds."""
    own = rule("1", Says.HIDDEN, Reach.HOST, "e.org", agency="library")
    lifts = rule("2", Says.OPEN, Reach.URL, "http://e.org/a", agency="library", overrides=True)
    assert looked_up(made(own, lifts), "http://e.org/") == "exclude"
    assert looked_up(made(own, lifts), "http://e.org/a") == "exclude"
    assert looked_up(made(own, lifts, agency="library"), "http://e.org/a") == "allow"
    opens = rule("3", Says.OPEN, Reach.HOST, "e.org", agency="library")
    assert looked_up(made(opens, default=Default.CLOSED), "http://e.org/") == "block"
    assert looked_up(made(rule("4", Says.OPEN), default=Default.CLOSED), "http://e.org/") == "allow"
    rooms = rule("5", Says.ROOMS, Reach.HOST, "e.org", agency="library", rooms=frozenset({"main"}))
    assert looked_up(made(rooms), "http://e.org/") == "block"


def test_closed_rules():
    """Rules that cannot be relied on close everything."""
    found = to_aclj(Rules.closed("Too old."), now=NOW)
    assert (found.lines, found.default) == ((), "block")


HOSTS = st.sampled_from(["a.org", "b.a.org", "ab.org", "org"])
URLS = st.builds(lambda host, path: f"http://{host}/{path}", HOSTS, st.sampled_from(["", "x", "x/", "x/y", "xy"]))
WHERES = st.one_of(
    st.builds(lambda kind, host: Where(reach=kind, value=host), st.sampled_from([Reach.HOST, Reach.DOMAIN]), HOSTS),
    st.builds(lambda kind, url: Where(reach=kind, value=url), st.sampled_from([Reach.PREFIX, Reach.URL]), URLS),
    st.just(Where()),
)
SAYS = st.sampled_from([says for says in Says if says is not Says.SEATS])


@settings(max_examples=50)
@given(st.lists(st.tuples(WHERES, SAYS, st.booleans()), max_size=6), URLS, st.sampled_from(list(Default)))
def test_same_as_decided(parts, url, default):
    """For rules that pywb can express, its answer for the public is ours."""
    rules = Rules(
        [
            Rule(id=str(n), says=says, where=where, overrides=lifts and not says.takedown)
            for n, (where, says, lifts) in enumerate(parts)
        ],
        default=default,
    )
    ours = decide(rules, url=url, captured=NOW, agency="", reader=PUBLIC, now=NOW)
    expected = "allow" if ours.allowed else "block" if ours.told else "exclude"
    assert looked_up(to_aclj(rules, now=NOW), url) == expected


@settings(max_examples=50)
@given(
    st.lists(st.tuples(WHERES, SAYS, st.booleans(), st.sampled_from(["", "a", "b"])), max_size=6), URLS,
    st.sampled_from(list(Default)), st.sampled_from(["", "a", "b", "c"]),
)  # fmt: skip
def test_without_an_agency_nothing_is_open_that_any_agency_closes(parts, url, default, agency):
    """Whoever the captures belong to."""
    rules = Rules(
        [
            Rule(id=str(n), says=says, where=where, overrides=lifts and not says.takedown, agency=owner)
            for n, (where, says, lifts, owner) in enumerate(parts)
        ],
        default=default,
    )
    ours = decide(rules, url=url, captured=NOW, agency=agency, reader=PUBLIC, now=NOW)
    if looked_up(to_aclj(rules, now=NOW), url) == "allow":
        assert ours.allowed

"""Who may see what: one rule at a time, then rules together."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.kernel.access import (
    OPEN_TO_ALL,
    PUBLIC,
    BadRule,
    Decision,
    Default,
    Reach,
    Reader,
    Rule,
    Rules,
    Says,
    Seat,
    Statement,
    Where,
    decide,
)
from opilio.kernel.access_index import Origin
from opilio.kernel.access_where import key_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)
CAPTURED = datetime(2026, 1, 15, 12, tzinfo=UTC)
PAGE = "https://www.example.org/news/today.html"
STAFF = Reader(user="7", agency="library", staff_of=frozenset({"library"}))
FOREIGN_STAFF = Reader(user="8", agency="museum", staff_of=frozenset({"museum"}))
ROOMS = {"main": ["192.0.2.0/24"], "annexe": ["2001:db8::/64"]}


def rule(says, where=None, **fields):
    return Rule(**{"id": fields.pop("id", f"{says}-1"), "says": says, "where": where or Where(), **fields})


def about(reach, value, **more):
    return Where(reach=reach, value=value, **more)


def ask(*rules, url=PAGE, reader=PUBLIC, now=NOW, captured=CAPTURED, agency="library", default=Default.OPEN, **more):
    held = Rules(rules, default=default, rooms=ROOMS)
    return decide(held, url=url, captured=captured, agency=agency, reader=reader, now=now, **more)


def test_own_machine_is_open():
    """Without any rule, everything is open on one's own machine."""
    assert decide(OPEN_TO_ALL, url=PAGE, captured=CAPTURED, agency="", reader=PUBLIC, now=NOW) == Decision(
        allowed=True, reason="The capture is open."
    )


def test_closed_by_default():
    """Where no rule lets anybody in, nobody gets in but staff."""
    assert not ask(default=Default.CLOSED).allowed
    assert ask(default=Default.CLOSED, reader=STAFF).allowed
    assert not ask(default=Default.CLOSED, reader=FOREIGN_STAFF).allowed


def test_open_rule_opens():
    """An open rule lets everybody in, and is named."""
    found = ask(rule(Says.OPEN, id="permission 5"), default=Default.CLOSED)
    assert (found.allowed, found.rule) == (True, "permission 5")


@pytest.mark.parametrize(
    ("address", "allowed"),
    [("192.0.2.7", True), ("::ffff:192.0.2.7", True), ("198.51.100.1", False), ("", False), ("nonsense", False)],
)
def test_reading_room(address, allowed):
    """A capture restricted by location opens inside the networks of its reading rooms."""
    restricted = rule(Says.ROOMS, rooms=frozenset({"main"}))
    found = ask(restricted, reader=Reader(address=address), default=Default.CLOSED)
    assert found.allowed is allowed
    assert allowed or found.reason == "This capture can be seen in reading rooms only: main."


def test_any_reading_room():
    """A rule that names no room lets readers of any room in; one that names a room does not."""
    reader = Reader(address="2001:db8::5")
    assert ask(rule(Says.ROOMS), reader=reader).allowed
    assert not ask(rule(Says.ROOMS, rooms=frozenset({"main"})), reader=reader).allowed


@pytest.mark.parametrize(
    ("reader", "allowed"),
    [
        (Reader(user="3", agency="x"), True),
        (Reader(user="4", roles=frozenset({"scholar"})), True),
        (Reader(user="5", agency="museum"), True),
        (Reader(user="6", agency="x", roles=frozenset({"guest"})), False),
        (Reader(agency="museum", roles=frozenset({"scholar"})), False),
        (PUBLIC, False),
    ],
)
def test_persons(reader, allowed):
    """Named users, roles and agencies may see what is restricted by person, once they signed in."""
    names = {"users": frozenset({"3"}), "roles": frozenset({"scholar"}), "agencies": frozenset({"museum"})}
    assert ask(rule(Says.PERSONS, **names), reader=reader).allowed is allowed


def test_nobody_named():
    """A restriction by person that names nobody leaves it to staff."""
    assert not ask(rule(Says.PERSONS), reader=Reader(user="3")).allowed
    assert ask(rule(Says.PERSONS), reader=STAFF).allowed


def test_seats():
    """A reader without a seat is told which one to take; with it, the capture opens."""
    limited = rule(Says.SEATS, id="p3", seats=3)
    refused = ask(limited)
    assert (refused.allowed, refused.seat) == (False, Seat(rule="p3", most=3))
    assert ask(limited, reader=Reader(seats=frozenset({"p3"})), default=Default.CLOSED).allowed


def test_no_seat_when_closed_otherwise():
    """A seat is not offered where another rule keeps the reader out anyway."""
    assert ask(rule(Says.SEATS, seats=3), rule(Says.EMBARGO)).seat is None


def test_embargo_ends():
    """An embargo holds until its end, which the decision names, and not a moment longer."""
    ends = NOW + timedelta(days=1)
    embargo = rule(Says.EMBARGO, ends=ends)
    assert (ask(embargo).allowed, ask(embargo).until) == (False, ends)
    later = ask(embargo, now=ends)
    assert (later.allowed, later.until) == (True, None)


def test_embargo_from_capture():
    """An embargo of days counts from the capture; with a fixed end too, the later of both holds."""
    days = rule(Says.EMBARGO, days=200)
    assert ask(days).until == CAPTURED + timedelta(days=200)
    assert ask(days, captured=CAPTURED - timedelta(days=90)).allowed
    both = rule(Says.EMBARGO, days=10, ends=NOW + timedelta(days=5))
    assert ask(both).until == NOW + timedelta(days=5)


def test_far_embargo():
    """Days that lead beyond the calendar close for ever."""
    assert not ask(rule(Says.EMBARGO, days=100_000), captured=datetime(9990, 1, 1, tzinfo=UTC)).allowed


def test_open_access_date():
    """A restriction with an open-access date and the opening from then on follow one another without a gap."""
    date = NOW + timedelta(days=30)
    rules = (rule(Says.ROOMS, ends=date), rule(Says.OPEN, starts=date))
    before = ask(*rules, default=Default.CLOSED)
    assert (before.allowed, before.until) == (False, date)
    assert ask(*rules, default=Default.CLOSED, now=date).allowed


def test_rule_to_come():
    """A rule that is not in force yet changes nothing but the time until which a decision holds."""
    found = ask(rule(Says.HIDDEN, starts=NOW + timedelta(hours=1)))
    assert (found.allowed, found.until) == (True, NOW + timedelta(hours=1))


@pytest.mark.parametrize("says", [Says.HIDDEN, Says.EXCLUDED, Says.TAKEN_HIDE])
def test_silent_rules(says):
    """What is not displayed, excluded or hidden is not even mentioned to readers; staff see it."""
    assert (ask(rule(says)).allowed, ask(rule(says)).told) == (False, False)
    assert ask(rule(says), reader=STAFF).allowed
    assert not ask(rule(says), reader=FOREIGN_STAFF).allowed


@pytest.mark.parametrize("says", [Says.TAKEN_BLOCK, Says.TAKEN_DESTROY])
def test_blocked_for_all(says):
    """What was blocked or destroyed is closed to staff too, and said to be taken down."""
    for reader in (PUBLIC, STAFF):
        found = ask(rule(says), reader=reader)
        assert (found.allowed, found.told, found.reason) == (False, True, "This capture was taken down.")


def test_most_restrictive():
    """Of several permissions the most restrictive decides, whatever their order."""
    rules = [rule(Says.OPEN), rule(Says.ROOMS), rule(Says.EMBARGO, ends=NOW + timedelta(1))]
    for order in (rules, rules[::-1]):
        assert ask(*order, reader=Reader(address="192.0.2.7")).rule == "embargoed-1"


def test_all_restrictions_count():
    """A reader must satisfy every rule, not only one."""
    rules = (rule(Says.ROOMS), rule(Says.PERSONS, users=frozenset({"3"})))
    assert not ask(*rules, reader=Reader(user="3")).allowed
    assert not ask(*rules, reader=Reader(address="192.0.2.7")).allowed
    assert ask(*rules, reader=Reader(user="3", address="192.0.2.7")).allowed


def test_specific_rule_overrides():
    """A more specific rule that overrides sets wider ones aside; without `overrides` it does not."""
    closed = rule(Says.EXCLUDED, about(Reach.DOMAIN, "example.org"))
    folder = about(Reach.PREFIX, "http://example.org/news/")
    assert not ask(closed, rule(Says.OPEN, folder)).allowed
    assert ask(closed, rule(Says.OPEN, folder, overrides=True)).allowed
    assert not ask(closed, rule(Says.OPEN, folder, overrides=True), url="http://example.org/other").allowed


def test_longest_wins():
    """Inside an exception, a still more specific rule closes again."""
    rules = (
        rule(Says.EXCLUDED, about(Reach.DOMAIN, "example.org"), id="1"),
        rule(Says.OPEN, about(Reach.HOST, "example.org"), id="2", overrides=True),
        rule(Says.EXCLUDED, about(Reach.PREFIX, "http://example.org/news/"), id="3"),
        rule(Says.OPEN, about(Reach.URL, PAGE), id="4", overrides=True),
    )
    assert ask(*rules).rule == "4"
    assert ask(*rules, url="http://example.org/news/other").rule == "3"
    assert ask(*rules, url="http://example.org/").rule == "2"
    assert ask(*rules, url="http://sub.example.org/").rule == "1"


def test_equally_specific():
    """Of equally specific rules, the one that overrides does not set the other aside."""
    host = about(Reach.HOST, "example.org")
    assert not ask(rule(Says.HIDDEN, host), rule(Says.OPEN, host, overrides=True)).allowed


@pytest.mark.parametrize("says", [Says.TAKEN_HIDE, Says.TAKEN_BLOCK, Says.TAKEN_DESTROY])
def test_takedown_above_all(says):
    """No exception, however specific, lifts a takedown."""
    exception = rule(Says.OPEN, about(Reach.URL, PAGE), overrides=True)
    assert ask(rule(says, about(Reach.DOMAIN, "org")), exception).rule == f"{says}-1"


def test_gravest_takedown():
    """Of several takedowns the gravest decides."""
    assert ask(*(rule(says) for says in Says if says.takedown)).rule == "takedown-destroy-1"


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


def test_statements():
    """Every permission behind a capture has its statement shown, the most restrictive first, each once."""
    texts = [Statement(text="© A", link="https://a.test/"), Statement(text="© B", requirements="No copies.")]
    rules = [rule(Says.OPEN, id=str(n), statement=texts[n % 2]) for n in range(4)]
    rules.append(rule(Says.ROOMS, statement=texts[0]))
    assert ask(*rules, reader=Reader(address="192.0.2.7")).statements == (texts[0], texts[1])
    assert ask(*rules).statements == ()


def test_own_reason():
    """A rule's own sentence replaces ours."""
    assert ask(rule(Says.TAKEN_BLOCK, reason="Court order 5.")).reason == "Court order 5."


def test_unreadable_url():
    """Where a URL cannot be read, rules cannot be applied, so that readers see nothing."""
    for url in ("http://[::", "urn:x", "", "http://" + "a" * 20_000):
        assert not ask(rule(Says.TAKEN_HIDE, about(Reach.HOST, "example.org")), url=url).allowed
        assert ask(url=url).allowed
        assert not ask(url=url, default=Default.CLOSED).allowed


def test_closed_rules():
    """Rules that cannot be relied on close everything to everybody, staff too, and say why."""
    found = decide(Rules.closed("Too old."), url=PAGE, captured=CAPTURED, agency="library", reader=STAFF, now=NOW)
    assert (found.allowed, found.reason) == (False, "Too old.")


@pytest.mark.parametrize("naive", [{"now": datetime(2026, 1, 1)}, {"captured": datetime(2026, 1, 1)}])  # noqa: DTZ001 - meant
def test_naive_times(naive):
    """A time without a zone is refused."""
    with pytest.raises(BadRule) as caught:
        ask(**naive)
    assert "zone" in caught.value.what


def test_zones_of_time():
    """Times of any zone are compared as moments."""
    east = timezone(timedelta(hours=10))
    ends = (NOW + timedelta(hours=1)).astimezone(east)
    assert not ask(rule(Says.EMBARGO, ends=ends)).allowed
    assert ask(rule(Says.EMBARGO, ends=ends), now=NOW + timedelta(hours=1)).allowed


BAD = [
    {"id": ""},
    {"id": 5},
    {"id": "x" * 201},
    {"id": "a\x00b"},
    {"says": "everything"},
    {"says": None},
    {"seats": 3},
    {"says": "limited-readers"},
    {"says": "limited-readers", "seats": -1},
    {"says": "limited-readers", "seats": float("nan")},
    {"says": "limited-readers", "seats": True},
    {"says": "limited-readers", "seats": 10**9},
    {"days": 5},
    {"says": "embargoed", "days": 1.5},
    {"says": "embargoed", "days": -1},
    {"says": "embargoed", "days": 10**9},
    {"rooms": ["main"]},
    {"users": ["3"]},
    {"says": "restricted-by-person", "users": "3"},
    {"says": "restricted-by-person", "users": [3]},
    {"says": "restricted-by-person", "users": [""]},
    {"says": "restricted-by-person", "users": [str(n) for n in range(10_001)]},
    {"says": "takedown-hide", "overrides": True},
    {"says": "takedown-destroy", "ends": NOW},
    {"overrides": 1},
    {"where": "everywhere"},
    {"ends": "2026-01-01"},
    {"ends": datetime(2026, 1, 1)},  # noqa: DTZ001 - meant
    {"starts": NOW, "ends": NOW},
    {"captured_from": NOW, "captured_to": CAPTURED},
    {"reason": "x" * 8_001},
    {"reason": "\ud800"},
    {"agency": 5},
]


@pytest.mark.parametrize("fields", BAD, ids=str)
def test_bad_rules(fields):
    """A rule that cannot be meant is refused with a remedy."""
    with pytest.raises(BadRule) as caught:
        Rule(**{"id": "1", "says": "open", **fields})
    assert caught.value.remedy


@pytest.mark.parametrize(
    "fields",
    [
        {"reach": "host"},
        {"reach": "all", "value": "x"},
        {"reach": "planet", "value": "x"},
        {"reach": "host", "value": "http://example.org/"},
        {"reach": "host", "value": "a b"},
        {"reach": "domain", "value": "example.org:80801"},
        {"reach": "domain", "value": "example.org:8080"},
        {"reach": "url", "value": "mailto:x@y.z"},
        {"reach": "prefix", "value": "/news"},
        {"reach": "pattern", "value": "("},
        {"reach": "pattern", "value": "x" * 1_001},
        {"reach": "pattern", "value": "((((a{100}){100}){100}){100})"},
        {"reach": "url", "value": "http://e.org/", "within": "e.org"},
        {"reach": "url", "value": 5},
    ],
    ids=str,
)
def test_bad_reach(fields):
    """A reach that cannot be meant is refused with a remedy."""
    with pytest.raises(BadRule) as caught:
        Where(**fields)
    assert caught.value.remedy


def test_bad_statement():
    """A link that is no web address is no link for a banner."""
    with pytest.raises(BadRule):
        Statement(link="javascript:alert(1)")


@pytest.mark.parametrize(
    "rooms", [{"": []}, {"a": "192.0.2.0/24"}, {"a": ["192.0.2.1/24"]}, {"a": ["all"]}, {"a": [None]}, {"a": 5}]
)
def test_bad_rooms(rooms):
    """Networks that cannot be read are refused."""
    with pytest.raises(BadRule):
        Rules(rooms=rooms)


def test_unknown_room():
    """A rule about a room that has no networks is refused, because nobody could ever enter."""
    with pytest.raises(BadRule):
        Rules([rule(Says.ROOMS, rooms=frozenset({"attic"}))], rooms=ROOMS)


def test_same_id_twice():
    """Two rules of one id are refused: a decision could not name the one that decided."""
    with pytest.raises(BadRule):
        Rules([rule(Says.OPEN), rule(Says.OPEN)])


def test_too_many_patterns():
    """Patterns that are tried on every URL are few; those within a domain may be many."""
    many = [rule(Says.EXCLUDED, about(Reach.PATTERN, "x", within="e.org"), id=str(n)) for n in range(1_001)]
    assert len(Rules(many)) == 1_001
    with pytest.raises(BadRule):
        Rules(rule(Says.EXCLUDED, about(Reach.PATTERN, "x"), id=str(n)) for n in range(1_001))


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

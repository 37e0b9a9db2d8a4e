"""Who may see what: one rule at a time, then rules together."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from opilio.kernel.access import (
    OPEN_TO_ALL,
    PUBLIC,
    BadRule,
    Decision,
    Default,
    Reach,
    Reader,
    Rules,
    Says,
    Seat,
    Statement,
    decide,
)
from tests.unit.kernel.access_rules import CAPTURED, FOREIGN_STAFF, NOW, PAGE, STAFF, about, ask, rule


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

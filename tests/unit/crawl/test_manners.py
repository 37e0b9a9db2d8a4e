"""How long hosts are left in peace, and why."""

import math
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from opilio.crawl import plan
from opilio.crawl.breaker import MOVES, Breaker, Event, Fuse, State
from opilio.crawl.errors import BadPlan
from opilio.crawl.manners import (
    PRESETS,
    Answer,
    HostManners,
    Pace,
    Why,
    answered,
    delay_for,
    granted,
    pace_of,
    parse_retry_after,
    restored,
    wait,
)
from opilio.crawl.plan import Preset
from opilio.crawl.user_agent import check_introduction, is_private_target, user_agent

NOW = 1_767_225_600.0
AT = datetime.fromtimestamp(NOW, UTC)
PACE = Pace(delay=3, max_delay=30, factor=5, crawl_delay_cap=20)
OK = Answer(seconds=0.1, status=200)


@pytest.mark.parametrize(
    ("response", "crawl_delay", "seconds", "because"),
    [
        (None, None, 3, "the configured delay"),
        (0.1, None, 3, "the configured delay"),
        (2, None, 10, "5 × the response time"),
        (100, None, 30, "5 × the response time"),
        (-5, None, 3, "the configured delay"),
        (0.1, 12, 12, "Crawl-delay"),
        (0.1, 600, 20, "Crawl-delay, cut from 600 s"),
        (0.1, 1, 3, "the configured delay"),
        (5, 12, 25, "5 × the response time"),
    ],
)
def test_the_longest_delay_counts_and_says_why(response, crawl_delay, seconds, because):
    """Configured, adapted to the server, or asked for by robots.txt up to a cap that shows."""
    found = delay_for(PACE, response=response, crawl_delay=crawl_delay)
    assert (found.seconds, found.because) == (seconds, because)
    state = HostManners(crawl_delay=crawl_delay, in_flight=1)
    assert answered(state, PACE, Answer(seconds=response or 0, status=200), NOW).delay == seconds


def test_presets_grow_brisker():
    """Each preset asks for less patience than the one before."""
    order = [PRESETS[preset] for preset in (Preset.GENTLE, Preset.NORMAL, Preset.BRISK, Preset.OWN_SITE)]
    assert [(pace.factor, pace.delay, pace.max_delay, pace.crawl_delay_cap) for pace in order] == [
        (10, 9, 90, 180), (5, 3, 30, 30), (1, 1, 10, 2), (0, 0, 0, 0),
    ]  # fmt: skip
    assert [pace.host_bandwidth for pace in order] == [400_000, 800_000, 2_000_000, None]
    assert set(PRESETS) == set(Preset)


def test_a_plan_changes_its_preset():
    """What the plan leaves open is the preset's."""
    pace = pace_of(plan.Manners(preset=Preset.GENTLE, delay=0, factor=2.5, breaker=4), parallel=2)
    assert (pace.delay, pace.factor, pace.max_delay, pace.parallel, pace.fuse.limit) == (0, 2.5, 90, 2, 4)


def test_a_host_is_asked_once_at_a_time_and_left_alone_after():
    """The delay counts from the end of the answer, and grows with its time."""
    state = granted(HostManners(), PACE, NOW)
    assert wait(state, PACE, NOW + 100).why is Why.BUSY
    state = answered(state, PACE, Answer(seconds=4, status=200), NOW + 4)
    assert state.delay == 20
    found = wait(state, PACE, NOW + 5)
    assert (found.why, found.seconds) == (Why.DELAY, 19)
    assert wait(state, PACE, NOW + 24) is None


def test_a_crawl_delay_learned_late_holds_at_once():
    """robots.txt itself was a request: the next one keeps the distance that it asks for."""
    state = answered(granted(HostManners(), PACE, NOW), PACE, OK, NOW)
    late = HostManners(**{**_fields(state), "crawl_delay": 15.0})
    assert wait(late, PACE, NOW + 5).seconds == 10


def _fields(state):
    return {name: getattr(state, name) for name in HostManners.__slots__}


def test_two_at_a_time_still_keep_their_distance():
    """With several connections, requests start a delay apart."""
    pace = Pace(delay=1, factor=5, max_delay=30, parallel=2)
    state = granted(HostManners(), pace, NOW)
    assert wait(state, pace, NOW).seconds == 1
    state = granted(state, pace, NOW + 1)
    assert wait(state, pace, NOW + 2).why is Why.BUSY
    state = answered(state, pace, Answer(seconds=2, status=200), NOW + 2)
    assert wait(state, pace, NOW + 3).seconds == 8


@pytest.mark.parametrize("status", [429, 503])
def test_back_off_doubles_and_ends_with_an_answer(status):
    """Each 429 or 503 in a row doubles the pause, up to a cap; any good answer forgets them."""
    pace = Pace(delay=1, backoff=30, backoff_cap=100, fuse=Fuse(limit=50))
    state, now, pauses = HostManners(), NOW, []
    for _ in range(4):
        state = answered(granted(state, pace, now), pace, Answer(seconds=0, status=status), now)
        found = wait(state, pace, now)
        assert found.why is Why.BLOCKED
        pauses.append(found.seconds)
        now += found.seconds
    assert pauses == [30, 60, 100, 100]
    state = answered(granted(state, pace, now), pace, OK, now)
    assert (state.failures, wait(state, pace, now).why) == (0, Why.DELAY)


def test_retry_after_is_obeyed_up_to_its_cap():
    """A server's wish counts when it is longer than our own back-off."""
    pace = Pace(backoff=30, retry_after_cap=1000)
    for asked, waited in ((500.0, 500), (5.0, 30), (1e9, 1000)):
        state = answered(HostManners(in_flight=1), pace, Answer(seconds=0, status=503, retry_after=asked), NOW)
        assert state.block_until == NOW + waited
    assert answered(HostManners(), pace, Answer(seconds=0, status=200, retry_after=500), NOW).block_until == 0
    assert answered(HostManners(), pace, Answer(seconds=0, status=500, retry_after=50), NOW).block_until == NOW + 50


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("9" * 5_000, 999_999_999_999),
        (format_datetime(AT + timedelta(hours=1), usegmt=True), 3600),
        (format_datetime(AT - timedelta(hours=1), usegmt=True), 0),
        ("Thursday, 01-Jan-26 00:01:00 GMT", 60),
        ("Thu Jan  1 00:01:00 2026", 60),
        ("", None),
        (None, None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("Thu, 99 Foo 2026 99:99:99 GMT", None),
        ("\x00\xff", None),
        ("٣", None),
    ],
)
def test_retry_after_as_seconds_and_as_date(value, seconds):
    """Both forms are read; nonsense asks for nothing."""
    assert parse_retry_after(value, AT) == seconds


def test_the_breaker_opens_tries_and_closes():
    """After errors in a row the host rests; one request tries it; its fate decides."""
    pace = Pace(delay=0, factor=0, parallel=5, fuse=Fuse(limit=3, rest=100, longest=1000))
    state, now = HostManners(), NOW
    for _ in range(3):
        assert wait(state, pace, now) is None
        state = answered(granted(state, pace, now), pace, Answer(seconds=0, status=None), now)
    assert (wait(state, pace, now).why, wait(state, pace, now).seconds) == (Why.BROKEN, 100)
    now += 100
    state = granted(state, pace, now)
    assert wait(state, pace, now).why is Why.BUSY  # one try at a time, though five may run
    state = answered(state, pace, Answer(seconds=0, status=500), now)
    assert wait(state, pace, now).seconds == 200
    assert state.breaker.rests(pace.fuse) == 2
    state = answered(granted(state, pace, now + 200), pace, OK, now + 200)
    assert state.breaker.state(pace.fuse, now + 200) is State.CLOSED
    assert wait(state, pace, now + 200) is None


def test_rests_double_up_to_the_longest():
    """However often a host fails, it is tried again within the longest rest."""
    fuse = Fuse(limit=1, rest=10, longest=50)
    breaker, now, rests = Breaker(), NOW, []
    for _ in range(100):
        breaker = breaker.failed(fuse, now)
        rests.append(breaker.broken_until - now)
        now = breaker.broken_until
    assert rests[:4] == [10, 20, 40, 50]
    assert set(rests[4:]) == {50}


def test_errors_while_a_host_rests_change_nothing():
    """Answers to requests from before do not lengthen the rest; a good one ends it."""
    fuse = Fuse(limit=2, rest=10)
    breaker = Breaker().failed(fuse, NOW).failed(fuse, NOW)
    assert breaker.failed(fuse, NOW + 5) == breaker
    assert breaker.succeeded().state(fuse, NOW + 5) is State.CLOSED


def test_the_moves_of_the_breaker_are_complete():
    """From each state every event that can happen there leads somewhere."""
    for state in State:
        assert (state, Event.SUCCESS) in MOVES
        assert (state, Event.FAILURE) in MOVES
    assert (State.CLOSED, Event.LIMIT) in MOVES
    assert (State.OPEN, Event.RESTED) in MOVES
    assert set(MOVES.values()) == set(State)


def test_a_restored_host_waits_at_most_what_we_impose():
    """Times that lie far ahead come from a clock that went back, and are cut; waits that are due stay."""
    far = HostManners(next_due=NOW + 1e6, delay=7, block_until=NOW + 1e9, failures=20, broken_until=NOW + 1e9)
    found = restored(far, PACE, NOW)
    assert found.next_due == NOW + 7
    assert found.block_until == NOW + PACE.retry_after_cap
    assert found.broken_until == NOW + PACE.fuse.longest
    soon = restored(HostManners(next_due=NOW + 5, delay=7, block_until=NOW + 50), PACE, NOW)
    assert (soon.next_due, soon.block_until) == (NOW + 5, NOW + 50)


def test_after_a_crash_a_whole_delay_is_waited():
    """A request may have gone out after the state was stored, unless it is certain that none did."""
    old = HostManners(next_due=NOW - 100, delay=3)
    assert wait(restored(old, PACE, NOW), PACE, NOW).seconds == 3
    assert wait(restored(old, PACE, NOW, certain=True), PACE, NOW) is None


def test_a_host_that_was_never_asked_may_be_asked_now():
    """There is nothing to wait for."""
    assert wait(HostManners(), PACE, NOW) is None
    assert not math.isfinite(HostManners().granted)


@pytest.mark.parametrize(
    ("given", "header"),
    [
        ({"contact": "web@example.org"}, "opilio/0.1.0 (+mailto:web@example.org)"),
        ({"contact": "https://example.org/crawl"}, "opilio/0.1.0 (+https://example.org/crawl)"),
        ({"user_agent": "Mine/2 (+https://example.org/)"}, "Mine/2 (+https://example.org/)"),
        ({"user_agent": "Mine/2", "contact": "mailto:web@example.org"}, "Mine/2 (+mailto:web@example.org)"),
        ({}, "opilio/0.1.0"),
    ],
)
def test_the_crawler_introduces_itself(given, header):
    """Product, version and a way to complain."""
    assert user_agent(plan.Manners(**given)) == header


def test_public_sites_need_a_contact():
    """Private targets do not; a contact in the whole header counts too."""
    public, private = ["https://example.org/"], ["http://127.0.0.1/", "http://localhost:8000/", "http://wiki.internal/"]
    check_introduction(plan.Manners(), private)
    for given in ({"contact": "web@example.org"}, {"user_agent": "Mine (+https://example.org/crawl)"}):
        check_introduction(plan.Manners(**given), public)
    for given in ({}, {"user_agent": "Mozilla/5.0"}):
        with pytest.raises(BadPlan, match="needs a contact") as caught:
            check_introduction(plan.Manners(**given), [*private, *public])
        assert caught.value.where == "https://example.org/"


@pytest.mark.parametrize("given", [{"contact": "somebody"}, {"contact": "a@b"}, {"agent": "bot 2"}, {"agent": ""}])
def test_introductions_that_lead_nowhere(given):
    """A contact must be an address, and a name one that robots.txt can use."""
    with pytest.raises(BadPlan):
        check_introduction(plan.Manners(**given), ["http://localhost/"])


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("http://10.1.2.3/", True),
        ("http://[::1]/", True),
        ("http://0x7f.1/", True),
        ("http://intranet/", True),
        ("http://a.localhost/", True),
        ("http://8.8.8.8/", False),
        ("http://localhost.example.org/", False),
        ("http://[2606:4700::1]/", False),
    ],
)
def test_which_targets_are_ones_own(url, private):
    """Addresses and names that nobody else can have."""
    assert is_private_target(url) is private

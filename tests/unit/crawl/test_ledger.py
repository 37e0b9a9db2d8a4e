"""One ledger for all requests: no sequence of events, and no clock, brings two of them too close together."""

import math

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from opilio.crawl.breaker import Fuse
from opilio.crawl.ledger import Ledger
from opilio.crawl.manners import Answer, Pace, Why
from opilio.kernel.clock import ManualClock

PACE = Pace(delay=3, factor=5, max_delay=30, crawl_delay_cap=20, backoff=10, backoff_cap=300, retry_after_cap=500)
OK = Answer(seconds=0, status=200)


@pytest.fixture
def clock():
    """A clock that moves when told."""
    return ManualClock()


def test_everything_for_a_host_shares_one_entry(clock):
    """The second request waits, whatever it is for; another host does not."""
    ledger = Ledger(clock=clock, pace=PACE)
    assert ledger.ask("example.com") is None
    assert ledger.ask("example.com").why is Why.BUSY
    assert ledger.ask("example.org") is None
    ledger.answered("example.com", answer=OK)
    assert ledger.due("example.com") == 3
    clock.advance(3)
    assert ledger.ask("example.com") is None


def test_hosts_at_one_address_can_share_a_delay(clock):
    """A request with two keys is allowed when both are, and then counts for both."""
    ledger = Ledger(clock=clock, pace=PACE)
    assert ledger.ask("a.example", "ip:192.0.2.1") is None
    ledger.answered("a.example", "ip:192.0.2.1", answer=OK)
    assert ledger.ask("b.example", "ip:192.0.2.1").seconds == 3
    assert ledger.ask("b.example") is None  # the refused one left no trace


def test_paces_change_while_the_crawl_runs(clock):
    """New terms hold at once, also for a wait that has begun; hosts may have terms of their own."""
    ledger = Ledger(clock=clock, pace=PACE, paces={"own.example": Pace(delay=0, factor=0)})
    for _ in range(3):
        assert ledger.ask("own.example") is None
        ledger.answered("own.example", answer=OK)
    ledger.ask("example.com")
    ledger.answered("example.com", answer=OK)
    ledger.change_pace(Pace(delay=60))
    assert ledger.due("example.com") == 60
    assert ledger.pace("own.example").delay == 60
    clock.advance(20)
    ledger.change_pace(Pace(delay=25))
    assert ledger.due("example.com") == pytest.approx(5)
    assert ledger.changed()["example.com"].next_due == pytest.approx(clock.now().timestamp() + 5)
    ledger.change_pace(Pace(delay=10))
    assert ledger.ask("example.com") is None


def test_another_pace_counts_while_a_request_is_under_way(clock):
    """The wait after it is as long as the new terms say, and what the server asked for stays."""
    ledger = Ledger(clock=clock, pace=Pace(delay=60, factor=5))
    ledger.ask("example.com")
    clock.advance(1)
    ledger.change_pace(Pace(delay=2, factor=5))
    ledger.answered("example.com", answer=Answer(seconds=1, status=200))
    assert ledger.due("example.com") == pytest.approx(5)  # five times the time of the answer
    ledger.change_pace(Pace(delay=2, factor=0))
    assert ledger.due("example.com") == pytest.approx(2)
    clock.advance(2)
    ledger.ask("example.com")
    ledger.answered("example.com", answer=Answer(seconds=0, status=429, retry_after=100))
    ledger.change_pace(Pace(delay=0, factor=0))
    assert ledger.due("example.com") == pytest.approx(100)


def test_crawl_delay_is_learned_and_unlearned(clock):
    """robots.txt may ask for more, later for less."""
    ledger = Ledger(clock=clock, pace=PACE)
    ledger.crawl_delay("example.com", 12)
    ledger.ask("example.com")
    ledger.answered("example.com", answer=OK)
    assert ledger.due("example.com") == 12
    clock.advance(12)
    ledger.crawl_delay("example.com", None)
    ledger.ask("example.com")
    ledger.answered("example.com", answer=OK)
    assert ledger.due("example.com") == 3


def test_states_are_stored_and_taken_up(clock):
    """Retry-After, breaker and due times survive the end of the process."""
    first = Ledger(clock=clock, pace=PACE)
    first.ask("example.com")
    first.answered("example.com", answer=Answer(seconds=0, status=503, retry_after=400))
    states = first.changed()
    assert set(states) == {"example.com"}
    assert first.changed() == {}
    clock.advance(100)
    second = Ledger(clock=clock, pace=PACE)
    second.restore("example.com", states["example.com"])
    found = second.ask("example.com")
    assert (found.why, found.seconds) == (Why.BLOCKED, 300)


def test_what_the_ledger_knows_is_newer_than_the_store(clock):
    """A late restore does not forget a request."""
    ledger = Ledger(clock=clock, pace=PACE)
    ledger.ask("example.com")
    ledger.restore("example.com", Ledger(clock=clock, pace=PACE).forget("x") or _fresh())
    assert ledger.ask("example.com").why is Why.BUSY


def _fresh():
    ledger = Ledger(clock=ManualClock(), pace=PACE)
    ledger.crawl_delay("x", None)
    return ledger.forget("x")


def test_a_host_that_is_given_away_is_forgotten(clock):
    """Its last state goes to the store; nothing of it is told again."""
    ledger = Ledger(clock=clock, pace=PACE)
    ledger.ask("example.com")
    assert ledger.forget("example.com").next_due == clock.now().timestamp() + 3
    assert ledger.forget("example.com") is None
    assert ledger.changed() == {}


def test_the_stored_times_are_those_of_the_wall(clock):
    """After the wall clock was set, stored times are what it will show when they are due."""
    ledger = Ledger(clock=clock, pace=PACE)
    ledger.ask("example.com")
    clock.set_back(3600)
    assert ledger.changed()["example.com"].next_due == pytest.approx(clock.now().timestamp() + 3)


class Politeness(RuleBasedStateMachine):
    """Any sequence of requests, answers, pauses, set clocks and restarts."""

    pace = Pace(
        delay=3, factor=5, max_delay=30, crawl_delay_cap=20, backoff=10, backoff_cap=300, retry_after_cap=500,
        fuse=Fuse(limit=3, rest=50, longest=200),
    )  # fmt: skip

    def __init__(self):
        super().__init__()
        self.clock = ManualClock()
        self.ledger = Ledger(clock=self.clock, pace=self.pace)
        self.stored = {}
        self.grants = []  # true time, which nobody can set
        self.blocked = 0.0
        self.busy = False
        self.least = self.pace.delay
        self.crawl_delay = None

    @rule()
    def asked(self):
        self.ask()

    def ask(self):
        if self.ledger.ask("h") is None:
            now = self.clock.monotonic()
            assert not self.busy
            assert now >= self.blocked - 1e-6
            assert not self.grants or now - self.grants[-1] >= self.least - 1e-6
            self.grants.append(now)
            self.busy = True

    @precondition(lambda self: self.busy)
    @rule(
        seconds=st.floats(0, 20),
        status=st.sampled_from([200, 404, 429, 503, 500, None]),
        retry_after=st.none() | st.floats(0, 2000),
    )
    def done(self, seconds, status, retry_after):
        self.answer(seconds, status, retry_after)

    def answer(self, seconds, status, retry_after):
        self.clock.advance(seconds)
        self.ledger.answered("h", answer=Answer(seconds=seconds, status=status, retry_after=retry_after))
        if status in (429, 503) and retry_after is not None:
            self.blocked = max(self.blocked, self.clock.monotonic() + min(retry_after, self.pace.retry_after_cap))
        self.busy = False

    @precondition(lambda self: not self.busy)
    @rule(statuses=st.lists(st.sampled_from([200, 429, 503, None]), min_size=1, max_size=4), asked=st.floats(0, 900))
    def visits(self, statuses, asked):
        """Whoever waits as told is allowed."""
        for status in statuses:
            self.clock.advance(self.ledger.due("h") + 1e-6)
            self.ask()
            assert self.busy
            self.answer(0.1, status, asked)

    @rule(seconds=st.none() | st.floats(0, 100))
    def robots(self, seconds):
        self.ledger.crawl_delay("h", seconds)
        self.crawl_delay = seconds
        self.least = max(self.pace.delay, min(seconds or 0, self.pace.crawl_delay_cap))

    @rule(seconds=st.floats(0, 400))
    def time_passes(self, seconds):
        self.clock.advance(seconds)

    @rule(seconds=st.floats(0, 1e8))
    def clock_goes_back(self, seconds):
        self.clock.set_back(seconds)

    @rule()
    def commit(self):
        self.stored |= self.ledger.changed()

    @rule()
    def restart_after_commit(self):
        self.commit()
        self._restart()

    @rule()
    def killed(self):
        self.blocked = 0.0 if "h" not in self.stored else min(self.blocked, self._stored_block())
        self._restart()

    def _stored_block(self):
        return self.clock.monotonic() + self.stored["h"].block_until - self.clock.now().timestamp()

    def _restart(self):
        self.ledger = Ledger(clock=self.clock, pace=self.pace)
        kept = self.stored.get("h")
        if kept is not None:
            self.ledger.restore("h", kept)
            self.least = max(self.pace.delay, min(kept.crawl_delay or 0, self.pace.crawl_delay_cap))
        else:
            self.least = self.pace.delay
            if self.grants:
                self.ledger.restore("h", _fresh())
        self.busy = False

    @invariant()
    def waits_end(self):
        due = self.ledger.due("h")
        assert due <= 500 or (due == math.inf and self.busy)


Politeness.TestCase.settings = settings(max_examples=50, stateful_step_count=30, deadline=None)
TestPoliteness = Politeness.TestCase


def test_a_crawl_delay_counts_from_the_answer_that_told_it():
    """However long robots.txt took, the next request keeps the whole distance."""
    clock = ManualClock()
    ledger = Ledger(clock=clock, pace=Pace(delay=0.0, factor=0.0))
    assert ledger.ask("news.localhost") is None
    clock.advance(5.0)
    ledger.answered("news.localhost", answer=Answer(seconds=5.0, status=200))
    ledger.crawl_delay("news.localhost", 3.0)
    assert ledger.due("news.localhost") == pytest.approx(3.0)

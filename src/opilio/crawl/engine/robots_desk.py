"""Fetches robots.txt when a host is first asked for something, keeps it as long as it holds, and decides by it."""

from collections.abc import Callable
from dataclasses import dataclass

from opilio.crawl import judging, robots_cache
from opilio.crawl.engine.asking import Asking
from opilio.crawl.engine.host_state import HostState
from opilio.crawl.exchange_to_capture import Payload, payload_of
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Trouble
from opilio.crawl.judging import Judgement
from opilio.crawl.ledger import Ledger
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, RobotsPolicy
from opilio.crawl.robots import Decision
from opilio.crawl.robots import parse as parse_robots
from opilio.crawl.robots_cache import Found, RobotsAnswer, RobotsRecord, RobotsTerms
from opilio.kernel.clock import Clock

_LIMITS = Limits(size=4 * 1024 * 1024, ratio=1_000)
_IGNORED = Decision(allowed=True, reason="the plan ignores robots.txt for this host")

#: Takes an exchange for robots.txt, to keep it as a capture.
Keep = Callable[[Ask, Answer, Payload], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class NotNow:
    """Nothing can be decided yet; the entries of the host go back."""

    until: float = 0.0  # seconds since 1970; 0: as soon as it is the host's turn
    reason: str = ""


class RobotsDesk:
    """Decides by robots.txt for the hosts of one worker."""

    def __init__(
        self, plan: CrawlPlan, asking: Asking, ledger: Ledger, clock: Clock, *, retry: float, keep: Keep
    ) -> None:
        self._plan = plan
        self._asking = asking
        self._ledger = ledger
        self._clock = clock
        self._keep = keep
        self._terms = RobotsTerms(forbidden_deny=plan.manners.forbidden_robots_deny, retry=retry)

    async def decide(self, url: str, state: HostState) -> Decision | NotNow:
        """Whether a URL may be fetched. May set the host's `verdict` when it is given up."""
        if self._policy(state) is RobotsPolicy.IGNORE:
            return _IGNORED
        if not self._has_fresh(state):
            async with state.opening:  # one of those who wait asks for all
                if not self._has_fresh(state):
                    record = await self._fetched(url, state)
                    if record is None:
                        return NotNow()
                    self.use(state, record)
                    state.robots_changed = True
        return self._decided(url, state)

    def _has_fresh(self, state: HostState) -> bool:
        return state.record is not None and state.record.fresh(self._now())

    def use(self, state: HostState, record: RobotsRecord) -> None:
        """Go by this record from now on."""
        state.record = record
        state.rules = record.rules(self._plan.manners.agent) if record.found is Found.RULES else None
        self._ledger.crawl_delay(state.key, state.rules.crawl_delay if state.rules else None)

    def sitemaps(self, state: HostState) -> tuple[str, ...]:
        """The sitemaps that the file names."""
        record = state.record
        return parse_robots(record.body).sitemaps if record is not None and record.found is Found.RULES else ()

    def _decided(self, url: str, state: HostState) -> Decision | NotNow:
        record = state.record
        if record is None or state.verdict is not None:
            return NotNow()
        if state.rules is not None:
            return state.rules.decide(url)
        decision = robots_cache.decide(record, url, self._plan.manners.agent)
        if record.found is not Found.UNREACHABLE:
            return decision
        if state.failures >= self._plan.manners.tries:
            state.verdict = Judgement(outcome=Outcome.TRANSIENT_ERROR, reason=decision.reason)
        return NotNow(until=record.expires, reason=decision.reason)

    async def _fetched(self, url: str, state: HostState) -> RobotsRecord | None:
        """What a new request brings; None when none can be made now, or the host is given up."""
        place, hops = robots_cache.robots_url(url), 0
        while True:
            ask = self._asking.prepared(place, state)
            pause = self._terms.retry if state.failures + 1 < self._plan.manners.tries else None
            answer = await self._asking.ask(ask, state, pause=pause)
            if answer is None:
                return None
            if isinstance(answer, Failure):
                return self._without(answer, state)
            payload = payload_of(answer, self._plan.warc.digest, _LIMITS)
            self._keep(ask, answer, payload)
            target = robots_cache.redirect(place, answer.status, payload.head.get("location"), hops)
            if target is None:
                given = RobotsAnswer(status=answer.status, body=payload.content, hops=hops)
                return robots_cache.judge(given, self._terms, self._now(), state.record)
            place, hops = target, hops + 1

    def _without(self, failure: Failure, state: HostState) -> RobotsRecord | None:
        state.proxy_failures = state.proxy_failures + 1 if failure.trouble is Trouble.PROXY else 0
        if not failure.passing or state.proxy_failures >= self._plan.manners.tries:
            state.verdict = judging.of_failure(failure)
            return None
        return robots_cache.judge(RobotsAnswer(status=None), self._terms, self._now(), state.record)

    def _policy(self, state: HostState) -> RobotsPolicy:
        by_host = self._plan.manners.robots_by_host
        return by_host.get(state.key) or by_host.get(state.name) or self._plan.manners.robots

    def _now(self) -> float:
        return self._clock.now().timestamp()

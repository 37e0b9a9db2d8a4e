"""Every request of a worker goes through here: it waits for the host's turn, asks, and tells the ledger how it went."""

import asyncio
import math
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from opilio.crawl import manners
from opilio.crawl.bandwidth import Bandwidth
from opilio.crawl.engine.holdings import Holdings
from opilio.crawl.engine.host_state import HostState
from opilio.crawl.engine.introducing import Introducing
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Fetcher, Patience, Proxy, Trouble
from opilio.crawl.fetch.head import parse
from opilio.crawl.fetch.resolver import Resolver
from opilio.crawl.frontier.values import Entry
from opilio.crawl.ledger import Ledger
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.proxies import Proxies
from opilio.crawl.user_agent import user_agent
from opilio.kernel.clock import Clock

_WAYS = 65_536  # authorities that are remembered
_BUSY = 0.05  # seconds after which it is asked again whether a host is free
#: No request was made, so the host is not to blame.
_UNASKED = frozenset({Trouble.PRIVATE_ADDRESS, Trouble.NO_SUCH_HOST, Trouble.PROXY})


@dataclass(frozen=True, kw_only=True, slots=True)
class Network:
    """What requests are made with."""

    fetcher: Fetcher
    raw: Fetcher  # for what libcurl refuses to read
    resolver: Resolver
    proxies: Proxies = field(default_factory=lambda: Proxies({}, {}))


class _Way(NamedTuple):
    """How the URLs of an authority are asked for."""

    key: str  # the authority, which is the host key of a canonical URL
    host: str  # without its port
    verify_tls: bool
    proxy: Proxy | None


class Asking:
    """Asks servers, politely."""

    def __init__(
        self, plan: CrawlPlan, network: Network, ledger: Ledger, bandwidth: Bandwidth, clock: Clock,
        settings: EngineSettings, hold: Holdings,
    ) -> None:  # fmt: skip
        self._plan = plan
        self._network = network
        self._ledger = ledger
        self._bandwidth = bandwidth
        self._clock = clock
        self._settings = settings
        self._hold = hold
        self._introducing = Introducing(plan.manners, network.resolver, clock)
        self._ways: dict[str, _Way] = {}  # by authority
        self._halted = self._paused = False
        self._stirred = asyncio.Event()
        fetch = plan.fetch
        most = plan.scope.max_size
        self._patience = Patience(
            connect=fetch.connect_timeout,
            first_byte=fetch.first_byte_timeout,
            idle=fetch.idle_timeout,
            total=fetch.total_timeout,
            head=fetch.max_header,
            body=min(fetch.max_body, most + 1) if most else fetch.max_body,
        )
        self._headers = (
            ("User-Agent", user_agent(plan.manners)),
            ("Accept", "*/*"),
            ("Accept-Encoding", "gzip, deflate, br, zstd"),
        )

    def halt(self) -> None:
        """Grant no more turns; those who wait are told at once."""
        self._halted = True
        self.stir()

    def pause(self, paused: bool) -> None:
        """Grant no turns for a while; those who wait are told at once."""
        self._paused = paused
        self.stir()

    def stir(self) -> None:
        """Let everybody who waits look again: recalled, or by another delay."""
        self._stirred.set()
        self._stirred = asyncio.Event()

    @property
    def halted(self) -> bool:
        """Whether no more requests are made."""
        return self._halted

    def prepared(self, url: str, state: HostState) -> Ask:
        """The request for a URL."""
        way = self._way(url.split("/", 3)[2])
        cookie = state.jar.header(url)
        return Ask(
            url=url,
            headers=(*self._headers, ("Cookie", cookie)) if cookie else self._headers,
            patience=self._patience,
            http2=self._plan.fetch.http2,
            verify_tls=way.verify_tls,
            proxy=way.proxy,
            meter=self._bandwidth.meter(way.key),
        )

    def _way(self, key: str) -> "_Way":
        found = self._ways.get(key)
        if found is None:
            if len(self._ways) >= _WAYS:
                self._ways.clear()
            host = _host_of(key)
            verify = host not in self._plan.fetch.unverified_tls
            found = self._ways[key] = _Way(key, host, verify, self._network.proxies.of(host))
        return found

    async def ask(
        self, ask: Ask, state: HostState, *, pause: float | None = None, entry: Entry | None = None
    ) -> Answer | Failure | None:
        """Do the exchange when it is the host's turn; None when that is too far away, or orders stand against it.

        `pause`: seconds that the host is left alone if there is no good answer. `entry`: what is asked for, unless it
        is recalled before.
        """
        way = self._way(ask.url.split("/", 3)[2])
        if (refusal := await self._introducing.refusal(ask, way.host)) is not None:
            return refusal
        keys = await self._keys(ask, way)
        if not await self._turn(keys, entry):
            return None
        answer = await self._network.fetcher.fetch(ask)
        self._told(ask, keys, answer, state, pause)
        if isinstance(answer, Failure) and answer.trouble is Trouble.PROTOCOL and ask.proxy is None:
            if not await self._turn(keys, entry):
                return None
            answer = await self._network.raw.fetch(ask)
            self._told(ask, keys, answer, state, pause)
        return answer

    async def _keys(self, ask: Ask, way: "_Way") -> tuple[str, ...]:
        if not self._plan.manners.per_address or (ask.proxy is not None and ask.proxy.resolves_names):
            return (way.key,)
        resolved = await self._network.resolver.resolve(way.host)
        return (way.key, f"ip:{resolved.addresses[0]}") if resolved.addresses else (way.key,)

    async def _turn(self, keys: tuple[str, ...], entry: Entry | None) -> bool:
        recalls = self._hold.recalls
        while self._wanted(entry, recalls):
            seconds = self._bandwidth.wait(keys[0])
            if seconds <= 0:
                wait = self._ledger.ask(*keys)
                if wait is None:
                    return entry is None or self._hold.begin(entry)
                seconds = wait.seconds
                if seconds == math.inf:  # an earlier request is under way
                    seconds = _BUSY
            if seconds > self._settings.longest_wait:
                return False
            await self._sleep(seconds)
        return False

    def _wanted(self, entry: Entry | None, recalls: int) -> bool:
        """Whether no order stands against a request; one for no entry (robots.txt) goes with what it was made for."""
        if self._halted or self._paused:
            return False
        return self._hold.recalls == recalls if entry is None else self._hold.owns(entry)

    async def _sleep(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stirred.wait()
        except TimeoutError:
            return

    def _told(
        self, ask: Ask, keys: tuple[str, ...], answer: Answer | Failure, state: HostState, pause: float | None
    ) -> None:
        if ask.meter is not None:
            ask.meter.settle(0 if isinstance(answer, Failure) else len(answer.head) + len(answer.body))
        if isinstance(answer, Failure):
            status = 204 if answer.trouble in _UNASKED else None
            outcome = manners.Answer(seconds=answer.seconds, status=status, retry_after=pause)
        else:
            seconds = answer.seconds - answer.paused  # what we held up is not the server's slowness
            outcome = manners.Answer(seconds=seconds, status=answer.status, retry_after=self._asked(answer, pause))
        state.failures = state.failures + 1 if outcome.failed else 0
        self._ledger.answered(*keys, answer=outcome)

    def _asked(self, answer: Answer, pause: float | None) -> float | None:
        """Seconds that a server asks for, by its own clock."""
        if answer.status < 400:
            return None
        head = parse(answer.head)
        text = head.get("retry-after") if head else None
        if text is None or head is None:
            return pause
        try:
            now = parsedate_to_datetime(head.get("date") or "")
        except (ValueError, TypeError, IndexError, OverflowError):
            now = self._clock.now()
        return manners.parse_retry_after(text, now if now.tzinfo else self._clock.now()) or pause


def _host_of(authority: str) -> str:
    """The host of an authority, without its port."""
    return authority if authority.endswith("]") else authority.rpartition(":")[0] or authority

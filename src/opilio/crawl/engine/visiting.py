"""The way of one URL: robots, its host's turn, the exchange, the capture, what it holds, and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from opilio.crawl import crawl_log, judging
from opilio.crawl.appended import appended
from opilio.crawl.earlier import EarlierContent, EarlierPage
from opilio.crawl.engine.asking import Asking
from opilio.crawl.engine.exclusions import NOTHING_EXCLUDED, Exclusions
from opilio.crawl.engine.gathering import Gathering
from opilio.crawl.engine.holdings import Holdings
from opilio.crawl.engine.host_state import HostState
from opilio.crawl.engine.login_desk import LoginDesk
from opilio.crawl.engine.reading import Read, Reader, text_of
from opilio.crawl.engine.robots_desk import NotNow, RobotsDesk
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.engine.since import Since, is_conditional
from opilio.crawl.engine.trapping import denial, sifted, trap
from opilio.crawl.engine.widening import Widening
from opilio.crawl.exchange_to_capture import Payload, capture_of
from opilio.crawl.fetch.cookies import CookieJar
from opilio.crawl.fetch.exchange import Answer, Ask, Failure
from opilio.crawl.frontier.batch import Denial, Expanded, PageResult, Requeued, Text
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.packing import pack_outlinks, pack_text, unpack_outlinks
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.values import EMBED, Entry, Found, found
from opilio.crawl.judging import Judgement
from opilio.crawl.linking import Linking
from opilio.crawl.malformed import malformed_links
from opilio.crawl.manners import Pace
from opilio.crawl.meta_tags import kept_metas
from opilio.crawl.outcomes import CUT_OFF, READABLE, UNVERIFIED, Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.revisits import NOT_MODIFIED, Revisits, Same
from opilio.crawl.robots import Decision
from opilio.extract import EXTRACTOR_VERSION
from opilio.extract.kind import Kind, essence, kind_of
from opilio.kernel.capture import Hop, Position, Provenance, RecordSink
from opilio.kernel.clock import Clock
from opilio.kernel.hosts import host_key
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import Base, canonical

_TEXT = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE})
_READ = frozenset({Outcome.FETCHED, Outcome.PERMANENT_ERROR, Outcome.TRANSIENT_ERROR})
_ALIKE = "trap alike"


@dataclass(kw_only=True, slots=True)
class Desk:
    """What is gathered now, and what the links of a page are held against."""

    open: Gathering
    known: SeenCache  # what the store has recorded
    committing: SeenCache | None = None

    @property
    def pending(self) -> Sequence[SeenCache]:
        """What is about to be recorded; the open gathering's last."""
        return [self.open.seen] if self.committing is None else [self.committing, self.open.seen]


@dataclass(kw_only=True, slots=True)
class _Visit:
    """One exchange, as far as it went."""

    entry: Entry
    ask: Ask
    answer: Answer
    payload: Payload
    judgement: Judgement
    read: Read | None = None
    outlinks: list[PageLink] = field(default_factory=list)
    decision: Decision
    jar: CookieJar
    earlier: EarlierPage | None = None  # of the crawl before
    content: EarlierContent | None = None  # what was read in it, where the server sent nothing
    same: Same | None = None  # the capture that has the body already


class Visiting:
    """Visits URLs for one worker."""

    def __init__(
        self, plan: CrawlPlan, *, asking: Asking, robots: RobotsDesk, reader: Reader, linking: Linking,
        sink: RecordSink, desk: Desk, clock: Clock, settings: EngineSettings, pace: Pace, widening: Widening,
        worker: str, hold: Holdings, since: Since, revisits: Revisits, logins: LoginDesk,
    ) -> None:  # fmt: skip
        self._plan = plan
        self._asking = asking
        self._robots = robots
        self._reader = reader
        self._linking = linking
        self._sink = sink
        self._desk = desk
        self._clock = clock
        self._settings = settings
        self._pace = pace
        self._widening = widening
        self._worker = worker
        self._hold = hold
        self._since = since
        self._revisits = revisits
        self._logins = logins
        self._seeds = [canonical(seed.url, plan.scope.query) for seed in plan.seeds]
        self._seed_hosts: dict[str, list[int]] = {}
        for number, url in enumerate(self._seeds):
            if plan.seeds[number].active:
                self._seed_hosts.setdefault(host_key(url), []).append(number)
        self._exclusions = NOTHING_EXCLUDED

    def exclude(self, exclusions: Exclusions) -> None:
        """Ask for nothing more that is excluded by now."""
        self._exclusions = exclusions

    async def visit(self, entry: Entry, state: HostState) -> bool:
        """Find out what becomes of an entry; False when it is not its time, and it goes back as it was."""
        if entry.expand:
            self._expand(entry)
            return True
        if reason := self._exclusions.reason(entry.url):
            self._settle(entry, Judgement(outcome=Outcome.EXCLUDED, reason=reason))
            return True
        url = self._request_url(entry)
        decision = await self._robots.decide(url, state)
        if state.verdict is not None:
            self._given_up(entry, state.verdict)
            return True
        if isinstance(decision, NotNow):
            return self._put_off(entry, decision)
        self._sitemaps(state)
        if not decision.allowed:
            self._denied(entry, decision)
            return True
        return await self._fetch(entry, url, state, decision)

    async def _fetch(self, entry: Entry, url: str, state: HostState, decision: Decision) -> bool:
        if (judgement := trap(entry, state)) is not None:
            self._trapped(entry, judgement)
            return True
        earlier = await self._since.page(entry.url, url)
        ask = self._since.conditional(self._asking.prepared(url, state), earlier)
        got = await self._logins.exchange(entry, ask, state)
        answer, payload = got.answer, got.payload
        if isinstance(answer, Failure):
            self._failed(entry, answer, state, decision)
            return True
        if answer is None or payload is None:
            return got.judgement is not None and self._unanswered(entry, got.judgement, decision)
        first = got.judgement or (judging.refusal(self._plan.scope, payload) if answer.status < 300 else None)
        visit = _Visit(
            entry=entry,
            ask=got.ask,
            answer=answer,
            payload=payload,
            judgement=first or judging.of_status(answer.status),
            decision=decision,
            jar=got.jar,
            earlier=earlier,
        )
        if first is None:
            await self._look_inside(visit)
        await self._widening.follow(visit.entry, visit.outlinks)
        self._conclude(visit, state)
        return True

    async def _look_inside(self, visit: _Visit) -> None:
        """Read the content, where it can say something."""
        if visit.answer.status == NOT_MODIFIED:
            await self._not_modified(visit)
            return
        if visit.judgement.outcome is Outcome.REDIRECTED:
            self._redirected(visit)
            return
        if visit.judgement.outcome not in _READ:
            return
        if not visit.payload.content:
            visit.judgement = replace(visit.judgement, reason=visit.judgement.reason or visit.payload.fault)
            return
        read = await self._reader.read(visit.payload, visit.ask.url, visit.answer.finished)
        visit.read = read
        visit.judgement = judging.of_content(visit.judgement, visit.payload, read.extracted)
        if visit.judgement.outcome in (Outcome.FETCHED, Outcome.UNPARSABLE):
            visit.outlinks = list(read.outlinks)
        if read.directives.noarchive and self._plan.manners.obey_noarchive:
            visit.judgement = Judgement(outcome=Outcome.EXCLUDED, reason="the page asks not to be archived", kept=False)

    async def _not_modified(self, visit: _Visit) -> None:
        """The page is as the earlier crawl has it; its links lead on."""
        if visit.earlier is None or not is_conditional(visit.ask):
            reason = "status 304, though the page was not asked for on a condition"
            visit.judgement = Judgement(outcome=Outcome.PERMANENT_ERROR, reason=reason)
            return
        visit.content = await self._since.content(visit.earlier)
        visit.outlinks = unpack_outlinks(visit.content.outlinks)

    def _redirected(self, visit: _Visit) -> None:
        location = visit.payload.head.get("location") or ""
        target = Base(visit.ask.url, self._plan.scope.query).link(location) if location else None
        if target is None:
            reason = f"status {visit.answer.status} without a URL to go to"
            visit.judgement = Judgement(outcome=Outcome.PERMANENT_ERROR, reason=reason)
            return
        visit.outlinks = [PageLink(Hop.REDIRECT, "location", target)]
        visit.judgement = Judgement(outcome=Outcome.REDIRECTED, reason=f"to {target}")

    def _conclude(self, visit: _Visit, state: HostState) -> None:
        """Write and record; nothing else can happen in between."""
        entry = visit.entry
        if not self._hold.owns(entry):
            return
        visit.same = self._revisits.compare(visit.judgement, visit.answer, visit.payload, visit.earlier)
        judgement = visit.judgement = visit.same.judgement if visit.same else visit.judgement
        place = self._written(visit) if judgement.kept else None
        if self._tried_again(visit, state):
            return
        labels = entry.labels
        if self._grows(visit, state):
            visit.outlinks = [link for link in visit.outlinks if link.hop is Hop.EMBED]
            self._desk.open.deny([Denial(rule=_ALIKE, url=entry.url, parent=entry.parent or "")])
        judged = self._linking.judge(visit.outlinks, labels, entry.path, self._desk.known, self._desk.pending)
        gathering = self._desk.open
        gathering.deny(judged.denied(entry.url))
        if visit.read is not None:
            gathering.deny(malformed_links(visit.read.extracted, entry.url))
        finds, traps = sifted(judged.found, state, entry.url)
        gathering.deny(traps)
        result = self._result(visit, place, finds)
        gathering.pages.append(result)
        mime = essence(visit.payload.content_type)
        gathering.lines.append(crawl_log.line(result, self._plan, self._worker, mime, self._clock.now()))

    def _written(self, visit: _Visit) -> Position:
        entry = visit.entry
        provenance = Provenance(seed=self._seeds[entry.label.seed], via=entry.parent, hops=entry.path)
        capture = capture_of(visit.ask, visit.answer, visit.payload, provenance)
        place = self._revisits.write(self._sink, capture, visit.judgement.outcome, visit.same)
        if self._plan.warc.outlinks and visit.outlinks:
            self._sink.append_metadata(
                place, [("outlink", f"{link.url} {link.hop} {link.kind}") for link in visit.outlinks]
            )
        return place

    def _tried_again(self, visit: _Visit, state: HostState) -> bool:
        """Put the entry back if that may help; whether it was."""
        entry, judgement = visit.entry, visit.judgement
        to_itself = [link.url for link in visit.outlinks] == [entry.url] and visit.jar.changed
        again = judgement.again or (judgement.outcome is Outcome.REDIRECTED and to_itself)
        if not again or entry.tries + 1 >= self._plan.manners.tries:
            return False
        self._requeue(entry, 0.0 if to_itself else self._backoff(entry))
        return True

    def _result(self, visit: _Visit, place: Position | None, finds: tuple[Found, ...]) -> PageResult:
        entry, payload, answer = visit.entry, visit.payload, visit.answer
        extracted = visit.read.extracted if visit.read else None
        kind = extracted or _kind_of_nothing(visit)
        digest = payload.digest.base32
        result = PageResult(
            entry=entry,
            outcome=visit.judgement.outcome,
            reason=self._reason(visit),
            status=answer.status,
            type=kind.page_type.word if kind else "",
            extension=kind.extension if kind else "",
            size=payload.size,
            digest=digest,
            title=extracted.title if extracted else "",
            language=visit.read.language if visit.read else "",
            meta=kept_metas(extracted.metas) if extracted else "",
            last_modified=payload.head.get("last-modified") or "",
            etag=payload.head.get("etag") or "",
            at=answer.started.timestamp(),
            place=place,
            ms=int(answer.seconds * 1000),
            robots=visit.decision.line.text if visit.decision.line else "",
            outlinks=pack_outlinks(visit.outlinks) if visit.outlinks else b"",
            text=self._text(visit, digest),
            found=finds,
        )
        return self._revisits.result(result, visit.same, visit.earlier, visit.content) if visit.same else result

    def _reason(self, visit: _Visit) -> str:
        parts = [visit.judgement.reason]
        if visit.answer.truncated is not None:
            parts.append(f"{CUT_OFF}{visit.answer.truncated.value}")
        if visit.read is not None and visit.read.directives.stated:
            parts.append(f"robots: {', '.join(visit.read.directives.stated)}")
        if visit.answer.tls is not None and not visit.answer.tls.verified:
            parts.append(UNVERIFIED)
        if visit.ask.url != visit.entry.url:
            parts.append(f"asked for as {visit.ask.url}")
        return "; ".join(part for part in parts if part)

    def _text(self, visit: _Visit, digest: str) -> Text | None:
        if visit.read is None or visit.judgement.outcome not in _TEXT or not self._plan.extract.text:
            return None
        directives = visit.read.directives
        if self._plan.manners.obey_noindex and (directives.noindex or directives.expired):
            return None
        text = text_of(visit.read.extracted, boilerplate=self._plan.extract.boilerplate)
        return Text(digest=digest, extractor=str(EXTRACTOR_VERSION), body=pack_text(text)) if text.text else None

    def _grows(self, visit: _Visit, state: HostState) -> bool:
        """Whether pages like this one came in a long row already."""
        if state.growth is None or visit.judgement.outcome not in READABLE:
            return False
        return state.growth.endless(visit.entry.url, visit.read.extracted.text if visit.read else "")

    def _failed(self, entry: Entry, failure: Failure, state: HostState, decision: Decision) -> None:
        judgement = judging.of_failure(failure)
        self._unanswered(entry, judgement, decision, at=failure.started.timestamp())
        if state.failures >= self._plan.manners.breaker + 3:
            state.verdict = Judgement(
                outcome=Outcome.TRANSIENT_ERROR, reason=f"the host does not answer: {judgement.reason}"
            )

    def _unanswered(self, entry: Entry, judgement: Judgement, decision: Decision, *, at: float = 0.0) -> bool:
        """Put the entry back if that may help; otherwise that is what became of it."""
        if judgement.again and entry.tries + 1 < self._plan.manners.tries:
            self._requeue(entry, self._backoff(entry))
        else:
            self._settle(entry, judgement, at=at, robots=decision)
        return True

    def _given_up(self, entry: Entry, verdict: Judgement) -> None:
        self._settle(entry, verdict)

    def _put_off(self, entry: Entry, decision: NotNow) -> bool:
        if decision.until:
            self._requeue(entry, decision.until)
            return True
        return False

    def _denied(self, entry: Entry, decision: Decision) -> None:
        self._settle(entry, Judgement(outcome=Outcome.ROBOTS_DENIED, reason=decision.reason), robots=decision)

    def _trapped(self, entry: Entry, judgement: Judgement) -> None:
        if self._hold.owns(entry):
            self._desk.open.deny([denial(entry)])
        self._settle(entry, judgement)

    def _settle(self, entry: Entry, judgement: Judgement, *, at: float = 0.0, robots: Decision | None = None) -> None:
        if not self._hold.begin(entry):
            return
        line = robots.line.text if robots is not None and robots.line else ""
        result = PageResult(entry=entry, outcome=judgement.outcome, reason=judgement.reason[:2_000], at=at, robots=line)
        self._desk.open.pages.append(result)
        self._desk.open.lines.append(crawl_log.line(result, self._plan, self._worker, "", self._clock.now()))

    def _requeue(self, entry: Entry, not_before: float) -> None:
        if self._hold.begin(entry):
            self._desk.open.requeued.append(Requeued(entry=entry, not_before=not_before))

    def _backoff(self, entry: Entry) -> float:
        seconds = min(self._pace.backoff * 2.0 ** min(entry.tries, 20), self._pace.backoff_cap)
        return self._clock.now().timestamp() + seconds

    def _expand(self, entry: Entry) -> None:
        self._hold.begin(entry)
        judged = self._linking.judge(
            unpack_outlinks(entry.outlinks), entry.labels, entry.path, self._desk.known, self._desk.pending
        )
        self._desk.open.deny(judged.denied(entry.url))
        self._desk.open.expanded.append(Expanded(entry=entry, found=tuple(judged.found)))

    def _sitemaps(self, state: HostState) -> None:
        """Queue the sitemaps of a seed's host, once per reading of its robots.txt."""
        if not state.robots_changed or state.sitemaps_queued or not self._plan.extract.sitemaps:
            return
        state.sitemaps_queued = True
        for number in self._seed_hosts.get(state.key, ()):
            base = Base(self._seeds[number], self._plan.scope.query)
            for reference in self._robots.sitemaps(state):
                url = base.link(reference)
                if url is not None:
                    sitemap = found(url, Label(0, number, 1), Hop.MANIFEST.value, EMBED)
                    self._desk.open.further.append(sitemap)

    def _request_url(self, entry: Entry) -> str:
        return appended(entry.url, self._plan.seeds[entry.label.seed].append)


def _kind_of_nothing(visit: _Visit) -> Kind | None:
    """What a page is that came without content, as far as its header and URL tell."""
    if visit.judgement.outcome is not Outcome.FETCHED:
        return None
    return kind_of(b"", content_type=visit.payload.content_type, url=visit.entry.url)

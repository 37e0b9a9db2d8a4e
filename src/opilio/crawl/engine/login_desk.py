"""Asks for URLs with the credential of their seed: logs in where that is needed, and again when a session ended.

Every request, of a login too, waits for its host's turn and is kept as a capture of its own, without its secrets. The
rules are those of `logins`; here they are carried out.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from opilio.crawl.engine.asking import Asking
from opilio.crawl.engine.host_state import HostState
from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.exchange_to_capture import Payload, payload_of
from opilio.crawl.fetch.cookies import CookieJar
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Header, Hidden
from opilio.crawl.frontier.values import Entry
from opilio.crawl.judging import Judgement
from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.logins.challenge import challenges
from opilio.crawl.logins.cookies import cookie_header
from opilio.crawl.logins.credential import Credential, Form
from opilio.crawl.logins.errors import NoNegotiation
from opilio.crawl.logins.form_steps import Came, Entered, NotAnswered, Rejected, Step, first_step, next_step
from opilio.crawl.logins.session import Account, Move, Session
from opilio.crawl.logins.standing import Standing, standing
from opilio.crawl.logins.ways import authenticator_of, brought_by
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.clock import Clock
from opilio.kernel.hosts import host_key
from opilio.kernel.logs import logger

_MOST_LEGS = 10  # requests for one URL, logins apart
_FORM = ("Content-Type", "application/x-www-form-urlencoded")
log = logger(__name__)

#: Takes an exchange on the way to an entry's page, to keep it as a capture; True: it was for the login.
Keep = Callable[[Entry, Ask, Answer, Payload, bool], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchanged:
    """What became of a request: an answer with its payload, a failure, a judgement without either, or nothing yet."""

    ask: Ask
    jar: CookieJar  # that the answer's cookies went into
    answer: Answer | Failure | None = None
    payload: Payload | None = None
    judgement: Judgement | None = None  # has the last word where there is one


class LoginDesk:
    """Asks and logs in for one worker."""

    def __init__(
        self, plan: CrawlPlan, book: CredentialBook, asking: Asking, *, keep: Keep, clock: Clock,
        settings: EngineSettings, workers: int,
    ) -> None:  # fmt: skip
        self._plan = plan
        self._asking = asking
        self._keep = keep
        self._clock = clock
        self._settings = settings
        self._limits = Limits(size=settings.decoded_body, ratio=plan.fetch.max_ratio)
        self._credentials = [book.get(seed.credential) for seed in plan.seeds]
        self._accounts = {
            each.name: Account(most=max(1, each.tries // workers)) for each in self._credentials if each is not None
        }

    async def exchange(self, entry: Entry, ask: Ask, state: HostState) -> Exchanged:
        """Ask for an entry's URL, with its seed's credential where that may be sent."""
        credential = self._credentials[entry.label.seed]
        if credential is None:
            return await self._plainly(entry, ask, state)
        refusal = credential.reach.refusal(ask.url)
        if not refusal:
            return await self._with(self._session(credential, state), entry, ask, state)
        got = await self._plainly(entry, ask, state)
        if got.payload is not None and got.payload.head.status == 401 and credential.reach.names(ask.url):
            reason = f"status 401, and the credential {credential.name} was not sent: {refusal}"
            return replace(got, judgement=_lost(reason))
        return got

    async def _plainly(self, entry: Entry, ask: Ask, state: HostState) -> Exchanged:
        answer = await self._asking.ask(ask, state, entry=entry)
        return await self._received(ask, answer, state.jar)

    async def _received(self, ask: Ask, answer: Answer | Failure | None, jar: CookieJar) -> Exchanged:
        if answer is None or isinstance(answer, Failure):
            return Exchanged(ask=ask, jar=jar, answer=answer)
        payload = await self._payload(answer)
        jar.receive(ask.url, payload.head.all("set-cookie"))
        return Exchanged(ask=ask, jar=jar, answer=answer, payload=payload)

    async def _payload(self, answer: Answer) -> Payload:
        if len(answer.body) < self._settings.large_body:
            return payload_of(answer, self._plan.warc.digest, self._limits)
        return await asyncio.to_thread(payload_of, answer, self._plan.warc.digest, self._limits)

    async def _with(self, session: Session, entry: Entry, ask: Ask, state: HostState) -> Exchanged:
        """Ask until there is an answer to take, or none can be had."""
        async with contextlib.AsyncExitStack() as stack:
            held = False
            for _ in range(_MOST_LEGS):
                if not held and not session.quiet:
                    await stack.enter_async_context(session.alone)
                    held = True
                try:
                    found = await self._tried(session, entry, ask, state)
                except NoNegotiation as error:
                    session.account.lost = error.what
                    found = None
                if found is not None:
                    return found
        lost = session.lost or session.asked_too_often().reason
        return Exchanged(ask=ask, jar=session.jar, judgement=_lost(lost))

    async def _tried(self, session: Session, entry: Entry, ask: Ask, state: HostState) -> Exchanged | None:
        """One try; None to ask again."""
        hindrance = await self._logged_in(session, entry, ask, state)
        if hindrance is not None:
            return hindrance
        before = session.logins
        got, sent = await self._leg(session, entry, ask, state)
        if got.payload is None or not isinstance(got.answer, Answer):
            return got
        head = got.payload.head
        sign = standing(session.credential, ask.url, head, got.payload.content)
        if before != session.logins and sign.standing is not Standing.INSIDE:
            self._keep(entry, got.ask, got.answer, got.payload, False)
            return None  # it was asked before another task logged in
        verdict = session.met(sign, challenges(head.all("www-authenticate")), sent=sent)
        if verdict.move is Move.LOSE:
            self._tell_loss(session, state)
            return replace(got, judgement=_lost(verdict.reason))
        if verdict.move is not Move.TAKE:
            self._keep(entry, got.ask, got.answer, got.payload, False)
            return None
        if sent:
            session.authenticator.accepted(head)
        return got

    async def _leg(self, session: Session, entry: Entry, ask: Ask, state: HostState) -> tuple[Exchanged, bool]:
        """One request with the credential; whether it had anything of the credential to show."""
        headers = session.authenticator.headers(ask.method, ask.url, ask.body)
        dressed = _dressed(session, ask, headers)
        answer = await self._asking.ask(dressed, state, entry=entry)
        if isinstance(answer, Failure):
            session.authenticator.broken()
        return await self._received(dressed, answer, session.jar), bool(headers)

    async def _logged_in(self, session: Session, entry: Entry, ask: Ask, state: HostState) -> Exchanged | None:
        """Take the steps of a login by form; None when nothing hinders. A login that must wait goes on later."""
        if session.lost:
            return Exchanged(ask=ask, jar=session.jar, judgement=_lost(session.lost))
        while session.needs_login:
            if session.step is None:
                session.jar = CookieJar(clock=self._clock)
                assert isinstance(session.credential.way, Form)  # noqa: S101 - only forms need it
                session.step = first_step(session.credential.way)
            step = session.step
            got = await self._step(session, step, state)
            if got.payload is None or not isinstance(got.answer, Answer):
                session.step = None if got.answer is not None else step
                return replace(got, ask=ask)
            self._keep(entry, got.ask, got.answer, got.payload, True)
            hindrance = self._advance(session, step, got.payload, state)
            if hindrance is not None:
                return Exchanged(ask=ask, jar=session.jar, judgement=hindrance)
        return None

    async def _step(self, session: Session, step: Step, state: HostState) -> Exchanged:
        bare = self._asking.prepared(step.url, state)
        ask = _dressed(session, bare, () if step.body is None else (_FORM,), frozenset())
        if step.body is not None:
            hidden = Hidden(headers=ask.hidden.headers if ask.hidden else frozenset(), body=step.shown)
            ask = replace(ask, method="POST", body=step.body, hidden=hidden)
        return await self._received(ask, await self._asking.ask(ask, state), session.jar)

    def _advance(self, session: Session, step: Step, payload: Payload, state: HostState) -> Judgement | None:
        """Go on to the next step; what hinders, for now or for good."""
        names = [cookie.name for cookie in session.jar]
        came = Came(head=payload.head, content=payload.content, cookies=names)
        following = next_step(session.credential, step, came)
        if isinstance(following, Step):
            session.step = following
            return None
        session.step = None
        if isinstance(following, Entered):
            session.entered(self._clock.now().timestamp())
            log.info("crawl_logged_in", host=state.key, login=session.credential.name, logins=session.logins)
        elif isinstance(following, NotAnswered):
            return Judgement(outcome=Outcome.TRANSIENT_ERROR, reason=following.reason, again=True, kept=False)
        elif isinstance(following, Rejected):
            session.account.failed(following.reason)
            log.warning("crawl_login_failed", host=state.key, login=session.credential.name, reason=following.reason)
            self._tell_loss(session, state)
            return _lost(session.lost) if session.lost else None
        return None

    def _session(self, credential: Credential, state: HostState) -> Session:
        found = state.sessions.get(credential.name)
        if found is None:
            kept = state.session_jars.pop(credential.name, None)
            found = state.sessions[credential.name] = Session(
                credential=credential,
                account=self._accounts[credential.name],
                authenticator=authenticator_of(credential, state.name),
                jar=kept or CookieJar(clock=self._clock),
                inside=kept is not None or not _lies_here(credential, state),
            )
        return found

    def _tell_loss(self, session: Session, state: HostState) -> None:
        if session.lost:
            log.warning("crawl_auth_lost", host=state.key, login=session.credential.name, reason=session.lost)


def _dressed(session: Session, ask: Ask, headers: tuple[Header, ...], secret: frozenset[str] | None = None) -> Ask:
    """The request with what the session adds, and what of it must not be written down."""
    bare = tuple(pair for pair in ask.headers if pair[0] != "Cookie")
    cookie = cookie_header(session.jar.header(ask.url), brought_by(session.credential))
    hidden = frozenset(name.lower() for name, _ in headers) if secret is None else secret
    if not cookie:
        return replace(ask, headers=(*bare, *headers), hidden=Hidden(headers=hidden) if hidden else None)
    return replace(ask, headers=(*bare, *headers, ("Cookie", cookie)), hidden=Hidden(headers=hidden | {"cookie"}))


def _lies_here(credential: Credential, state: HostState) -> bool:
    """Whether a login form is on this host; elsewhere, as where images lie, a login waits until it is asked for."""
    return isinstance(credential.way, Form) and host_key(credential.way.page) == state.key


def _lost(reason: str) -> Judgement:
    return Judgement(outcome=Outcome.AUTH_LOST, reason=reason)

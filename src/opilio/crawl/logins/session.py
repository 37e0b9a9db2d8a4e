"""One credential towards one host: whether it is let in, and what to do about an answer that says no.

Decides only; the engine asks. An `Account` counts failures over all hosts of a worker: the server's owner locks the
account, not the host.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from opilio.crawl.fetch.cookies import CookieJar
from opilio.crawl.logins.authenticator import Authenticator, Meaning
from opilio.crawl.logins.challenge import Challenge
from opilio.crawl.logins.credential import Credential, Kind
from opilio.crawl.logins.form_steps import Step
from opilio.crawl.logins.standing import Sign, Standing

_FIXED = frozenset({Kind.HEADER, Kind.COOKIE})


@dataclass(eq=False, kw_only=True, slots=True)
class Account:
    """How a credential fares with all hosts."""

    most: int  # failures in a row that are risked
    failures: int = 0
    lost: str = ""  # why nothing more is tried

    def failed(self, reason: str) -> None:
        """What was sent was refused."""
        self.failures += 1
        if self.failures >= self.most:
            self.lost = f"{reason}; {self.failures} in a row, nothing more is tried"

    def fared_well(self) -> None:
        """It was accepted."""
        self.failures = 0


class Move(Enum):
    """What follows from an answer."""

    TAKE = "it is the answer"
    AGAIN = "ask again"
    LOG_IN = "log in, then ask again"
    LOSE = "this URL cannot be had"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """A move, with the reason of a loss."""

    move: Move
    reason: str = ""


_TAKE, _AGAIN, _LOG_IN = Verdict(move=Move.TAKE), Verdict(move=Move.AGAIN), Verdict(move=Move.LOG_IN)


@dataclass(eq=False, kw_only=True, slots=True)
class Session:
    """Changes only between two steps of the event loop."""

    credential: Credential
    account: Account
    authenticator: Authenticator
    jar: CookieJar
    inside: bool = False  # logged in, as far as is known
    fresh: bool = False  # nobody was let in since the last login
    proven: bool = False  # it was let in before
    logins: int = 0  # how many worked
    since: float = 0.0  # seconds since 1970; of the last login
    helpless: int = 0  # URLs in a row that stayed closed right after a login
    forbidden_is_meant: bool = False  # 403 stayed after a new login
    lost_here: str = ""
    step: Step | None = None  # of a login under way
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while nothing is proven

    @property
    def lost(self) -> str:
        """Why nothing more is tried; empty while something is."""
        return self.account.lost or self.lost_here

    @property
    def quiet(self) -> bool:
        """Whether several may ask at once: not while nothing is proven, lest a wrong password be sent by each."""
        return self.proven and self.inside and self.credential.kind is not Kind.NEGOTIATE

    @property
    def needs_login(self) -> bool:
        """Whether a form is to be filled in first."""
        return self.credential.kind is Kind.FORM and not self.inside

    def entered(self, now: float) -> None:
        """A login worked."""
        self.inside = self.fresh = True
        self.logins += 1
        self.since = now
        self.account.fared_well()

    def met(self, sign: Sign, asked: Sequence[Challenge] = (), *, sent: bool = False) -> Verdict:
        """What to do about an answer; `sent`: the request had what the authenticator gives."""
        if sign.standing is Standing.INSIDE:
            return self._let_in(sent=sent)
        if sign.standing is Standing.FORBIDDEN:
            return self._forbidden()
        if self.credential.kind is Kind.FORM:
            return self._outside(sign.reason)
        if sign.standing is Standing.OUTSIDE or self.credential.kind in _FIXED:
            return self._refused(sign.reason)
        return self._challenged(asked, sent=sent)

    def asked_too_often(self) -> Verdict:
        """The server never had enough of asking."""
        self.account.failed("the server asks for the login again and again")
        return Verdict(move=Move.LOSE, reason=self.lost or "the server asks for the login again and again")

    def _let_in(self, *, sent: bool) -> Verdict:
        self.fresh, self.helpless = False, 0
        if sent or self.inside or self.credential.kind in _FIXED:
            self.proven = True
            self.account.fared_well()
        return _TAKE

    def _forbidden(self) -> Verdict:
        """It may be meant, or the session is over; a new login tells, once."""
        if self.credential.kind is not Kind.FORM or self.forbidden_is_meant:
            return _TAKE
        if self.fresh:
            self.forbidden_is_meant = True
            return _TAKE
        self.inside = False
        return _LOG_IN

    def _outside(self, reason: str) -> Verdict:
        if not self.fresh:
            self.inside = False
            return _LOG_IN
        self.helpless += 1
        told = f"the login worked, and yet: {reason}"
        if self.helpless >= self.credential.tries:
            self.lost_here = told
        return Verdict(move=Move.LOSE, reason=told)

    def _refused(self, reason: str) -> Verdict:
        self.account.failed(reason)
        return Verdict(move=Move.LOSE, reason=self.account.lost or reason)

    def _challenged(self, asked: Sequence[Challenge], *, sent: bool) -> Verdict:
        refusal = self.authenticator.refused(asked, sent=sent)
        if refusal.meaning is Meaning.AGAIN:
            return _AGAIN
        if refusal.meaning is Meaning.FOREIGN:
            return Verdict(move=Move.LOSE, reason=refusal.reason)
        self.proven = False
        self.account.failed(refusal.reason)
        return Verdict(move=Move.LOSE, reason=self.lost) if self.lost else _AGAIN

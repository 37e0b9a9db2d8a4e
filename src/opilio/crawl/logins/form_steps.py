"""The steps of a login by form: the page, the post, redirects behind it, and whether it worked. Pure."""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum

import re2

from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.credential import Credential, Form, Signs
from opilio.crawl.logins.login_form import asked_to_log_in, filled, holds
from opilio.kernel.urls import Base

_MOST_REDIRECTS = 8
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_REPEATED = frozenset({307, 308})  # with method and body


class Stage(Enum):
    """How far a login has come."""

    PAGE = "the form is asked for"
    POST = "the form is posted"
    BEHIND = "the answer to the form is followed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """The next request of a login."""

    stage: Stage
    url: str
    body: bytes | None = field(default=None, repr=False)
    shown: bytes | None = None  # stands in for the body in what is kept
    redirects: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Entered:
    """The login worked, as far as its signs tell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejected:
    """The login did not work."""

    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NotAnswered:
    """The server could not answer now; nothing is known about the credential."""

    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Came:
    """What a step brought."""

    head: Head
    content: bytes
    cookies: Collection[str]  # names of those that the session has now

    @property
    def content_type(self) -> str:
        """As it was sent."""
        return self.head.get("content-type") or ""


Next = Step | Entered | Rejected | NotAnswered


def first_step(way: Form) -> Step:
    """Where a login begins."""
    return Step(stage=Stage.PAGE, url=way.page)


def next_step(credential: Credential, step: Step, came: Came) -> Next:
    """What follows from an answer."""
    way = credential.way
    assert isinstance(way, Form)  # noqa: S101 - only forms have steps
    status = came.head.status
    if status >= 500 or status == 429:
        return NotAnswered(reason=f"the login page answered with status {status}")
    if status in _REDIRECTS:
        return _redirected(credential, step, came)
    if step.stage is Stage.PAGE:
        return _to_post(credential, step, came)
    return _judged(way, step.url, came)


def _to_post(credential: Credential, step: Step, came: Came) -> Next:
    way = credential.way
    assert isinstance(way, Form)  # noqa: S101 - only forms have steps
    if came.head.status >= 400 and asked_to_log_in(came.content, came.content_type, step.url) is None:
        return Rejected(reason=f"the login page answered with status {came.head.status}")
    form = filled(came.content, came.content_type, step.url, way)
    if isinstance(form, str):
        return Rejected(reason=form)
    refusal = credential.reach.beside().refusal(form.action)
    if refusal:
        return Rejected(reason=f"the login form leads to {form.action[:200]}, and the credential stays here: {refusal}")
    return Step(stage=Stage.POST, url=form.action, body=form.body, shown=form.shown)


def _redirected(credential: Credential, step: Step, came: Came) -> Next:
    way = credential.way
    assert isinstance(way, Form)  # noqa: S101 - only forms have steps
    target = _target(step.url, came.head)
    if target is None or step.redirects >= _MOST_REDIRECTS:
        return Rejected(reason="the redirects of the login lead nowhere")
    if not credential.reach.beside().admits(target):
        if step.stage is Stage.PAGE:
            return Rejected(reason=f"the login page leads to {target[:200]}, where the credential may not be sent")
        return _judged(way, target, Came(head=came.head, content=b"", cookies=came.cookies))
    if step.stage is Stage.POST and came.head.status in _REPEATED:
        return Step(stage=step.stage, url=target, body=step.body, shown=step.shown, redirects=step.redirects + 1)
    stage = Stage.PAGE if step.stage is Stage.PAGE else Stage.BEHIND
    return Step(stage=stage, url=target, redirects=step.redirects + 1)


def _target(url: str, head: Head) -> str | None:
    location = head.get("location")
    return Base(url).link(location) if location else None


def _judged(way: Form, url: str, came: Came) -> Next:
    missing = _missing(way.success, url, came)
    if missing:
        return Rejected(reason=missing)
    if way.success == Signs():
        if came.head.status >= 400:
            return Rejected(reason=f"the login was answered with status {came.head.status}")
        if asked_to_log_in(came.content, came.content_type, url) is not None:
            return Rejected(reason="the login form came again: user or password was not accepted")
    return Entered()


def _missing(signs: Signs, url: str, came: Came) -> str:
    """The first sign of success that is not there."""
    if signs.text and not holds(came.content, came.content_type, signs.text):
        return "the page after the login lacks the text that tells of success"
    if signs.url and re2.search(signs.url, url) is None:
        return f"the login ended at {url[:200]}, which does not tell of success"
    if signs.cookie and signs.cookie not in came.cookies:
        return f"the login did not set the cookie {signs.cookie[:80]}"
    return ""

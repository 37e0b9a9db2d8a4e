"""Begins, follows and ends the sign-in session that lies in a browser's cookie; sign-in by password and by single
sign-on both end here."""

import datetime

from django.conf import settings
from django.http import HttpRequest

from opilio.kernel.clock import SYSTEM
from opilio.people.actions.signin import Outcome, close_session, open_session, see_session
from opilio.people.actor import Actor, Via
from opilio.people.queries.account import actor_for, actor_of, never_signed_in
from opilio.people.queries.sessions import seen_lately
from opilio.web.requests import address_of, correlation_of, stranger

USER = "user"
MUST_CHANGE = "must-change-password"
NEW = "new-here"


def begin(request: HttpRequest, outcome: Outcome) -> None:
    """Sign in: a fresh session key, so that one planted before is worth nothing."""
    if outcome.user is None:
        raise ValueError("Only a successful attempt begins a session.")
    request.session.flush()
    request.session[USER] = outcome.user
    if outcome.must_change:
        request.session[MUST_CHANGE] = True
    if never_signed_in(outcome.user):
        request.session[NEW] = True
    request.session.save()
    open_session(
        _actor(request, outcome.user) or stranger(request), user_id=outcome.user,
        session_key=str(request.session.session_key), method=outcome.method, address=address_of(request),
        user_agent=request.headers.get("User-Agent", ""),
    )  # fmt: skip


def end(request: HttpRequest, actor: Actor) -> None:
    """Sign out."""
    close_session(actor, session_key=str(request.session.session_key))
    request.session.flush()


def current(request: HttpRequest) -> Actor | None:
    """Who is signed in with this browser, if the session still holds."""
    user = request.session.get(USER)
    if not isinstance(user, int):
        return None
    actor = _seen(request, user)
    if actor is None:
        request.session.flush()
    return actor


def is_new(request: HttpRequest) -> bool:
    """Whether somebody is here for the first time and has not been shown around; asked once."""
    return bool(request.session.pop(NEW, False))


def must_change(request: HttpRequest) -> bool:
    """Whether a new password has to be chosen before anything else."""
    return bool(request.session.get(MUST_CHANGE))


def changed(request: HttpRequest) -> None:
    """The password was changed: go on as usual."""
    request.session.pop(MUST_CHANGE, None)


def _actor(request: HttpRequest, user: int) -> Actor | None:
    return actor_for(user, via=Via.PAGE, address=address_of(request), correlation=correlation_of(request))


def _seen(request: HttpRequest, user: int) -> Actor | None:
    """Who acts, if the session holds."""
    key = str(request.session.session_key)
    idle = datetime.timedelta(minutes=settings.OPILIO.signin_idle_minutes)
    longest = datetime.timedelta(hours=settings.OPILIO.signin_max_hours)
    lately = seen_lately(key, SYSTEM.now(), idle=idle, longest=longest)
    if lately is not None and lately.id == user:  # the usual case is one read: no page waits for the write lock
        return actor_of(lately, via=Via.PAGE, address=address_of(request), correlation=correlation_of(request))
    actor = _actor(request, user)
    holds = actor is not None and see_session(actor, session_key=key, idle=idle, longest=longest)
    return actor if holds else None

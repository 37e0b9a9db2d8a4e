"""Who asks: the bearer of an API token, or a browser that is signed in and proves that the request is its own."""

from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.middleware.csrf import CsrfViewMiddleware
from ninja.security import HttpBearer
from ninja.security.base import AuthBase

from opilio.api.errors import ForgedRequest, NotSignedIn
from opilio.api.requests import address, correlation
from opilio.people.actor import Actor, Via
from opilio.people.errors import NotAllowed
from opilio.people.queries.account import actor_for_token, own_user


@dataclass(frozen=True)
class Anybody:
    """Somebody without token and sign-in session, where strangers are let in."""


ANYBODY = Anybody()
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_LONGEST_TOKEN = 512  # characters


class ApiToken(HttpBearer):
    """`Authorization: Bearer opilio_…`: a token of a user, cut down to its scopes."""

    openapi_description = "An API token of a user, made on the account page or by POST /tokens."

    def authenticate(self, request: HttpRequest, token: str) -> Actor:
        """Whom the token speaks for."""
        asker = actor_for_token(token[:_LONGEST_TOKEN], address=address(request), correlation=correlation(request))
        if request.method not in SAFE and not any(True for _ in asker.grants):
            raise NotAllowed(
                "A token without scopes may not change anything", where="Authorization header",
                remedy="Make a token that has the scopes which the program needs.",
            )  # fmt: skip
        return asker


class SignInSession(AuthBase):
    """The cookie of a browser that is signed in; a change needs the form token (X-CSRFToken) too."""

    openapi_type = "apiKey"
    openapi_in = "cookie"
    openapi_name = "opilio"
    openapi_description = "The cookie of a sign-in session; changes need the header X-CSRFToken as well."

    def __init__(self, *, strangers: bool = False) -> None:
        super().__init__()
        self._strangers = strangers  # whether somebody who is not signed in is let in as well

    def __call__(self, request: HttpRequest) -> Actor | Anybody | None:
        """The actor that the page middleware found, unless the request brought credentials of its own."""
        if request.headers.get("Authorization"):
            raise NotSignedIn(
                "The Authorization header holds no bearer token", where="Authorization header",
                remedy="Write it as `Bearer opilio_…`.",
            )  # fmt: skip
        asker: Actor | None = getattr(request, "actor", None)
        if asker is None and self._strangers:
            return ANYBODY
        if asker is None:
            raise NotSignedIn(
                "You are not signed in", where=request.path, remedy="Send `Authorization: Bearer` with an API token."
            )
        _check_form_token(request)
        _check_password(asker)
        return replace(asker, via=Via.API, correlation=correlation(request), address=address(request))


def _check_password(asker: Actor) -> None:
    user = own_user(asker)
    if user.force_password_change and not user.external_auth:
        raise NotAllowed(
            f"{asker.username} must choose a new password first", where="sign-in session",
            remedy="Do so on the account page.",
        )  # fmt: skip


class _FormToken(CsrfViewMiddleware):
    """Django's check, which tells its verdict instead of rendering a page."""

    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def _check_form_token(request: HttpRequest) -> None:
    check = _FormToken(lambda _: None)  # type: ignore[arg-type]  # never asked for an answer
    request.csrf_processing_done = False  # type: ignore[attr-defined]  # set by the middleware, which skipped us
    check.process_request(request)
    reason: Any = check.process_view(request, lambda *_: None, (), {})  # type: ignore[arg-type]  # as above
    if reason is not None:
        raise ForgedRequest(
            f"The request may not come from your browser: {reason}", where="X-CSRFToken header",
            remedy="Send the form token of the page in X-CSRFToken, or use an API token.",
        )  # fmt: skip

"""Single sign-on: sends the browser to the provider, and lets in whom the provider vouches for."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_GET

from opilio.kernel.errors import OpilioError, Unavailable
from opilio.people.actions.signin import admit_external
from opilio.people.errors import NotFound, SignInRefused
from opilio.people.oidc import Flight, OidcClient, note_refusal, provider_from
from opilio.web import signing
from opilio.web.public import public
from opilio.web.requests import address_of, asked_next, local_path, stranger, viewer

RETURN_PATH = "/sign-in/oidc/return"
_SIGN_IN = "/sign-in"
_FLIGHT = "oidc-flight"


@public
@require_GET
def oidc_start(request: HttpRequest) -> HttpResponse:
    """Remember the flight in the session, and send the browser to the provider."""
    if viewer(request) is not None:
        return HttpResponseRedirect(asked_next(request))
    try:
        url, flight = _client().begin(_return_url(request))
    except Unavailable as error:
        return _back(request, error)
    request.session[_FLIGHT] = {"flight": asdict(flight), "next": asked_next(request)}
    return HttpResponseRedirect(url)


@public
@require_GET
def oidc_return(request: HttpRequest) -> HttpResponse:
    """Sign in the user whose name the provider's answer proves; a flight is good for one answer."""
    kept: dict[str, Any] | None = request.session.pop(_FLIGHT, None)
    if kept is None:
        return _back(request, SignInRefused("No single sign-on was begun in this browser", remedy="Begin it here."))
    try:
        username = _client().finish(Flight(**kept["flight"]), request.GET.dict(), _return_url(request))
    except (SignInRefused, Unavailable) as error:
        note_refusal(stranger(request), error.what)
        return _back(request, error)
    outcome = admit_external(stranger(request), username=username, address=address_of(request))
    if outcome.user is None:
        return _back(request, SignInRefused(outcome.refusal))
    signing.begin(request, outcome)
    return HttpResponseRedirect(local_path(kept["next"]))


def _client() -> OidcClient:
    provider = provider_from(settings.OPILIO)
    if provider is None:
        raise NotFound("There is no single sign-on here", where=_SIGN_IN, remedy="Sign in with name and password.")
    return OidcClient(provider)


def _return_url(request: HttpRequest) -> str:
    """The address that is registered with the provider: the public one, where it is known."""
    public_url = settings.OPILIO.server_public_url.rstrip("/")
    return f"{public_url}{RETURN_PATH}" if public_url else request.build_absolute_uri(RETURN_PATH)


def _back(request: HttpRequest, error: OpilioError) -> HttpResponse:
    """To the sign-in page, which says what went wrong."""
    messages.error(request, str(error))
    return HttpResponseRedirect(_SIGN_IN)

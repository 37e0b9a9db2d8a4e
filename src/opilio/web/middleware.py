"""What happens to every request: an id, headers that bind the browser, who asks, and errors told as pages."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django.utils.http import urlencode

from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.kernel.logs import bound, logger, new_correlation
from opilio.kernel.traces import span
from opilio.web import signing
from opilio.web.public import is_open_while_forced, is_public
from opilio.web.requests import viewer
from opilio.web.security_policy import content_security_policy
from opilio.web.views import errors as error_pages

log = logger(__name__)

Next = Callable[[HttpRequest], HttpResponseBase]

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_API = "/api/"
_CONTENT_SECURITY_POLICY = content_security_policy()
_PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()" for feature in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
)


def correlation(get_response: Next) -> Next:
    """Give each request an id, taken from the proxy if it sends a usable one; logs, audit and answer carry it."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        number = given if _REQUEST_ID.fullmatch(given) else new_correlation()
        request.correlation = number  # type: ignore[attr-defined]  # declared by PageRequest
        with bound(correlation=number), span("request", method=str(request.method), path=request.path[:200]):
            response = get_response(request)
        response["X-Request-ID"] = number
        return response

    return handle


def security_headers(get_response: Next) -> Next:
    """Nothing but our own scripts and styles, no frames, no sensors; pages are not kept by caches."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", _CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("X-Frame-Options", "DENY")
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return handle


class SignedIn:
    """Finds out who asks, and sends strangers to the sign-in page."""

    def __init__(self, get_response: Next) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.actor = signing.current(request)  # type: ignore[attr-defined]  # declared by PageRequest
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        """The API answers for itself; a page is shown, or the way to it."""
        if request.path.startswith(_API):
            return None
        if viewer(request) is None:
            return None if is_public(view) else _moved(request, _sign_in_path(request))
        if signing.must_change(request) and not is_open_while_forced(view):
            messages.info(request, "Choose a new password first.")
            return _moved(request, "/account/password")
        return None


class Errors:
    """Tells our errors as pages, and refuses forms that are not UTF-8."""

    def __init__(self, get_response: Next) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.path.startswith(_API):
            return response
        page = error_pages.not_allowed(request)  # a browser shows an empty answer as if the server were broken
        page["Allow"] = response["Allow"]
        return page

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        """A form in another charset would be stored garbled."""
        form = request.content_type == "application/x-www-form-urlencoded"
        if request.path.startswith(_API) or request.method != "POST" or not form or _is_utf8(request.body):
            return None
        return error_pages.told(
            request,
            InvalidInput("The form is not UTF-8 text", where="form", remedy="Send it from the page itself."),
        )

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Expected errors by their kind; others are logged and answered calmly."""
        if request.path.startswith(_API):
            return None
        if isinstance(error, OpilioError) and error.http_status < 500:
            return error_pages.told(request, error)
        if isinstance(error, Http404 | PermissionDenied | SuspiciousOperation | BadRequest):
            return None  # Django answers these with our pages
        log.error("page_failed", path=request.path[:200], method=request.method, exc_info=error)
        return error_pages.told(request, error) if isinstance(error, OpilioError) else None


def signed_in(get_response: Next) -> SignedIn:
    """The middleware that knows who asks."""
    return SignedIn(get_response)


def errors(get_response: Next) -> Errors:
    """The middleware that tells errors."""
    return Errors(get_response)


def _moved(request: HttpRequest, path: str) -> HttpResponse:
    """Send the browser elsewhere; htmx is told to move the whole page instead of a part."""
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=204, headers={"HX-Redirect": path})
    return HttpResponseRedirect(path)


def _sign_in_path(request: HttpRequest) -> str:
    wanted = request.get_full_path() if request.method in ("GET", "HEAD") else request.path
    if request.headers.get("HX-Request") == "true":
        wanted = request.path
    return f"/sign-in?{urlencode({'next': wanted})}" if wanted != "/" and len(wanted) < 2_000 else "/sign-in"


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

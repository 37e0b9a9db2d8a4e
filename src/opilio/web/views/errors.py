"""The pages that tell what went wrong: what, where, and what to do next."""

from urllib.parse import urlsplit

from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from opilio.kernel.errors import OpilioError
from opilio.web.requests import correlation_of, local_path, viewer

_TITLES = {
    400: "This request cannot be read", 401: "Please sign in", 403: "You may not do this",
    404: "There is no such page", 405: "That is not how this page works", 409: "This is not possible as things stand",
    413: "That was too much at once", 422: "This cannot be used as it is", 503: "Not possible at the moment",
}  # fmt: skip
_CALM = "Something went wrong on our side"


def told(request: HttpRequest, error: OpilioError) -> HttpResponse:
    """An error of ours as a page."""
    return _page(request, error.http_status, what=error.what, where=error.where, remedy=error.remedy)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """What Django refuses to read: too large, too many fields, a forged host."""
    if isinstance(exception, RequestDataTooBig):
        return _page(
            request, 413, what="The form holds more than this installation accepts", where=request.path,
            remedy="Shorten the longest field and send it again; nothing was saved.",
        )  # fmt: skip
    if isinstance(exception, TooManyFieldsSent):
        return _page(
            request, 400, what="The request has too many fields", where=request.path,
            remedy="Select fewer rows or filters at a time.",
        )  # fmt: skip
    return _page(
        request, 400, what="The request is damaged or forged", where=request.path,
        remedy="Go back to the page you came from and try again.",
    )  # fmt: skip


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Refused."""
    return _page(
        request, 403, what="You may not open this page", where=request.path, remedy="Ask an administrator for a role."
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """An address that leads nowhere."""
    return _page(
        request, 404, what="Nothing lies at this address", where=request.path[:200],
        remedy="Check the address, or look for the thing with the search box.",
    )  # fmt: skip


def not_allowed(request: HttpRequest) -> HttpResponse:
    """An address that only takes a form was opened, as after a sign-in in between or by a reload."""
    return _page(
        request, 405, what="This address takes a form, and there is nothing to look at", where=request.path[:200],
        remedy="Open the page with the form again and send it from there; nothing was changed.",
    )  # fmt: skip


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that did not come from one of our pages, or whose page is too old."""
    return _page(
        request, 403, what="The form did not come from a page of this installation, or the page was too old",
        where=request.path, remedy="Open the page again and repeat what you did; cookies must be allowed.",
    )  # fmt: skip


def server_error(request: HttpRequest) -> HttpResponse:
    """The unexpected, which the middleware has logged under the id that the page shows; asks the database nothing."""
    number = correlation_of(request)
    return render(request, "web/errors/calm.html", {"title": _CALM, "number": number}, status=500)


def _page(request: HttpRequest, status: int, *, what: str, where: str, remedy: str) -> HttpResponse:
    title = _TITLES.get(status, _CALM)
    context = {
        "title": title, "status": status, "what": what[:1].upper() + what[1:], "where": where, "remedy": remedy,
        "number": correlation_of(request), "before": _before(request),
    }  # fmt: skip
    template = "web/errors/error.html" if viewer(request) is not None and status < 500 else "web/errors/stranger.html"
    return render(request, template, context, status=status)


def _before(request: HttpRequest) -> str:
    """The page of ours from which a form was sent, where it can be mended; empty for a page that was just opened."""
    if request.method != "POST":
        return ""
    try:
        parts, host = urlsplit(request.headers.get("Referer", "")), request.get_host()
    except (ValueError, DisallowedHost):  # a damaged address, or a forged host, of which this page may have to tell
        return ""
    return local_path(parts.path, "") if parts.netloc == host and parts.path != request.path else ""

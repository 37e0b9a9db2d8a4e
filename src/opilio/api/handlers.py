"""Turns whatever an operation raises into the one error shape."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.utils.log import log_response
from ninja.errors import AuthenticationError, HttpError, ValidationError

from opilio.api.errors import BadBody, BodyTooLarge, NoSuchAddress, NotSignedIn, Unexpected
from opilio.api.faults import refusal
from opilio.kernel.errors import OpilioError, Unavailable
from opilio.people.errors import InvalidFields

Handler = Callable[[HttpRequest, Any], HttpResponse]
_SEND_AGAIN = "Send the request again as the reference says."


def known(request: HttpRequest, error: OpilioError) -> HttpResponse:
    """An error of our own."""
    return refusal(request, error)


def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Parameters or fields that do not fit the schema."""
    messages: dict[str, list[str]] = {}
    for one in error.errors:
        source, *path = one["loc"]
        names = path[1:] if source == "body" and path[:1] == ["body"] else path
        messages.setdefault(".".join(map(str, names)) or source, []).append(f"{one['msg']}.")
    return refusal(request, InvalidFields(messages, where=", ".join(sorted({str(e["loc"][0]) for e in error.errors}))))


def refused(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What Django Ninja itself refuses: nobody is signed in, or the body cannot be read."""
    if isinstance(error.__cause__, OpilioError):
        return refusal(request, error.__cause__)
    if isinstance(error, AuthenticationError):
        return refusal(request, NotSignedIn("You are not signed in", where=request.path, remedy="Send an API token."))
    return refusal(request, BadBody(error.message, where="request", remedy=_SEND_AGAIN))


def malformed(request: HttpRequest, error: Exception) -> HttpResponse:
    """What Django refuses to read."""
    return refusal(request, BadBody(f"The request cannot be read: {error}", where="request", remedy=_SEND_AGAIN))


def too_large(request: HttpRequest, error: Exception) -> HttpResponse:
    """A body beyond the limit."""
    return refusal(request, BodyTooLarge(str(error), where="body", remedy="Send less at a time."))


def missing(request: HttpRequest, error: Http404) -> HttpResponse:
    """A page of Django's that is not there."""
    return refusal(request, no_such_address(request))


def unavailable(request: HttpRequest, error: OperationalError) -> HttpResponse:
    """The database does not answer, or is busy for too long."""
    return refusal(
        request,
        Unavailable(f"The database refused: {error}", where="database", remedy="Try again; `opilio doctor` says more."),
    )


def unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    """A fault of ours: told to the log with its trace, to the asker with the correlation id only."""
    answer = refusal(
        request,
        Unexpected("Opilio failed to answer", where=request.path, remedy="Tell the operator the correlation id."),
    )
    got_request_exception.send(sender=unexpected, request=request)
    log_response("%s: %s", "Internal Server Error", request.path, response=answer, request=request, exception=error)
    return answer


def no_such_address(request: HttpRequest) -> NoSuchAddress:
    """Nothing answers at the address of this request."""
    return NoSuchAddress(
        f"There is nothing at {request.path[:200]}", where="address", remedy="The reference lists all: /api/v1/docs."
    )


HANDLERS: dict[type[Exception], Handler] = {
    OpilioError: known,
    ValidationError: invalid,
    HttpError: refused,
    RequestDataTooBig: too_large,
    UnreadablePostError: malformed,
    SuspiciousOperation: malformed,
    Http404: missing,
    OperationalError: unavailable,
    Exception: unexpected,
}

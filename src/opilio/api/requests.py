"""What the API knows of a request beside its content: who asks, from where, under which correlation id."""

from django.conf import settings
from django.http import HttpRequest

from opilio.kernel import logs
from opilio.people.actor import Actor

_LONGEST = 64  # characters of an address or correlation id


class ApiRequest(HttpRequest):
    """A request whose asker is known."""

    auth: Actor


def correlation(request: HttpRequest) -> str:
    """The id that ties answer, audit entries and log lines together; the same at every call."""
    known = getattr(request, "correlation", "") or logs.correlation() or logs.new_correlation()
    request.correlation = known  # type: ignore[attr-defined]  # the request is Django's, the attribute ours
    return str(known)[:_LONGEST]


def address(request: HttpRequest) -> str:
    """The network address of the asker; of X-Forwarded-For as many entries are believed as there are own proxies."""
    proxies = settings.OPILIO.server_trusted_proxies
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if proxies and len(forwarded) >= proxies:
        return forwarded[-proxies][:_LONGEST]
    return str(request.META.get("REMOTE_ADDR", ""))[:_LONGEST]

"""What a page knows of its request: who asks, from where, and under which correlation id."""

from typing import cast

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from opilio.kernel.clock import SYSTEM
from opilio.people.actor import Actor, Via, system

_LONGEST_PATH = 2_000  # characters of a path to return to


class PageRequest(HttpRequest):
    """A request after our middleware; `actor` is there on every page that needs a sign-in."""

    actor: Actor
    correlation: str
    section: str
    htmx: HtmxDetails


def viewer(request: HttpRequest) -> Actor | None:
    """Who is signed in; None on the pages that are open to everybody, and where an error came too early."""
    return cast("Actor | None", getattr(request, "actor", None))


def stranger(request: HttpRequest) -> Actor:
    """Whoever sits at the other end before signing in: acts as the system, so that the attempt can be audited."""
    return Actor(
        **{
            **system(clock=SYSTEM, via=Via.PAGE, name="").__dict__,
            "address": address_of(request),
            "correlation": correlation_of(request),
        }
    )


def correlation_of(request: HttpRequest) -> str:
    """The id that ties together what this request does."""
    return cast("str", getattr(request, "correlation", ""))


def address_of(request: HttpRequest) -> str:
    """The network address of the asker, behind as many proxies as the operator trusts."""
    direct = str(request.META.get("REMOTE_ADDR") or "")
    trusted = settings.OPILIO.server_trusted_proxies
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if not trusted or len(forwarded) < trusted:
        return direct[:64]
    return forwarded[-trusted][:64]


def local_path(text: str | None, default: str = "/") -> str:
    """The path to go to, if it is one of ours; never another host."""
    if not text or len(text) > _LONGEST_PATH or not text.startswith("/"):
        return default
    return text if url_has_allowed_host_and_scheme(text, allowed_hosts=None) else default


def asked_next(request: HttpRequest, default: str = "/") -> str:
    """Where the form or address wants to go afterwards."""
    source: QueryDict = request.POST if request.method == "POST" else request.GET
    return local_path(source.get("next"), default)

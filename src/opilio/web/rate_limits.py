"""How many requests one network address may send: to the API, to search, and by forms of people who are not signed in.

Each process of a server counts for itself, in memory; a proxy before it may be stricter. Sign-in has its own limits,
kept in the database (`people/throttle.py`).
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict
from opilio.kernel.settings import Settings
from opilio.web.requests import address_of, correlation_of, viewer
from opilio.web.views import errors as error_pages

Next = Callable[[HttpRequest], HttpResponseBase]

_MOST_ADDRESSES = 20_000  # remembered at a time; the one that was silent longest is forgotten first
_BURST = 30.0  # seconds of the rate that may come at once
_API = "/api/"
_SEARCH = ("/find", "/search", "/api/v1/search")


class TooManyRequests(Conflict):
    """More requests from one address than the installation answers."""

    http_status = 429


@dataclass(kw_only=True)
class _Bucket:
    left: float
    at: float  # seconds, monotonic


class Limiter:
    """A bucket for each address that fills at a steady rate; a request takes one out."""

    def __init__(self, *, clock: Clock = SYSTEM, most: int = _MOST_ADDRESSES) -> None:
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, kind: str, address: str, per_minute: int) -> float:
        """Take one out; 0, or the seconds after which there is one again."""
        rate = per_minute / 60
        most = max(1.0, rate * _BURST)
        now = self._clock.monotonic()
        with self._lock:
            bucket = self._buckets.pop((kind, address), None) or _Bucket(left=most, at=now)
            left = min(most, bucket.left + (now - bucket.at) * rate)
            short = max(0.0, 1.0 - left) / rate
            self._buckets[kind, address] = _Bucket(left=left if short else left - 1.0, at=now)
            while len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        return short


LIMITER = Limiter()


def kind_of(*, path: str, method: str, signed_in: bool) -> str:
    """What a request counts as; empty: nothing that is limited here."""
    if path.startswith(_SEARCH):
        return "search"
    if path.startswith(_API):
        return "api"
    return "form" if method == "POST" and not signed_in else ""


def allowed_per_minute(chosen: Settings, kind: str) -> int:
    """The limit of the settings; 0: none."""
    limits = {
        "search": chosen.limit_search_per_minute, "api": chosen.limit_api_per_minute,
        "form": chosen.limit_forms_per_minute,
    }  # fmt: skip
    return limits.get(kind, 0)


def limited(get_response: Next) -> Next:
    """Answer 429, with the seconds to wait, to an address that asks too much."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        kind = kind_of(path=request.path, method=str(request.method), signed_in=viewer(request) is not None)
        per_minute = allowed_per_minute(settings.OPILIO, kind)
        seconds = LIMITER.wait(kind, address_of(request), per_minute) if per_minute else 0.0
        return _refused(request, kind, seconds) if seconds else get_response(request)

    return handle


def _refused(request: HttpRequest, kind: str, seconds: float) -> HttpResponse:
    error = TooManyRequests(
        f"More requests came from this address than are answered ({kind})", where=request.path[:200],
        remedy=f"Try again in {math.ceil(seconds)} s; the operator can change limit_{_SETTINGS[kind]}_per_minute.",
    )  # fmt: skip
    if request.path.startswith(_API):
        told = {
            "code": error.code, "message": error.what, "where": error.where, "remedy": error.remedy,
            "correlation": correlation_of(request),
        }  # fmt: skip
        answer: HttpResponse = JsonResponse({"error": told}, status=error.http_status)
    else:
        answer = error_pages.told(request, error)
    answer["Retry-After"] = str(math.ceil(seconds))
    return answer


_SETTINGS = {"search": "search", "api": "api", "form": "forms"}

"""Wraps every address of the API: what Django Ninja would answer in its own words gets our error shape and headers."""

import functools
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja.operation import PathView

from opilio.api.bodies import check_body
from opilio.api.errors import NoSuchMethod
from opilio.api.faults import refusal
from opilio.api.handlers import no_such_address
from opilio.api.requests import correlation
from opilio.kernel.errors import OpilioError
from opilio.people.errors import InvalidFields

View = Callable[..., HttpResponseBase]


def operations_door(path_view: PathView) -> View:
    """The view of one address with its operations."""
    inner = path_view.get_view()
    known = {method: _query_names(operation) for operation in path_view.operations for method in operation.methods}

    def view(request: HttpRequest, **path: Any) -> HttpResponseBase:
        if request.method not in known:
            return _no_such_method(request, sorted(known))
        _check_query(request, known[request.method])
        check_body(request)
        answer: HttpResponseBase = inner(request, **path)
        if answer.status_code == 204:
            del answer.headers["Content-Type"]
        return answer

    return door(view)


def door(view: View) -> View:
    """A view whose own errors leave in our shape, and whose answers carry the correlation id and are not kept."""

    @functools.wraps(view)
    def guarded(request: HttpRequest, **path: Any) -> HttpResponseBase:
        try:
            answer = view(request, **path)
        except OpilioError as error:
            answer = refusal(request, error)
        answer.headers["X-Request-ID"] = correlation(request)
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    guarded.csrf_exempt = True  # type: ignore[attr-defined]  # auth.py checks it for browsers, in our error shape
    return guarded


def only_get(view: View) -> View:
    """A view that can be read only."""

    @functools.wraps(view)
    def checked(request: HttpRequest, **path: Any) -> HttpResponseBase:
        return view(request, **path) if request.method in ("GET", "HEAD") else _no_such_method(request, ["GET", "HEAD"])

    return checked


def nothing_here(request: HttpRequest, **path: Any) -> HttpResponse:
    """Answers for every address that no operation has."""
    return refusal(request, no_such_address(request))


def _no_such_method(request: HttpRequest, allowed: list[str]) -> HttpResponse:
    names = ", ".join(allowed)
    error = NoSuchMethod(
        f"{(request.method or '')[:20]} is not possible here", where=request.path[:200], remedy=f"Use {names}."
    )
    return refusal(request, error, {"Allow": names})


def _query_names(operation: Any) -> frozenset[str]:
    models = [model for model in operation.models if model.__ninja_param_source__ == "query"]
    return frozenset(name for model in models for name in model.__ninja_flatten_map__)


def _check_query(request: HttpRequest, known: frozenset[str]) -> None:
    """A misspelt filter would silently show too much."""
    unknown = [name for name in request.GET if name not in known]
    if unknown:
        choice = ", ".join(sorted(known)) or "none"
        raise InvalidFields(
            {name[:64]: [f"There is no such parameter; known here: {choice}."] for name in unknown[:10]}, where="query"
        )

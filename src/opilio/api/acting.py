"""Operations on one row: 404 for whoever may not see it, then what the operation does, then the row as it is now."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from django.http import HttpResponse

from opilio.api.requests import ApiRequest
from opilio.people.actor import Actor

Given = ParamSpec("Given")
Shown = TypeVar("Shown")


def acting(
    named: str, *, seen: Callable[[Actor, int], object], shown: Callable[[Actor, int, HttpResponse], Shown]
) -> Callable[[Callable[Given, None]], Callable[Given, Shown]]:
    """Makes an operation of a function that only acts; `named` is the parameter that says on which row.

    The function takes `request` and `response` as operations do, and what it gives back is not asked for.
    """

    def declare(act: Callable[Given, None]) -> Callable[Given, Shown]:
        @wraps(act)
        def operation(*request: Given.args, **given: Given.kwargs) -> Shown:
            asker = cast("ApiRequest", request[0]).auth
            row_id, response = cast("int", given[named]), cast("HttpResponse", given["response"])
            seen(asker, row_id)
            act(*request, **given)
            return shown(asker, row_id, response)

        return operation

    return declare

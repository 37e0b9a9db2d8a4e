"""The parameters in force, read once per request."""

from typing import cast

from django.http import HttpRequest

from opilio.people import parameters

_KEPT = "_opilio_parameters"


def values(request: HttpRequest) -> dict[str, str | int | bool]:
    """All parameters as they are now."""
    kept = getattr(request, _KEPT, None)
    if kept is None:
        kept = parameters.values()
        setattr(request, _KEPT, kept)
    return cast("dict[str, str | int | bool]", kept)


def rows_per_page(request: HttpRequest) -> int:
    """How many rows a list shows at a time."""
    return int(values(request)["rows_per_page"])


def offers_agencies(request: HttpRequest) -> bool:
    """Whether lists offer a filter by agency."""
    return bool(values(request)["offer_cross_agency_search"])

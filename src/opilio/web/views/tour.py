"""The tour: one stop on each page, forward, back, or out. It keeps nothing and needs no script."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.web import tour
from opilio.web.requests import PageRequest


@require_safe
def tour_page(request: PageRequest, number: int = 1) -> HttpResponse:
    """One stop; a number that there is not leads to the first."""
    stops = tour.stops(request.actor)
    if not 1 <= number <= len(stops):
        return HttpResponseRedirect("/tour")
    context = {
        "stop": stops[number - 1], "stops": stops, "before": number - 1,
        "after": number + 1 if number < len(stops) else 0,
    }  # fmt: skip
    return render(request, "web/tour.html", context)

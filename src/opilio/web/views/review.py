"""The list of results that wait for a decision, and that of all."""

from django.http.response import HttpResponseBase

from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.review_list import page_for
from opilio.web.sections import section


@section("review")
def review(request: PageRequest) -> HttpResponseBase:
    """What waits, the doubtful first."""
    return show(request, page_for(request.actor, every=False))


@section("review")
def every_result(request: PageRequest) -> HttpResponseBase:
    """All results of the agencies in which the asker works."""
    return show(request, page_for(request.actor, every=True))

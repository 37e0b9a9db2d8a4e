"""All sign-in sessions of the users whom the asker manages."""

from django.http.response import HttpResponseBase

from opilio.people.queries.account import sign_ins
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.views.sign_in_list import sign_in_page


@section("sessions")
def sessions(request: PageRequest) -> HttpResponseBase:
    """Who is signed in, from where and how long; any session can be ended."""
    page = sign_in_page(
        request, name="sessions", path="/admin/sessions", title="Sessions", rows=sign_ins,
        intro="Who is signed in, since when and from where. Ending a session takes effect at once.",
    )  # fmt: skip
    return show(request, page)

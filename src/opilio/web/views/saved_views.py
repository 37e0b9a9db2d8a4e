"""Keep how a list is looked at."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.views.decorators.http import require_POST

from opilio.people.actions.views import save_view
from opilio.people.errors import InvalidFields
from opilio.web.requests import PageRequest, asked_next

_LONGEST = 2_000


@require_POST
def save(request: PageRequest) -> HttpResponse:
    """Keep the list's present look under a name; a fault is told on the list itself."""
    back = asked_next(request)
    name, query = request.POST.get("name", "").strip(), request.POST.get("query", "")
    if not name:
        messages.error(request, "Give the view a name.")
    elif len(query) > _LONGEST:
        messages.error(request, "This view has too many filters to be kept.")
    else:
        try:
            save_view(
                request.actor, page=request.POST.get("page", "")[:64], name=name,
                query=QueryDict(query).urlencode(), shared=request.POST.get("shared") == "on",
            )  # fmt: skip
            messages.success(request, f"The view “{name}” is kept.")
        except InvalidFields as error:
            messages.error(request, str(error))
    return HttpResponseRedirect(back)

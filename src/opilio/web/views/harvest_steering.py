"""What people tell a harvest from its queue: these first, those last, those not at all."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from opilio.curation.actions.harvest_orders import order_exclusion, order_priority
from opilio.curation.queries import harvests as query
from opilio.people.errors import NotFound
from opilio.web.forms.harvest_records import PriorityForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.harvest_page import PATH, frame
from opilio.web.requests import PageRequest, asked_next, local_path
from opilio.web.sections import section

_PRIORITIES = {"sooner": -100, "usual": 0, "later": 100}
_TOLD = {
    "sooner": "They come before the others of their host.",
    "usual": "They come in their usual turn.",
    "later": "They come after the others of their host.",
    "exclude": "They are not asked for any more.",
}
_MOST = 500  # URLs chosen at a time


@section("harvests")
@require_POST
def order(request: PageRequest, harvest_id: int, verb: str) -> HttpResponse:
    """Move URLs that were chosen in the queue, or leave them out."""
    row = query.harvest(request.actor, harvest_id)
    if verb not in _TOLD:
        raise NotFound("The queue has no such button", where=request.path, remedy="Use those below the queue.")
    urls = tuple(request.POST.getlist("url")[:_MOST])
    if not urls:
        messages.warning(request, "Choose URLs first; nothing was changed.")
    elif verb == "exclude":
        order_exclusion(request.actor, harvest_id=row.pk, urls=urls)
    else:
        order_priority(request.actor, harvest_id=row.pk, priority=_PRIORITIES[verb], urls=urls)
    if urls:
        messages.success(request, f"The harvest is told, and keeps to it within two seconds. {_TOLD[verb]}")
    return HttpResponseRedirect(asked_next(request, f"{PATH}/{row.pk}/queue"))


@section("harvests")
def priority(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Move what matches an expression or is of a host; what the address names is filled in."""
    row = query.harvest(request.actor, harvest_id)
    back = local_path(request.GET.get("next"), f"{PATH}/{row.pk}/queue")

    def save(data: dict[str, Any]) -> str:
        order_priority(request.actor, harvest_id=row.pk, **data)
        messages.success(request, "The harvest is told, and keeps to it within two seconds.")
        return back

    page = FormPage(
        title=f"Move URLs: {row.abstract_target.name}", back=back, button="Tell the harvest",
        template="web/harvests/form.html",
        context={
            **frame(request.actor, row, "queue"), "title": "Move URLs", "heading": "Move URLs",
            "intro": "Hosts take turns; this changes which of a host's pages comes first. What is found later keeps "
                     "to it too. Parts of a page, such as pictures, always come along with it.",
        },
    )  # fmt: skip
    return answer(request, PriorityForm(request, initial=_filled(request)), page, save=save)


def _filled(request: PageRequest) -> dict[str, Any]:
    pattern = request.GET.get("pattern", "")[:2_000].strip()
    return {"priority": -100, "hosts": request.GET.get("host", "")[:255].strip(), "patterns": pattern}

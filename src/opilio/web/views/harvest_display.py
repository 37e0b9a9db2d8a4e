"""Whether readers are shown a harvest, and why."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse

from opilio.curation.actions.harvest_display import set_display
from opilio.curation.queries import harvests as query
from opilio.web.forms.access import DisplayForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.harvest_page import PATH, frame
from opilio.web.requests import PageRequest
from opilio.web.sections import section

_INTRO = (
    "Readers see what is endorsed, as far as target, groups, permissions and takedowns allow it. This keeps one "
    "harvest from them altogether; people of the agency still see it. It counts within ten seconds."
)


@section("harvests")
def display(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Show a harvest to readers, or keep it from them."""
    row = query.harvest(request.actor, harvest_id)
    values = {"display": row.display, "note": row.display_note}

    def save(data: dict[str, Any]) -> str:
        set_display(request.actor, harvest_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}"

    page = FormPage(
        title=f"Display: {row.abstract_target.name}", back=f"{PATH}/{row.pk}", button="Save",
        template="web/harvests/form.html",
        context={**frame(request.actor, row, ""), "title": "Display", "heading": "Display", "intro": _INTRO},
    )  # fmt: skip
    form = DisplayForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))

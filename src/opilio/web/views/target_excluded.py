"""The pages that are left out when a target is harvested: listed, added and changed in one panel."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse

from opilio.curation.actions.excluded_urls import add_excluded_url, update_excluded_url
from opilio.curation.days import day_in
from opilio.curation.queries import targets as query
from opilio.curation.rights_of import exclusions_of
from opilio.people.queries.visible import one
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.seeds import EditExcludedUrlForm, ExcludedUrlForm
from opilio.web.forms.stale import Version
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.target_page import PATH, frame

if TYPE_CHECKING:
    from opilio.curation.models import ExcludedUrl, Target

_MOST = 1_000


@section("targets")
def excluded(request: PageRequest, target_id: int) -> HttpResponse:
    """The excluded URLs of a target, and a form for another."""
    row = query.target(request.actor, target_id)

    def save(data: dict[str, Any]) -> str:
        made = add_excluded_url(request.actor, target_id=row.pk, **data)
        messages.success(request, f"{made.url} is left out from now on.")
        return f"{PATH}/{row.pk}/excluded"

    page = FormPage(
        title=f"Excluded URLs of {row.name}", back=f"{PATH}/{row.pk}", button="Leave it out",
        template="web/targets/excluded.html", context=_context(request, row),
    )  # fmt: skip
    return answer(request, ExcludedUrlForm(request), page, save=save)


@section("targets")
def excluded_url(request: PageRequest, excluded_id: int) -> HttpResponse:
    """One of them, open to be changed."""
    found = one(query.excluded_urls(request.actor), "excluded URL", excluded_id)
    row = query.target(request.actor, found.target_id)
    values = {"url": found.url, "reason": found.reason}

    def save(data: dict[str, Any]) -> str:
        update_excluded_url(request.actor, excluded_id=found.id, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}/excluded"

    page = FormPage(
        title=f"Excluded URLs of {row.name}", back=f"{PATH}/{row.pk}/excluded", button="Save",
        template="web/targets/excluded.html", context=_context(request, row, edited=found),
    )  # fmt: skip
    form = EditExcludedUrlForm(request, initial={**values, "version": found.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=found.version, values=values))


def _context(request: PageRequest, row: "Target", *, edited: "ExcludedUrl | None" = None) -> dict[str, Any]:
    today = day_in(request.actor.clock.now(), row.agency.time_zone)
    return {
        **frame(request.actor, row, "excluded"), "edited": edited,
        "excluded": list(query.excluded_urls(request.actor).filter(target=row).order_by("url", "id")[:_MOST]),
        "exclusions": exclusions_of(row.pk, today),
    }  # fmt: skip

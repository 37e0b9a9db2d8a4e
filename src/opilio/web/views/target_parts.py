"""What belongs to one target beside its details and seeds: access, description, groups, notes, plans, history."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.actions.dublin_core import save_dublin_core
from opilio.curation.actions.targets import update_target
from opilio.curation.kinds import TARGET
from opilio.curation.queries import targets as query
from opilio.curation.queries.groups import parent_choices
from opilio.curation.queries.nominations import verifications
from opilio.curation.words import ELEMENTS
from opilio.people.privileges import Privilege
from opilio.people.queries.records import audit_entries
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.forms.targets import AccessForm, DublinCoreForm
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.target_page import PATH, frame

if TYPE_CHECKING:
    from opilio.curation.models import Target

_ACCESS = ("access_zone", "embargo_days", "display", "display_note", "display_change_reason")
_SHOWN = 50


@section("targets")
def access(request: PageRequest, target_id: int) -> HttpResponse:
    """Who may read what was collected, and whether readers are shown it."""
    row = query.target(request.actor, target_id)
    values = {name: getattr(row, name) for name in _ACCESS}

    def save(data: dict[str, Any]) -> str:
        update_target(request.actor, target_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}/access"

    form = AccessForm(request, initial={**values, "version": row.version})
    page = _page(request, row, "access", f"Access to {row.name}", "web/targets/form.html")
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("targets")
def description(request: PageRequest, target_id: int) -> HttpResponse:
    """The Dublin Core of a target, and who was asked to verify it."""
    row = query.target(request.actor, target_id)
    core = row.dublin_core
    values = {name: getattr(core, name) if core else "" for name in ELEMENTS}
    version = core.version if core else 0

    def save(data: dict[str, Any]) -> str:
        save_dublin_core(request.actor, row_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}/description"

    form = DublinCoreForm(request, initial={**values, "version": version})
    page = _page(
        request, row, "description", f"Description of {row.name}", "web/targets/description.html",
        verifications=list(verifications(row)[:_SHOWN]), now=request.actor.clock.now(),
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=version, values=values))


@section("targets")
@require_safe
def groups(request: PageRequest, target_id: int) -> HttpResponse:
    """The groups that the target is in."""
    row = query.target(request.actor, target_id)
    context = {
        **frame(request.actor, row, "groups"), "title": f"Groups of {row.name}",
        "memberships": list(query.memberships(request.actor, row)[:500]),
        "joinable": parent_choices(request.actor, without=row.pk),
    }  # fmt: skip
    return render(request, "web/targets/groups.html", context)


@section("targets")
@require_safe
def notes(request: PageRequest, target_id: int) -> HttpResponse:
    """The notes pinned to the target."""
    row = query.target(request.actor, target_id)
    context = {
        **frame(request.actor, row, "notes"), "notes": panel(request.actor, TARGET, row),
        "title": f"Notes on {row.name}",
    }  # fmt: skip
    return render(request, "web/targets/notes.html", context)


@section("targets")
@require_safe
def planned(request: PageRequest, target_id: int) -> HttpResponse:
    """The harvests that are planned."""
    row = query.target(request.actor, target_id)
    found = query.planned(row)
    context = {
        **frame(request.actor, row, "planned"), "title": f"Harvests of {row.name}", "count": found.count(),
        "harvests": list(found[:100]),
    }  # fmt: skip
    return render(request, "web/targets/planned.html", context)


@section("targets")
@require_safe
def history(request: PageRequest, target_id: int) -> HttpResponse:
    """What was done to the target, for those who may read the audit log, and when it was approved."""
    row = query.target(request.actor, target_id)
    audited = query.may(request.actor, Privilege.VIEW_AUDIT, row)
    entries = audit_entries(request.actor).filter(subject_type="target", subject_id=row.pk).order_by("-at", "-id")
    context = {
        **frame(request.actor, row, "history"), "title": f"History of {row.name}", "audited": audited,
        "entries": entries[:_SHOWN], "approvals": list(query.approvals(row)[:_SHOWN]),
    }  # fmt: skip
    return render(request, "web/targets/history.html", context)


def _page(request: PageRequest, row: "Target", here: str, title: str, template: str, **more: Any) -> FormPage:
    context = {**frame(request.actor, row, here), **more}
    return FormPage(title=title, back=f"{PATH}/{row.pk}/{here}", template=template, context=context)

"""What belongs to one group beside its details: tree, harvest, description, notes, history."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.actions.dublin_core import save_dublin_core
from opilio.curation.group_harvest import preview
from opilio.curation.kinds import GROUP
from opilio.curation.queries import groups as query
from opilio.curation.words import ELEMENTS, HarvestAs, State, tone_of
from opilio.people.queries.records import audit_entries
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.forms.targets import DublinCoreForm
from opilio.web.group_page import PATH, frame
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section

_SHOWN = 50


@section("groups")
@require_safe
def tree(request: PageRequest, group_id: int) -> HttpResponse:
    """Everything that is in the group, however deep, and the groups that it is in."""
    row = query.group(request.actor, group_id)
    context = {
        **frame(request.actor, row, "tree"), "title": row.name, "tree": _drawn(query.tree(request.actor, row)),
        "parents": list(query.groups_of(request.actor, row.pk)[:_SHOWN]),
    }  # fmt: skip
    return render(request, "web/groups/tree.html", context)


@section("groups")
@require_safe
def seeds(request: PageRequest, group_id: int) -> HttpResponse:
    """What a harvest of the group would start with now, and who would be left out and why."""
    row = query.group(request.actor, group_id)
    context = {
        **frame(request.actor, row, "seeds"), "title": row.name, "preview": preview(request.actor, row),
        "together": row.harvest_as == HarvestAs.COMBINED,
    }  # fmt: skip
    return render(request, "web/groups/seeds.html", context)


@section("groups")
def description(request: PageRequest, group_id: int) -> HttpResponse:
    """The group as catalogues describe it."""
    row = query.group(request.actor, group_id)
    core = row.dublin_core
    version = core.version if core else 0
    values = {name: getattr(core, name) if core else "" for name in ELEMENTS}

    def save(data: dict[str, Any]) -> str:
        save_dublin_core(request.actor, kind_name="group", row_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}/description"

    page = FormPage(
        title=row.name, back=f"{PATH}/{row.pk}", template="web/groups/form.html",
        context=frame(request.actor, row, "description"),
    )  # fmt: skip
    form = DublinCoreForm(request, initial={**values, "version": version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=version, values=values))


@section("groups")
@require_safe
def notes(request: PageRequest, group_id: int) -> HttpResponse:
    """The notes pinned to the group."""
    row = query.group(request.actor, group_id)
    context = {
        **frame(request.actor, row, "notes"), "title": row.name, "notes": panel(request.actor, GROUP, row),
    }  # fmt: skip
    return render(request, "web/groups/notes.html", context)


@section("groups")
@require_safe
def history(request: PageRequest, group_id: int) -> HttpResponse:
    """What was done to the group."""
    row = query.group(request.actor, group_id)
    entries = audit_entries(request.actor).filter(subject_type="group", subject_id=row.pk).order_by("-at", "-id")
    context = {**frame(request.actor, row, "history"), "title": row.name, "entries": entries[:_SHOWN]}
    return render(request, "web/groups/history.html", context)


def _drawn(node: query.Node) -> dict[str, Any]:
    """A node of the tree as the template draws it."""
    state = State(node.row.state)
    return {
        "row": node.row, "is_group": node.is_group, "cut": node.cut, "state": state.label.lower(),
        "tone": tone_of(state), "members": [_drawn(member) for member in node.members],
    }  # fmt: skip

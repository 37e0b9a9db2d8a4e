"""What else can be done with a profile: versions compared, export, import, copy, transfer, switches."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST

from opilio.curation.actions.profiles import (
    copy_profile,
    create_profile,
    set_default_profile,
    switch_profile,
    transfer_profile,
)
from opilio.curation.profile_documents import document_of, read_document
from opilio.curation.profile_fields import profile_fields
from opilio.curation.profile_settings import Change, difference, from_plain
from opilio.curation.queries import profiles as queries
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.profiles import CopyProfileForm, ImportProfileForm, TransferProfileForm
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.views.profiles import PATH

if TYPE_CHECKING:
    from opilio.curation.models import ProfileVersion


@dataclass(frozen=True, kw_only=True)
class ShownChange:
    """A difference between two versions, for people."""

    label: str
    place: str
    before: str
    after: str


@section("profiles")
def profile_versions(request: PageRequest, profile_id: int) -> HttpResponse:
    """The versions of a profile, and what differs between two of them."""
    row = queries.profile(request.actor, profile_id)
    kept = queries.versions(request.actor, profile_id)
    newer, older = _chosen(request.GET.get("to"), kept, 0), _chosen(request.GET.get("from"), kept, 1)
    changes = _changes(older, newer) if older and newer else []
    context = {"row": row, "versions": kept, "older": older, "newer": newer, "changes": changes, "here": "versions",
               "may_change": request.actor.may(Privilege.MANAGE_PROFILES, Subject(agency=row.agency_id))}  # fmt: skip
    return render(request, "web/profiles/versions.html", context)


@section("profiles")
def export_profile(request: PageRequest, profile_id: int) -> HttpResponse:
    """The profile as a JSON document."""
    row = queries.profile(request.actor, profile_id)
    text = json.dumps(document_of(row), indent=2, ensure_ascii=False)
    response = HttpResponse(text + "\n", content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="profile-{row.pk}.json"'
    return response


@section("profiles")
def import_profile(request: PageRequest) -> HttpResponse:
    """Make a profile of a JSON document."""
    form = ImportProfileForm(request, agencies=agencies_where(request.actor, Privilege.MANAGE_PROFILES))

    def save(data: dict[str, Any]) -> str:
        found = read_document(data["document"])
        made = create_profile(
            request.actor, agency_id=data["agency"], name=data["name"] or found.name, settings=found.settings,
            description=found.description, level=found.level,
        )  # fmt: skip
        messages.success(request, f"The profile {made.name} is imported.")
        return f"{PATH}/{made.pk}"

    page = FormPage(title="Import a profile", back=PATH, button="Import")
    return answer(request, form, page, save=save)


@section("profiles")
def copy(request: PageRequest, profile_id: int) -> HttpResponse:
    """Make a profile like this one."""
    row = queries.profile(request.actor, profile_id)

    def save(data: dict[str, Any]) -> str:
        made = copy_profile(request.actor, profile_id=row.pk, name=data["name"])
        messages.success(request, f"The profile {made.name} is made.")
        return f"{PATH}/{made.pk}"

    form = CopyProfileForm(request, initial={"name": f"{row.name[:240]} (copy)"})
    return answer(
        request, form, FormPage(title=f"Copy {row.name}", back=f"{PATH}/{row.pk}", button="Make copy"), save=save
    )


@section("profiles")
def transfer(request: PageRequest, profile_id: int) -> HttpResponse:
    """Give everything that uses this profile another one."""
    row = queries.profile(request.actor, profile_id)

    def save(data: dict[str, Any]) -> str:
        count = transfer_profile(request.actor, profile_id=row.pk, into_id=data["into"])
        messages.success(request, f"{count} targets and groups have the other profile now.")
        return f"{PATH}/{row.pk}"

    form = TransferProfileForm(request, profiles=queries.siblings(request.actor, row))
    page = FormPage(
        title=f"Move targets from {row.name}", back=f"{PATH}/{row.pk}", button="Move all",
        intro=f"{row.use_count} targets and groups use it now.",  # type: ignore[attr-defined]  # counted by the query
    )  # fmt: skip
    return answer(request, form, page, save=save)


@require_POST
@section("profiles")
def switch(request: PageRequest, profile_id: int, verb: str) -> HttpResponse:
    """Activate, deactivate, or make the default."""
    row = queries.profile(request.actor, profile_id)
    if verb == "default":
        set_default_profile(request.actor, profile_id=row.pk)
    else:
        switch_profile(request.actor, profile_id=row.pk, verb=verb)
    messages.success(request, "Saved.")
    return HttpResponseRedirect(f"{PATH}/{row.pk}")


def _chosen(asked: str | None, kept: "list[ProfileVersion]", place: int) -> "ProfileVersion | None":
    numbered = {str(one.number): one for one in kept}
    return numbered.get(asked or "") or (kept[place] if len(kept) > place else None)


def _changes(older: "ProfileVersion", newer: "ProfileVersion") -> list[ShownChange]:
    labels = {field.place: field.label for _, fields in profile_fields() for field in fields}
    found = difference(from_plain(older.settings), from_plain(newer.settings))
    return [_shown(change, labels.get(change.place, change.place)) for change in found]


def _shown(change: Change, label: str) -> ShownChange:
    return ShownChange(label=label, place=change.place, before=_spoken(change.before), after=_spoken(change.after))


def _spoken(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "\n".join(map(str, value)) or "–"
    if isinstance(value, dict):
        return "\n".join(f"{name} = {item}" for name, item in value.items()) or "–"
    return "–" if value in (None, "") else str(value)

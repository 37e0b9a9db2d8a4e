"""What is done with a permission: granted, refused, asked for, reminded of, talked about, its seeds moved."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.curation.actions.permission_requests import (
    announce_permission,
    remind_permission,
    request_permission,
    revoke_forms,
)
from opilio.curation.actions.permissions import (
    approve_permission,
    log_communication,
    reject_permission,
    seek_permission,
    transfer_seeds,
)
from opilio.curation.queries import permissions as found
from opilio.kernel.errors import OpilioError
from opilio.people.errors import NotFound
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.rights_permissions import DecisionForm, LogForm, RequestForm, TransferForm
from opilio.web.letter_page import letter_page
from opilio.web.requests import PageRequest
from opilio.web.rights_choices import template_choices, transfer_choices
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Permission

PATH = "/permissions"


def base_url(request: PageRequest) -> str:
    """Where people outside reach the pages."""
    return settings.OPILIO.server_public_url or request.build_absolute_uri("/").rstrip("/")


@section("permissions")
def decide(request: PageRequest, permission_id: int, verb: str) -> HttpResponse:
    """Note that it was granted or refused."""
    row = found.permission(request.actor, permission_id)
    run = approve_permission if verb == "approve" else reject_permission
    word = "granted" if verb == "approve" else "refused"

    def save(data: dict[str, Any]) -> str:
        run(request.actor, permission_id=row.id, response=data["response"])
        messages.success(request, f"The permission is noted as {word}; owners of linked targets are told.")
        return f"{PATH}/{row.id}"

    page = FormPage(
        title=f"Note {row} as {word}", back=f"{PATH}/{row.id}", button=verb.capitalize(),
        intro="Owners of targets that rely on it are told.",
    )  # fmt: skip
    return answer(request, DecisionForm(request), page, save=save)


@section("permissions")
def ask(request: PageRequest, permission_id: int) -> HttpResponse:
    """Ask the authorising agent by letter or e-mail; a letter is shown once, to be printed."""
    row = found.permission(request.actor, permission_id)
    offered = template_choices(request.actor, row.agency_id)
    form = RequestForm(request, templates=offered)
    if request.method == "POST" and form.is_valid():
        try:
            sent = request_permission(
                request.actor, permission_id=row.id, template_id=form.cleaned_data["template"],
                base_url=base_url(request),
            )  # fmt: skip
        except OpilioError as error:
            form.take(error)
        else:
            if sent.letter.printed:
                return letter_page(request, row, sent.letter)
            messages.success(request, f"The request is on its way to {sent.letter.to}.")
            return HttpResponseRedirect(f"{PATH}/{row.id}")
    status = form.status if form.status != 200 else 422 if form.errors else 200
    page = FormPage(title=f"Ask for {row}", back=f"{PATH}/{row.id}", button="Ask")
    context = {"row": row, "form": form, "page": page, "offered": offered}
    return render(request, "web/letters/ask.html", context, status=status)


@section("permissions")
@require_safe
def said(request: PageRequest, permission_id: int, communication_id: int) -> HttpResponse:
    """Something that was said, in full."""
    row = found.permission(request.actor, permission_id)
    told = found.communication(request.actor, communication_id)
    if told.permission_id != row.id:
        raise NotFound("This was said about another permission", remedy="Open it from the permission's page.")
    return render(request, "web/letters/said.html", {"row": row, "told": told})


@section("permissions")
def log(request: PageRequest, permission_id: int) -> HttpResponse:
    """Keep something that was said."""
    row = found.permission(request.actor, permission_id)

    def save(data: dict[str, Any]) -> str:
        log_communication(request.actor, permission_id=row.id, **data)
        messages.success(request, "Kept.")
        return f"{PATH}/{row.id}"

    page = FormPage(title=f"What was said about {row}", back=f"{PATH}/{row.id}", button="Keep")
    return answer(request, LogForm(request, initial={"outgoing": "yes"}), page, save=save)


@section("permissions")
def transfer(request: PageRequest, permission_id: int) -> HttpResponse:
    """Move all seeds to another permission."""
    row = found.permission(request.actor, permission_id)

    def save(data: dict[str, Any]) -> str:
        moved = transfer_seeds(request.actor, permission_id=row.id, into_id=data["into"])
        messages.success(request, f"{moved} seeds were moved.")
        return f"{PATH}/{data['into']}"

    form = TransferForm(request, offered=transfer_choices(request.actor, row.id, row.agency_id))
    page = FormPage(
        title=f"Move the seeds of {row}", back=f"{PATH}/{row.id}", button="Move seeds",
        intro=f"{row.seed_count} seeds rely on this permission.",  # type: ignore[attr-defined]  # counted by the query
    )  # fmt: skip
    return answer(request, form, page, save=save)


def _seek(request: PageRequest, row: "Permission") -> str:
    seek_permission(request.actor, permission_id=row.id)
    return "It waits in the in-tray of those who confirm permissions."


def _remind(request: PageRequest, row: "Permission") -> str:
    sent = remind_permission(request.actor, permission_id=row.id, base_url=base_url(request))
    return f"A reminder is on its way to {sent.letter.to}."


def _revoke(request: PageRequest, row: "Permission") -> str:
    closed = revoke_forms(request.actor, permission_id=row.id)
    return "The answer form is closed." if closed else "No answer form was open."


def _announce(request: PageRequest, row: "Permission") -> str:
    return f"{announce_permission(request.actor, permission_id=row.id)} people were told."


_VERBS: "dict[str, Callable[[PageRequest, Permission], str]]" = {
    "seek": _seek, "remind": _remind, "revoke-form": _revoke, "announce": _announce
}  # fmt: skip


@section("permissions")
@require_POST
def do(request: PageRequest, permission_id: int, verb: str) -> HttpResponse:
    """What needs no further word."""
    row = found.permission(request.actor, permission_id)
    if verb not in _VERBS:
        raise NotFound(f"A permission has no step {verb[:40]!r}", remedy=f"Known are {', '.join(_VERBS)}.")
    try:
        messages.success(request, _VERBS[verb](request, row))
    except OpilioError as error:
        messages.error(request, str(error))
    return HttpResponseRedirect(f"{PATH}/{row.id}")

"""What belongs to one user beside the details: roles, access, notes, history."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.people.actions.account import reset_password
from opilio.people.actions.users import activate_user, deactivate_user, set_roles
from opilio.people.errors import NotFound
from opilio.people.kinds import USER
from opilio.people.queries import people
from opilio.people.queries.account import sign_ins
from opilio.people.queries.reachable import tokens
from opilio.people.queries.records import audit_entries
from opilio.web import policy
from opilio.web.forms.account import ResetPasswordForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.forms.user_roles import UserRolesForm
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.user_tabs import user_tabs

_SHOWN = 50
_VERBS = {"activate": (activate_user, "can sign in again"), "deactivate": (deactivate_user, "cannot sign in any more")}


def _version(request: PageRequest) -> int | None:
    """The version that the form was shown with; None when somebody left it out."""
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@section("users")
def roles(request: PageRequest, user_id: int) -> HttpResponse:
    """The roles that the user holds, in the home agency and in others."""
    row = people.user(request.actor, user_id)
    held = {one.role_id for one in row.held_roles.all() if not one.role.deleted}
    form = UserRolesForm(request, offered=list(people.roles(request.actor).order_by("agency__name", "name")), held=held)

    def save(data: dict[str, Any]) -> str:
        set_roles(request.actor, user_id=row.id, roles=form.wanted(), version=_version(request))
        messages.success(request, f"{row.username} has these roles from the next request on.")
        return f"/admin/users/{row.id}/roles"

    shown = request.POST.get("version", row.version)
    page = FormPage(
        title=row.username, back=f"/admin/users/{row.id}/roles", template="web/users/roles.html",
        context={
            "row": row, "tabs": user_tabs(request.actor, row, "roles"), "unseen": form.unseen_roles(row),
            "version": shown,
        },
    )  # fmt: skip
    newer = Version(number=row.version, values=form.values(held))
    return answer(request, form, page, save=save, newer=lambda: newer)


@section("users")
def access(request: PageRequest, user_id: int) -> HttpResponse:
    """Sessions, API tokens, and a new password."""
    row = people.user(request.actor, user_id)

    def save(data: dict[str, Any]) -> str:
        reset_password(
            request.actor, user_id=row.id, new=data["new"], policy=policy.passwords(),
            force_change=data["force_change"],
        )  # fmt: skip
        messages.success(request, f"{row.username} has a new password; all their sessions were ended.")
        return f"/admin/users/{row.id}/access"

    context = {
        "row": row, "tabs": user_tabs(request.actor, row, "access"), "now": request.actor.clock.now(),
        "sessions": sign_ins(request.actor).filter(user_id=row.id).order_by("-signed_in_at", "-id")[:_SHOWN],
        "tokens": tokens(request.actor).filter(user_id=row.id)[:_SHOWN],
    }  # fmt: skip
    page = FormPage(
        title=row.username, back=f"/admin/users/{row.id}", button="Set password", template="web/users/access.html",
        context=context,
    )  # fmt: skip
    form = ResetPasswordForm(request, min_length=policy.passwords().min_length)
    return answer(request, form, page, save=save)


@section("users")
@require_safe
def notes(request: PageRequest, user_id: int) -> HttpResponse:
    """The notes pinned to the user."""
    row = people.user(request.actor, user_id)
    context = {
        "row": row, "tabs": user_tabs(request.actor, row, "notes"), "notes": panel(request.actor, USER, row),
        "title": row.username,
    }  # fmt: skip
    return render(request, "web/users/notes.html", context)


@section("users")
@require_safe
def history(request: PageRequest, user_id: int) -> HttpResponse:
    """What was done to the user."""
    row = people.user(request.actor, user_id)
    entries = audit_entries(request.actor).filter(subject_type="user", subject_id=row.id).order_by("-at", "-id")
    context = {
        "row": row, "tabs": user_tabs(request.actor, row, "history"), "title": row.username,
        "entries": entries[:_SHOWN],
    }  # fmt: skip
    return render(request, "web/users/history.html", context)


@require_POST
def switch(request: PageRequest, user_id: int, verb: str) -> HttpResponse:
    """Let a user sign in, or bar them."""
    if verb not in _VERBS:
        raise NotFound("A user has no such button", where=request.path, remedy="Use those of the user's page.")
    run, words = _VERBS[verb]
    row = run(request.actor, user_id=user_id)
    messages.success(request, f"{row.username} {words}.")
    return HttpResponseRedirect(f"/admin/users/{user_id}")

"""Whose a target or group is, and who was asked to see to a target."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_POST

from opilio.curation.actions.assignments import assign_target, complete_assignment, withdraw_assignment
from opilio.curation.actions.ownership import give_ownership, take_ownership
from opilio.curation.kinds import GROUP, TARGET
from opilio.curation.queries import groups as query
from opilio.curation.queries import targets
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import users_of
from opilio.web import group_page, target_page
from opilio.web.forms.groups import AssignmentForm, OwnerForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest, asked_next
from opilio.web.sections import section
from opilio.web.views.assigned_list import assigned_page

_OVER = {
    "done": (complete_assignment, "The owner is told that it was seen to."),
    "withdraw": (withdraw_assignment, "Nobody need see to it any more."),
}


@section("groups")
def group_owner(request: PageRequest, group_id: int) -> HttpResponse:
    """Who owns a group; give it away, or take it."""
    row = query.group(request.actor, group_id)
    return _owner(request, row, "group", group_page.frame(request.actor, row, "owner"), "web/groups/owner.html")


@section("targets")
def target_owner(request: PageRequest, target_id: int) -> HttpResponse:
    """Who owns a target; give it away, or take it."""
    row = targets.target(request.actor, target_id)
    return _owner(
        request, row, "target", target_page.frame(request.actor, row, "owner"), "web/groups/target_owner.html"
    )


@section("targets")
def assignment(request: PageRequest, target_id: int) -> HttpResponse:
    """Ask a user to see to a target."""
    row = targets.target(request.actor, target_id)

    def save(data: dict[str, Any]) -> str:
        assign_target(request.actor, target_id=row.pk, user_id=data["user"], due=data["due"], note=data["note"])
        messages.success(request, f"{dict(users)[data['user']]} finds it in the in-tray.")
        return f"{target_page.PATH}/{row.pk}/owner"

    users = users_of(row.agency_id)
    initial = {"user": row.assigned_to_id, "due": row.assigned_due, "note": row.assigned_note}
    page = FormPage(
        title=f"Assign {row.name}", back=f"{target_page.PATH}/{row.pk}/owner", button="Assign",
        intro="The user is notified and finds it under “Assigned to me” in the in-tray.",
    )  # fmt: skip
    return answer(request, AssignmentForm(request, users=users, initial=initial), page, save=save)


@require_POST
def end_assignment(request: PageRequest, target_id: int, verb: str) -> HttpResponse:
    """Say that it is done, or that it need not be done."""
    if verb not in _OVER:
        raise NotFound("An assignment has no such button", where=request.path, remedy="Use those of its page.")
    run, words = _OVER[verb]
    row = run(request.actor, target_id=target_id)
    messages.success(request, f"{row.name}: {words}")
    return HttpResponseRedirect(asked_next(request, f"{target_page.PATH}/{target_id}/owner"))


@require_POST
def take(request: PageRequest, kind_name: str, row_id: int) -> HttpResponse:
    """Become the owner."""
    row = take_ownership(request.actor, kind_name=kind_name, row_id=row_id)
    messages.success(request, f"{row.name} is yours now.")
    return HttpResponseRedirect(f"/{kind_name}s/{row_id}/owner")


@section("in-tray")
def assigned(request: PageRequest) -> HttpResponseBase:
    """Targets that the asker was asked to see to."""
    return show(request, assigned_page(request.actor))


def _owner(request: PageRequest, row: Any, kind_name: str, context: dict[str, Any], template: str) -> HttpResponse:
    def save(data: dict[str, Any]) -> str:
        give_ownership(request.actor, kind_name=kind_name, row_id=row.pk, user_id=data["user"])
        messages.success(request, f"{dict(users)[data['user']]} owns {row.name} now, and was told.")
        return f"{context['base']}/owner"

    users = users_of(row.agency_id)
    subject = (GROUP if kind_name == "group" else TARGET).subject(row)
    actor = request.actor
    page = FormPage(
        title=row.name, back=context["base"], button="Give away", template=template,
        context={
            **context, "may_give": actor.may(Privilege.GIVE_OWNERSHIP, subject),
            "may_take": actor.may(Privilege.TAKE_OWNERSHIP, subject) and row.owner_id != actor.user,
            "may_assign": kind_name == "target" and actor.may(Privilege.MODIFY_TARGET, subject),
            "today": actor.clock.now().date(),
        },
    )  # fmt: skip
    others = [pair for pair in users if pair[0] != row.owner_id]
    return answer(request, OwnerForm(request, users=others), page, save=save)

"""The in-tray: tasks to claim and do, notifications to read."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_POST

from opilio.people.actions import intray as doing
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege
from opilio.web.choices import agencies_for
from opilio.web.forms.installation import AnnouncementForm, TaskForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest, asked_next
from opilio.web.sections import section
from opilio.web.views.intray_lists import all_tasks_page, notifications_page, tasks_page

_TASK_VERBS = {
    "claim": (doing.claim_task, "Claimed: it is yours now, and the others no longer see it."),
    "release": (doing.release_task, "Released: the others see it again."),
    "complete": (doing.complete_task, "Completed."),
    "delete": (doing.delete_task, "Deleted."),
}
_NOTICE_VERBS = {"read": doing.read_notifications, "delete": doing.delete_notifications}


@section("in-tray")
def tasks(request: PageRequest) -> HttpResponseBase:
    """What the asker has claimed, and what waits for somebody like the asker."""
    return show(request, tasks_page(request.actor))


@section("in-tray")
def notifications(request: PageRequest) -> HttpResponseBase:
    """What the asker should know."""
    return show(request, notifications_page(request.actor))


@section("in-tray")
def all_tasks(request: PageRequest) -> HttpResponseBase:
    """All tasks that the asker may delete, claimed by whomever."""
    if not request.actor.holds(Privilege.DELETE_TASK):
        raise NotFound("There is no such list for you", where=request.path, remedy="Your own tasks are in the in-tray.")
    return show(request, all_tasks_page(request.actor))


@require_POST
def act_on_task(request: PageRequest, task_id: int, verb: str) -> HttpResponse:
    """Claim, release, complete or delete one task."""
    if verb not in _TASK_VERBS:
        raise NotFound("A task has no such button", where=request.path, remedy="Use those of the in-tray.")
    run, words = _TASK_VERBS[verb]
    run(request.actor, task_id=task_id)
    messages.success(request, words)
    return HttpResponseRedirect(asked_next(request, "/in-tray"))


@require_POST
def act_on_notification(request: PageRequest, notification_id: int, verb: str) -> HttpResponse:
    """Mark one notification as read, or remove it."""
    if verb not in _NOTICE_VERBS:
        raise NotFound("A notification has no such button", where=request.path, remedy="Use those of the in-tray.")
    _NOTICE_VERBS[verb](request.actor, notification_ids=[notification_id])
    return HttpResponseRedirect(asked_next(request, "/in-tray/notifications"))


@section("in-tray")
def send_task(request: PageRequest) -> HttpResponse:
    """Put a task before the holders of a privilege."""
    offered = agencies_for(request.actor, Privilege.MANAGE_USERS)

    def save(data: dict[str, Any]) -> str:
        doing.create_task(
            request.actor, subject=data["subject"], message=data["message"], agency_id=data["agency"],
            privilege=Privilege(data["privilege"]),
        )  # fmt: skip
        messages.success(request, "The task is sent.")
        return "/in-tray"

    form = TaskForm(request, actor=request.actor, agencies=offered)
    return answer(request, form, FormPage(title="New task", back="/in-tray", button="Send"), save=save)


@section("in-tray")
def announce(request: PageRequest) -> HttpResponse:
    """Tell the users of an agency something."""
    offered = agencies_for(request.actor, Privilege.MANAGE_USERS)

    def save(data: dict[str, Any]) -> str:
        heard = doing.announce(
            request.actor, agency_id=data["agency"], subject=data["subject"], message=data["message"]
        )
        messages.success(request, f"{heard} {'user was' if heard == 1 else 'users were'} told.")
        return "/in-tray/notifications"

    form = AnnouncementForm(request, agencies=offered)
    page = FormPage(title="New announcement", back="/in-tray/notifications", button="Send")
    return answer(request, form, page, save=save)

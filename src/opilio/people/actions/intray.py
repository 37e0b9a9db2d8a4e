"""What people do with tasks and notifications."""

from collections.abc import Sequence

from opilio.people.acting import Act, action
from opilio.people.errors import InUse, InvalidFields, NotFound
from opilio.people.intray import Resource, notify, send_task
from opilio.people.models import Notification, Task, User
from opilio.people.models.intray import Category
from opilio.people.privileges import Privilege, Scope, Subject


@action("task.send", "Put a task before those who hold a privilege in an agency.", privilege=Privilege.MANAGE_USERS)
def create_task(
    act: Act, /, *, subject: str, message: str, privilege: Privilege, agency_id: int, resource: Resource | None = None
) -> Task:
    """A task that somebody writes by hand; actions send theirs themselves."""
    act.require(Privilege.MANAGE_USERS, Subject(agency=agency_id), "send tasks to that agency")
    task = send_task(
        act.actor, kind="by-hand", subject=subject, message=message, privilege=privilege, agency=agency_id,
        resource=resource,
    )  # fmt: skip
    act.record(task, message=f"Sent the task “{subject}”.")
    return task


@action("task.claim", "Take a task upon oneself.")
def claim_task(act: Act, /, *, task_id: int) -> Task:
    """The others no longer see it."""
    task = _task(act, task_id)
    _require_audience(act, task)
    if task.claimed_by_id not in (None, act.actor.user):
        raise InUse(
            f"The task “{task.subject}” was claimed by {task.claimed_by}", where=act.name,
            remedy="Ask them to release it.",
        )  # fmt: skip
    if task.claimed_by_id is None:
        task.claimed_by_id, task.claimed_at = act.actor.user, act.clock.now()
        task.save(update_fields=["claimed_by", "claimed_at"])
        act.record(task, message=f"Claimed the task “{task.subject}”.")
    return task


@action("task.release", "Give a claimed task back to the others.")
def release_task(act: Act, /, *, task_id: int) -> Task:
    """Only who claimed it may."""
    task = _task(act, task_id)
    _require_own(act, task, "release")
    task.claimed_by, task.claimed_at = None, None
    task.save(update_fields=["claimed_by", "claimed_at"])
    act.record(task, message=f"Released the task “{task.subject}”.")
    return task


@action("task.complete", "Say that a claimed task is done.")
def complete_task(act: Act, /, *, task_id: int) -> None:
    """Removes it from the in-tray."""
    task = _task(act, task_id)
    _require_own(act, task, "complete")
    act.record(task, message=f"Completed the task “{task.subject}”.")
    task.delete()


@action("task.delete", "Remove a task that nobody else has claimed.", privilege=Privilege.DELETE_TASK)
def delete_task(act: Act, /, *, task_id: int) -> None:
    """A task that somebody else claimed stays theirs."""
    task = _task(act, task_id)
    act.require(Privilege.DELETE_TASK, Subject(agency=task.agency_id), "delete tasks of that agency")
    if task.claimed_by_id not in (None, act.actor.user):
        raise InUse(f"The task “{task.subject}” is claimed", where=act.name, remedy="Its holder must release it first.")
    act.record(task, message=f"Deleted the task “{task.subject}”.")
    task.delete()


@action("notification.read", "Mark one's own notifications as read.")
def read_notifications(act: Act, /, *, notification_ids: Sequence[int]) -> int:
    """Others' notifications are left alone; how many were marked."""
    act.require_that(act.actor.user is not None, "read notifications", "Sign in as a user.")
    mine = Notification.objects.filter(user_id=act.actor.own, id__in=notification_ids, read_at=None)
    return mine.update(read_at=act.clock.now())


@action("notification.delete", "Remove one's own notifications.")
def delete_notifications(act: Act, /, *, notification_ids: Sequence[int]) -> int:
    """Others' notifications are left alone; how many were removed."""
    act.require_that(act.actor.user is not None, "remove notifications", "Sign in as a user.")
    return Notification.objects.filter(user_id=act.actor.own, id__in=notification_ids).delete()[0]


@action("notification.send", "Tell the users of an agency something.", privilege=Privilege.MANAGE_USERS)
def announce(
    act: Act, /, *, agency_id: int, subject: str, message: str, users: Sequence[int] | None = None
) -> int:  # fmt: skip
    """A notification that somebody writes by hand, to some users of that agency, or all; how many heard it."""
    act.require(Privilege.MANAGE_USERS, Subject(agency=agency_id), "send notifications to that agency")
    if not subject.strip():
        raise InvalidFields({"subject": ["Say in a few words what it is about."]}, where=act.name)
    of_agency = User.objects.filter(agency_id=agency_id)
    addressed = (of_agency if users is None else of_agency.filter(id__in=users)).values_list("id", flat=True)
    return notify(
        addressed,
        kind="by-hand",
        category=Category.GENERAL,
        subject=subject,
        message=message,
        sender=act.actor.username,
        now=act.clock.now(),
    )


def _task(act: Act, task_id: int) -> Task:
    task = Task.objects.select_for_update().filter(id=task_id).first()
    if task is None:
        raise NotFound(f"There is no task {task_id}", where=act.name, remedy="Somebody may have completed it.")
    return task


def _require_audience(act: Act, task: Task) -> None:
    answers = act.actor.is_system or any(
        grant.privilege == task.privilege and (grant.scope == Scope.ALL or grant.agency == task.agency_id)
        for grant in act.actor.grants
    )
    act.require_that(answers, "claim this task", f"It is for holders of {task.privilege} in its agency.")


def _require_own(act: Act, task: Task, verb: str) -> None:
    own = task.claimed_by_id is not None and task.claimed_by_id == act.actor.user
    act.require_that(own, f"{verb} this task", "Claim it first.")

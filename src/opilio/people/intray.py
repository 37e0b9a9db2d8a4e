"""Sends tasks and notifications, within the transaction of the action that causes them.

A task goes to everybody who holds its privilege in its agency; a notification to one user, unless the user switched
its category off. Either is copied to e-mail for those who asked for that.
"""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from opilio.people.actor import Actor
from opilio.people.grants import grants_of
from opilio.people.mail import post
from opilio.people.models import Notification, Task, User
from opilio.people.models.intray import Category
from opilio.people.privileges import Privilege, Scope

__all__ = ["Category", "Resource", "audience", "close_tasks", "notify", "send_task"]


@dataclass(frozen=True, kw_only=True)
class Resource:
    """The row that a message is about: its kind and identifier."""

    kind: str
    id: int


def send_task(
    actor: Actor,
    *,
    kind: str,
    subject: str,
    message: str,
    privilege: Privilege,
    agency: int,
    resource: Resource | None = None,
) -> Task:
    """Put a task before everybody who could do it."""
    now = actor.clock.now()
    task = Task(
        kind=kind, subject=subject[:255], message=message, sender=actor.username, sent_at=now, privilege=privilege,
        agency_id=agency, resource_type=resource.kind if resource else "",
        resource_id=resource.id if resource else None,
    )  # fmt: skip
    task.save()
    for user in audience(privilege, agency):
        if user.tasks_by_email and user.email:
            post(to=user.email, subject=subject, body=_body(message, "Tasks wait in your in-tray."), now=now)
    return task


def close_tasks(*, kind: str, resource: Resource) -> int:
    """Remove the tasks about a row, done by whatever way it was done."""
    return Task.objects.filter(kind=kind, resource_type=resource.kind, resource_id=resource.id).delete()[0]


def notify(
    users: Iterable[int], *, kind: str, category: Category, subject: str, message: str, sender: str,
    now: datetime.datetime, resource: Resource | None = None,
) -> int:  # fmt: skip
    """Tell users something; those who switched the category off hear nothing. How many heard it."""
    told = [user for user in User.objects.filter(id__in=set(users), is_active=True) if _wants(user, category)]
    Notification.objects.bulk_create(
        Notification(
            user=user, kind=kind, category=category, subject=subject[:255], message=message, sender=sender, sent_at=now,
            resource_type=resource.kind if resource else "", resource_id=resource.id if resource else None,
        )
        for user in told
    )  # fmt: skip
    for user in told:
        if user.notifications_by_email and user.email:
            post(to=user.email, subject=subject, body=_body(message, "You find this in your in-tray."), now=now)
    return len(told)


def audience(privilege: Privilege, agency: int) -> list[User]:
    """The active users who hold the privilege over the agency's things."""
    holders = User.objects.filter(is_active=True, held_roles__role__privileges__code=privilege).distinct()
    return [user for user in holders if _answers(user, privilege, agency)]


def _answers(user: User, privilege: Privilege, agency: int) -> bool:
    return any(
        grant.privilege == privilege and (grant.scope == Scope.ALL or grant.agency == agency)
        for grant in grants_of(user)
    )


def _wants(user: User, category: Category) -> bool:
    return user.notify_on_warnings if category == Category.WARNING else user.notify_on_general


def _body(message: str, closing: str) -> str:
    return f"{message}\n\n{closing}\n"

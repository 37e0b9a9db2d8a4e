"""Sends tasks and notifications, within the transaction of the action that causes them.

A task goes to everybody who holds its privilege in its agency; a notification to one user, unless the user switched
its category off. Either is copied to e-mail for those who asked for that.
"""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings

from opilio.people import gathering
from opilio.people.actor import Actor
from opilio.people.grants import grants_of
from opilio.people.mail import post
from opilio.people.models import Notification, Task, User
from opilio.people.models.intray import Category
from opilio.people.privileges import Privilege, Scope
from opilio.people.remembering import keep, kept, taken
from opilio.people.row_pages import path_of
from opilio.people.webhooks import News, announce

__all__ = ["Category", "Resource", "audience", "close_tasks", "notify", "send_task", "waits"]


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
    announce("task.created", agency=agency, now=now, news=lambda: _news(task))
    for user in audience(privilege, agency):
        if user.tasks_by_email and user.email:
            post(to=user.email, subject=subject, body=_body(message, resource, "Tasks wait in your in-tray."), now=now)
    return task


def waits(*, kind: str, resource: Resource) -> bool:
    """Whether such a task about a row waits already."""
    return Task.objects.filter(kind=kind, resource_type=resource.kind, resource_id=resource.id).exists()


def close_tasks(*, kind: str, resource: Resource) -> int:
    """Remove the tasks about a row, done by whatever way it was done."""
    if taken(("no task", kind, resource.kind, resource.id)):
        return 0
    return Task.objects.filter(kind=kind, resource_type=resource.kind, resource_id=resource.id).delete()[0]


def close_tasks_about(*, kind: str, resource: str, ids: Sequence[int]) -> int:
    """Remove the tasks about rows that are gone; how many."""
    return Task.objects.filter(kind=kind, resource_type=resource, resource_id__in=ids).delete()[0]


def notify(
    users: Iterable[int], *, kind: str, category: Category, subject: str, message: str, sender: str,
    now: datetime.datetime, resource: Resource | None = None,
) -> int:  # fmt: skip
    """Tell users something; those who switched the category off hear nothing. How many heard it."""
    told = [user for user in _active(frozenset(users)) if _wants(user, category)]
    with gathering.together():
        for user in told:
            gathering.add(
                Notification(
                    user=user, kind=kind, category=category, subject=subject[:255], message=message, sender=sender,
                    sent_at=now, resource_type=resource.kind if resource else "",
                    resource_id=resource.id if resource else None,
                )
            )  # fmt: skip
    for user in told:
        if user.notifications_by_email and user.email:
            post(
                to=user.email, subject=subject, body=_body(message, resource, "You find this in your in-tray."), now=now
            )
    return len(told)


def audience(privilege: Privilege, agency: int) -> list[User]:
    """The active users who hold the privilege over the agency's things."""
    holders = User.objects.filter(is_active=True, held_roles__role__privileges__code=privilege).distinct()
    return [user for user in holders if _answers(user, privilege, agency)]


def holders(privilege: Privilege) -> list[int]:
    """The active users who hold the privilege anywhere, for what concerns the whole installation."""
    found = User.objects.filter(is_active=True, held_roles__role__privileges__code=privilege).distinct()
    return list(found.values_list("id", flat=True))


def told_lately(*, kind: str, subject: str, since: datetime.datetime) -> bool:
    """Whether somebody was told the same since then, so that what comes and goes is not told every minute."""
    return Notification.objects.filter(kind=kind, subject=subject[:255], sent_at__gte=since).exists()


def _active(users: frozenset[int]) -> list[User]:
    foreseen: list[User] | None = kept(("active users", users))
    return list(User.objects.filter(id__in=users, is_active=True)) if foreseen is None else foreseen


def keep_active(users: Iterable[int]) -> None:
    """Ask for users together who will be told one by one."""
    found = {user.pk: user for user in User.objects.filter(id__in=set(users), is_active=True)}
    keep({("active users", frozenset([user])): [found[user]] if user in found else [] for user in users})


def keep_waiting(*, kind: str, resource: str, ids: Sequence[int]) -> None:
    """Ask for the tasks about rows together, so that none is looked for where none is; the rows must be locked."""
    found = Task.objects.filter(kind=kind, resource_type=resource, resource_id__in=ids)
    there = set(found.order_by().values_list("resource_id", flat=True))
    keep({("no task", kind, resource, number): True for number in ids if number not in there})


def _answers(user: User, privilege: Privilege, agency: int) -> bool:
    return any(
        grant.privilege == privilege and (grant.scope == Scope.ALL or grant.agency == agency)
        for grant in grants_of(user)
    )


def _wants(user: User, category: Category) -> bool:
    return user.notify_on_warnings if category == Category.WARNING else user.notify_on_general


def _news(task: Task) -> News:
    data = {"kind": task.kind, "message": task.message[:4_000], "privilege": str(task.privilege)}
    if task.resource_id is not None:
        data |= {"resource": f"{task.resource_type} {task.resource_id}"}
    return News(kind="task", id=task.pk, name=task.subject, data=data)


def _body(message: str, resource: Resource | None, closing: str) -> str:
    """The text of an e-mail, with a way straight to what it is about."""
    path, base = path_of(resource.kind, resource.id) if resource else "", settings.OPILIO.server_public_url.rstrip("/")
    parts = (message, f"{base}{path}" if base and path else "", closing)
    return "\n\n".join(part for part in parts if part) + "\n"

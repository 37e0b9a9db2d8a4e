"""Tasks and notifications of the asker."""

from django.db.models import Q, QuerySet

from opilio.people.actor import Actor
from opilio.people.models import Notification, Task
from opilio.people.privileges import Privilege, Scope


def tasks(actor: Actor) -> QuerySet[Task]:
    """Tasks the asker has claimed, and unclaimed ones that one of the asker's privileges answers."""
    rows = Task.objects.select_related("agency", "claimed_by")
    if actor.is_system:
        return rows
    return rows.filter(Q(claimed_by_id=actor.user) | Q(_audience(actor), claimed_by=None))


def agency_tasks(actor: Actor) -> QuerySet[Task]:
    """All tasks, claimed by whomever, that the asker may delete."""
    rows = Task.objects.select_related("agency", "claimed_by")
    if actor.is_system or actor.grants.everywhere(Privilege.DELETE_TASK):
        return rows
    return rows.filter(agency_id__in=sorted(actor.grants.agencies(Privilege.DELETE_TASK)))


def notifications(actor: Actor) -> QuerySet[Notification]:
    """The asker's notifications, newest first."""
    return Notification.objects.filter(user_id=actor.own)


def waiting(actor: Actor) -> int:
    """How many tasks and unread notifications wait for the asker."""
    unread = notifications(actor).filter(read_at=None).order_by().values_list("id")
    return tasks(actor).order_by().values_list("id").union(unread, all=True).count()


def _audience(actor: Actor) -> Q:
    """A task is addressed to a privilege in an agency: any grant that reaches the agency's things answers it."""
    everywhere = sorted({grant.privilege.value for grant in actor.grants if grant.scope == Scope.ALL})
    by_agency: dict[int, list[str]] = {}
    for grant in actor.grants:
        if grant.scope != Scope.ALL:
            by_agency.setdefault(grant.agency, []).append(grant.privilege.value)
    audience = Q(privilege__in=everywhere)
    for agency, privileges in by_agency.items():  # few: those in which somebody has a role
        audience |= Q(privilege__in=privileges, agency_id=agency)
    return audience

"""Authorisations, authorising agents and templates that the asker may see."""

from typing import Any

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from opilio.curation.models import (
    Authorisation,
    AuthorisationAgent,
    AuthorisingAgent,
    Permission,
    PermissionTemplate,
    TemplateKind,
    UrlPattern,
)
from opilio.curation.placeholders import PLACEHOLDERS
from opilio.curation.sight import READERS, seen
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one

__all__ = [
    "PLACEHOLDERS",
    "TEMPLATE_KINDS",
    "agent",
    "agents",
    "authorisation",
    "authorisations",
    "template",
    "templates",
]

TEMPLATE_KINDS: list[tuple[str, str]] = [(str(value), str(label)) for value, label in TemplateKind.choices]


def authorisations(actor: Actor) -> QuerySet[Authorisation]:
    """Authorisations of the agencies that the asker works for, with the number of their patterns and permissions."""
    rows: QuerySet[Authorisation] = Authorisation.objects.select_related("agency", "updated_by")
    return seen(rows, actor).annotate(
        pattern_count=_number(UrlPattern.objects.filter(authorisation=OuterRef("pk")), "authorisation"),
        permission_count=_number(Permission.objects.filter(authorisation=OuterRef("pk")), "authorisation"),
    )


def authorisation(actor: Actor, identifier: int) -> Authorisation:
    """One authorisation with its patterns and authorising agents, or `NotFound`."""
    links = AuthorisationAgent.objects.filter(agent__deleted=False).select_related("agent").order_by("agent__name")
    rows = authorisations(actor).prefetch_related(
        Prefetch("patterns", queryset=UrlPattern.objects.order_by("pattern", "id")),
        Prefetch("agent_links", queryset=links),
    )
    return one(rows, "authorisation", identifier)


def agents(actor: Actor) -> QuerySet[AuthorisingAgent]:
    """Authorising agents of the agencies that the asker works for, with the number of their permissions."""
    rows: QuerySet[AuthorisingAgent] = AuthorisingAgent.objects.select_related("agency", "updated_by")
    return seen(rows, actor).annotate(
        permission_count=_number(Permission.objects.filter(agent=OuterRef("pk")), "agent"),
    )


def agent(actor: Actor, identifier: int) -> AuthorisingAgent:
    """One authorising agent, or `NotFound`."""
    return one(agents(actor), "authorising agent", identifier)


def templates(actor: Actor) -> QuerySet[PermissionTemplate]:
    """Texts of permission requests of the agencies that the asker works for."""
    rows: QuerySet[PermissionTemplate] = PermissionTemplate.objects.select_related("agency", "updated_by")
    return seen(rows, actor, privileges=READERS | {Privilege.PERMISSION_REQUEST_TEMPLATE})


def template(actor: Actor, identifier: int) -> PermissionTemplate:
    """One template, or `NotFound`."""
    return one(templates(actor), "template", identifier)


def _number(rows: QuerySet[Any], by: str) -> Coalesce:
    return Coalesce(Subquery(rows.order_by().values(by).annotate(number=Count("pk")).values("number")), 0)

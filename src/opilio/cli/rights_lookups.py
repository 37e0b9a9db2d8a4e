"""Finds authorisations, permissions, authorising agents and templates by what an operator types."""

from typing import TYPE_CHECKING, Any

from opilio.curation.queries import permissions, rights
from opilio.people.actor import Actor
from opilio.people.errors import NotFound

if TYPE_CHECKING:
    from opilio.curation.models import Authorisation, AuthorisingAgent, Permission, PermissionTemplate


def authorisation_named(actor: Actor, name: str) -> "Authorisation":
    """The authorisation with this title, or this identifier."""
    return rights.authorisation(actor, _number(rights.authorisations(actor), "title", name, "authorisation"))


def agent_named(actor: Actor, name: str) -> "AuthorisingAgent":
    """The authorising agent with this name, or this identifier."""
    return rights.agent(actor, _number(rights.agents(actor), "name", name, "authorising agent"))


def template_named(actor: Actor, name: str) -> "PermissionTemplate":
    """The template with this name, or this identifier."""
    return rights.template(actor, _number(rights.templates(actor), "name", name, "template"))


def permission_numbered(actor: Actor, name: str) -> "Permission":
    """The permission with this identifier, or the quick pick with this name."""
    return permissions.permission(actor, _number(permissions.permissions(actor), "display_name", name, "permission"))


def _number(rows: Any, column: str, text: str, label: str) -> int:
    """The identifier of the row; a name that several rows have must be replaced by an identifier."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    found = list(rows.filter(**{f"{column}__iexact": text}).values_list("id", flat=True)[:2])
    if len(found) == 1:
        return int(found[0])
    what = "There are several" if found else "There is no"
    raise NotFound(f"{what} {label} {text[:150]!r}", remedy="Give its identifier; `list` shows them.")

"""Finds agencies, roles and users by the names that an operator types."""

from typing import Any

from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.queries import people


def agency_named(actor: Actor, name: str) -> Any:
    """The agency with this name, or this identifier."""
    rows = people.agencies(actor)
    found = rows.filter(name__iexact=name).first() or (rows.filter(id=int(name)).first() if _number(name) else None)
    if found is None:
        raise _missing("agency", name, "`opilio agency list` names them all.")
    return found


def user_named(actor: Actor, name: str) -> Any:
    """The user with this user name, or this identifier."""
    rows = people.users(actor)
    found = rows.filter(username__iexact=name).first() or (rows.filter(id=int(name)).first() if _number(name) else None)
    if found is None:
        raise _missing("user", name, "`opilio user list` names them all; deleted ones are restored on the pages.")
    return found


def role_named(actor: Actor, name: str, home: Any) -> Any:
    """The role `NAME` of the home agency, or `NAME@AGENCY` of another, or a role's identifier."""
    rows = people.roles(actor)
    if _number(name):
        found = rows.filter(id=int(name)).first()
    else:
        role, at, agency = name.rpartition("@")
        owner = agency_named(actor, agency) if at else home
        found = rows.filter(name__iexact=role if at else name, agency_id=owner.id).first()
    if found is None:
        raise _missing("role", name, "`opilio role list` names them all; write NAME@AGENCY for another agency's.")
    return found


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _missing(kind: str, name: str, remedy: str) -> NotFound:
    return NotFound(f"There is no {kind} {name[:150]!r}", where=f"--{kind}" if kind != "user" else "", remedy=remedy)

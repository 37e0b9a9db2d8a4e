"""Roles with their privileges: list, show, make, change, delete; and the list of all privileges."""

import datetime
from enum import StrEnum

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line, Named, Paragraph, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actions import roles as actions
from opilio.people.actor import Actor
from opilio.people.kinds import ROLE
from opilio.people.privilege_list import PRIVILEGES
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries import people

router = Router(tags=["roles"])
privileges_router = Router(tags=["roles"])
_ORDER = Order(name="roles", column="name")
_READERS = (Privilege.MANAGE_ROLES, Privilege.MANAGE_USERS, Privilege.GRANT_CROSS_AGENCY_USER_ADMIN)


class ScopeName(StrEnum):
    """How far a privilege reaches."""

    ALL = "all"
    AGENCY = "agency"
    OWNER = "owner"
    NONE = "none"


class RoleAnswer(Answer):
    """A role in a list."""

    id: Id
    name: str
    description: str
    agency: Named
    holder_count: int = Field(description="How many users hold it.")
    privilege_count: int
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class RoleWithPrivileges(RoleAnswer):
    """A role with what it allows."""

    privileges: dict[str, str] = Field(description="Scope by privilege.", examples=[{"MANAGE_USERS": "agency"}])


class RoleFilters(Schema):
    """Which roles are listed."""

    q: Line = Field("", description="Part of the name.")
    agency: Identifier | None = Field(None, description="Agency of the role.")


class RoleNew(Body):
    """A role to be made."""

    agency: Identifier
    name: str = Field(min_length=1, max_length=100, examples=["Curator"])
    description: Paragraph = ""
    privileges: dict[Privilege, ScopeName] = Field({}, examples=[{"CREATE_TARGET": "owner"}])


class RoleChange(Body):
    """Fields to change; `privileges` is the whole set."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: str | None = Field(None, max_length=100)
    description: Paragraph | None = None
    privileges: dict[Privilege, ScopeName] | None = None


class PrivilegeAnswer(Answer):
    """A privilege with its words."""

    privilege: str
    group: str
    sentence: str
    scopes: list[ScopeName] = Field(description="The scopes that a role may choose.")


@privileges_router.get("", response=list[PrivilegeAnswer])
def list_privileges(request: ApiRequest) -> list[PrivilegeAnswer]:
    """List all privileges, each with a sentence and the scopes that a role may choose."""
    return [
        PrivilegeAnswer(
            privilege=one.privilege.value,
            group=one.group,
            sentence=one.sentence,
            scopes=[ScopeName(scope.name.lower()) for scope in one.scopes],
        )
        for one in PRIVILEGES
    ]


@router.get("", response=Page[RoleAnswer])
def list_roles(request: ApiRequest, filters: Query[RoleFilters], paging: Query[Paging]) -> Page[RoleAnswer]:
    """List the roles that you manage or may give to users, by name.

    Needs MANAGE_ROLES, MANAGE_USERS or GRANT_CROSS_AGENCY_USER_ADMIN.
    """
    need(request.auth, "see roles", *_READERS)
    rows = people.roles(request.auth)
    if filters.q:
        rows = rows.filter(name__icontains=filters.q)
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    return page(rows, _ORDER, paging, RoleAnswer)


@router.post("", response={201: RoleWithPrivileges})
def create_role(request: ApiRequest, response: HttpResponse, body: RoleNew) -> RoleWithPrivileges:
    """Make a role.

    Needs MANAGE_ROLES in its agency; a privilege over everything needs the same.
    """
    need(request.auth, "make roles", Privilege.MANAGE_ROLES)
    role = actions.create_role(
        request.auth, agency_id=body.agency, name=body.name, description=body.description,
        privileges=_numbers(body.privileges),
    )  # fmt: skip
    return _shown(request.auth, role.id, response)


@router.get("/{role_id}", response=RoleWithPrivileges)
def show_role(request: ApiRequest, response: HttpResponse, role_id: Identifier) -> RoleWithPrivileges:
    """Show a role with its privileges.

    Needs MANAGE_ROLES, MANAGE_USERS or GRANT_CROSS_AGENCY_USER_ADMIN in its agency.
    """
    return _shown(request.auth, role_id, response)


@router.patch("/{role_id}", response=RoleWithPrivileges)
def change_role(
    request: ApiRequest, response: HttpResponse, role_id: Identifier, body: RoleChange
) -> RoleWithPrivileges:
    """Change the name, description or privileges of a role.

    Needs MANAGE_ROLES in its agency; a privilege over everything needs the same.
    """
    need(request.auth, "change roles", Privilege.MANAGE_ROLES)
    row = people.role(request.auth, role_id)
    actions.update_role(
        request.auth, role_id=role_id, version=base_version(request, body.version),
        name=row.name if body.name is None else body.name,
        description=row.description if body.description is None else body.description,
        privileges=people.privileges_of(role_id) if body.privileges is None else _numbers(body.privileges),
    )  # fmt: skip
    return _shown(request.auth, role_id, response)


@router.delete("/{role_id}", response={204: None})
def delete_role(request: ApiRequest, role_id: Identifier) -> None:
    """Delete a role so that it can be restored; its holders lose what it allows.

    Needs MANAGE_ROLES in its agency.
    """
    delete(request.auth, ROLE, role_id, matched_version(request))


def _numbers(chosen: dict[Privilege, ScopeName]) -> dict[str, int]:
    return {privilege.value: Scope[scope.name].value for privilege, scope in chosen.items()}


def _shown(actor: Actor, role_id: int, response: HttpResponse) -> RoleWithPrivileges:
    need(actor, "see roles", *_READERS)
    row = people.role(actor, role_id)
    tag(response, row.version)
    held = people.privileges_of(role_id)
    return RoleWithPrivileges(
        **RoleAnswer.from_orm(row).model_dump(),
        privileges={code: Scope(number).name.lower() for code, number in sorted(held.items())},
    )

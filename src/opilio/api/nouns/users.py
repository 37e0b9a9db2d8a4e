"""Users: list, show, make, change, activate, deactivate, give roles, set passwords, delete."""

import datetime

from django.conf import settings
from django.db.models import Q
from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Paragraph, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actions import users as actions
from opilio.people.actions.account import reset_password
from opilio.people.actor import Actor
from opilio.people.kinds import USER
from opilio.people.passwords import LONGEST, Policy
from opilio.people.privileges import Privilege
from opilio.people.queries import people

router = Router(tags=["users"])
_ORDER = Order(name="users", column="username")
_WHAT = "manage users"


class Details(Answer):
    """What is known of a user."""

    first_name: str
    last_name: str
    title: str = Field(description="A value of the list user-title, or empty.")
    email: str
    phone: str
    address: str
    time_zone: str = Field(description="IANA name; empty means the agency's.")


class Switches(Answer):
    """What a user wants to be told."""

    tasks_by_email: bool
    notifications_by_email: bool
    notify_on_general: bool
    notify_on_warnings: bool


class HeldRole(Answer):
    """A role that a user holds."""

    id: Id
    name: str
    agency: Named


class UserAnswer(Details, Switches):
    """A user."""

    id: Id
    username: str
    agency: Named = Field(description="Home agency.")
    roles: list[HeldRole]
    is_active: bool
    deactivated_at: datetime.datetime | None
    force_password_change: bool
    external_auth: bool
    last_login: datetime.datetime | None
    created: datetime.datetime
    updated: datetime.datetime
    version: int

    @staticmethod
    def resolve_roles(row: object) -> list[object]:
        """The roles themselves, of those that are not deleted."""
        held = getattr(row, "held_roles").all()  # noqa: B009 - a row of people, whose class is not imported here
        return [one.role for one in held if not one.role.deleted]


class UserFilters(Schema):
    """Which users are listed."""

    q: Line = Field("", description="Part of the user name, a name or the e-mail address.")
    agency: Identifier | None = Field(None, description="Home agency.")
    active: bool | None = Field(None, description="Only those who may sign in, or only those who may not.")


class UserFields(Body):
    """Details and switches; those left out stay as they are, or at their defaults."""

    first_name: Line | None = None
    last_name: Line | None = None
    title: Line | None = None
    email: Line | None = None
    phone: Line | None = None
    address: Paragraph | None = None
    time_zone: Line | None = None
    tasks_by_email: Flag | None = None
    notifications_by_email: Flag | None = None
    notify_on_general: Flag | None = None
    notify_on_warnings: Flag | None = None
    external_auth: Flag | None = None
    force_password_change: Flag | None = None


class UserNew(UserFields):
    """A user to be made."""

    username: str = Field(min_length=1, max_length=150, examples=["curator"])
    agency: Identifier
    password: str | None = Field(None, max_length=LONGEST, description="Without one, only external sign-in works.")
    roles: list[Identifier] = Field([], max_length=100)


class UserChange(UserFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    agency: Identifier | None = Field(None, description="New home agency.")


class RolesChoice(Body):
    """The whole set of roles that a user is to hold."""

    roles: list[Identifier] = Field(max_length=100)


class NewPassword(Body):
    """A password that somebody else chose."""

    new: str = Field(max_length=LONGEST)
    force_change: Flag = Field(True, description="Whether the user must choose another at the next sign-in.")


def policy() -> Policy:
    """What the installation asks of passwords."""
    return Policy(min_length=settings.OPILIO.password_min_length, history=settings.OPILIO.password_history)


@router.get("", response=Page[UserAnswer])
def list_users(request: ApiRequest, filters: Query[UserFilters], paging: Query[Paging]) -> Page[UserAnswer]:
    """List the users that you manage, by user name.

    Needs MANAGE_USERS.
    """
    need(request.auth, _WHAT, Privilege.MANAGE_USERS)
    rows = people.users(request.auth)
    if filters.q:
        text = filters.q
        rows = rows.filter(
            Q(username__icontains=text) | Q(first_name__icontains=text)
            | Q(last_name__icontains=text) | Q(email__icontains=text)
        )  # fmt: skip
    if filters.agency is not None:
        rows = rows.filter(agency_id=filters.agency)
    if filters.active is not None:
        rows = rows.filter(is_active=filters.active)
    return page(rows, _ORDER, paging, UserAnswer)


@router.post("", response={201: UserAnswer})
def create_user(request: ApiRequest, response: HttpResponse, body: UserNew) -> UserAnswer:
    """Make a user.

    Needs MANAGE_USERS in the user's agency.
    """
    need(request.auth, _WHAT, Privilege.MANAGE_USERS)
    user = actions.create_user(
        request.auth, username=body.username, agency_id=body.agency, password=body.password, policy=policy(),
        roles=body.roles, **body.changes("username", "agency", "password", "roles"),
    )  # fmt: skip
    return _shown(request.auth, user.id, response)


@router.get("/{user_id}", response=UserAnswer)
def show_user(request: ApiRequest, response: HttpResponse, user_id: Identifier) -> UserAnswer:
    """Show a user.

    Needs MANAGE_USERS in the user's agency.
    """
    return _shown(request.auth, user_id, response)


@router.patch("/{user_id}", response=UserAnswer)
def change_user(request: ApiRequest, response: HttpResponse, user_id: Identifier, body: UserChange) -> UserAnswer:
    """Change details of a user.

    Needs MANAGE_USERS in the user's agency; to move the user, in the new agency too.
    """
    _seen(request.auth, user_id)
    actions.update_user(
        request.auth, user_id=user_id, version=base_version(request, body.version), agency_id=body.agency,
        **body.changes("agency"),
    )  # fmt: skip
    return _shown(request.auth, user_id, response)


@router.delete("/{user_id}", response={204: None})
def delete_user(request: ApiRequest, user_id: Identifier) -> None:
    """Delete a user so that it can be restored.

    Needs MANAGE_USERS in the user's agency.
    """
    delete(request.auth, USER, user_id, matched_version(request))


@router.post("/{user_id}/activate", response=UserAnswer)
def activate_user(request: ApiRequest, response: HttpResponse, user_id: Identifier) -> UserAnswer:
    """Let a deactivated user sign in again.

    Needs MANAGE_USERS in the user's agency.
    """
    _seen(request.auth, user_id)
    actions.activate_user(request.auth, user_id=user_id)
    return _shown(request.auth, user_id, response)


@router.post("/{user_id}/deactivate", response=UserAnswer)
def deactivate_user(request: ApiRequest, response: HttpResponse, user_id: Identifier) -> UserAnswer:
    """Bar a user from signing in, and end all sessions of the user.

    Needs MANAGE_USERS in the user's agency.
    """
    _seen(request.auth, user_id)
    actions.deactivate_user(request.auth, user_id=user_id)
    return _shown(request.auth, user_id, response)


@router.put("/{user_id}/roles", response=UserAnswer)
def set_user_roles(request: ApiRequest, response: HttpResponse, user_id: Identifier, body: RolesChoice) -> UserAnswer:
    """Give a user these roles and take all others away.

    Needs MANAGE_USERS in the user's agency; for roles of other agencies GRANT_CROSS_AGENCY_USER_ADMIN there.
    """
    _seen(request.auth, user_id)
    actions.set_roles(request.auth, user_id=user_id, roles=body.roles)
    return _shown(request.auth, user_id, response)


@router.post("/{user_id}/password", response=UserAnswer)
def set_user_password(
    request: ApiRequest, response: HttpResponse, user_id: Identifier, body: NewPassword
) -> UserAnswer:
    """Give a user a new password, and end all sessions of the user.

    Needs MANAGE_USERS in the user's agency.
    """
    _seen(request.auth, user_id)
    reset_password(request.auth, user_id=user_id, new=body.new, policy=policy(), force_change=body.force_change)
    return _shown(request.auth, user_id, response)


def _seen(actor: Actor, user_id: int) -> None:
    need(actor, _WHAT, Privilege.MANAGE_USERS)
    people.user(actor, user_id)


def _shown(actor: Actor, user_id: int, response: HttpResponse) -> UserAnswer:
    need(actor, _WHAT, Privilege.MANAGE_USERS)
    row = people.user(actor, user_id)
    tag(response, row.version)
    return UserAnswer.from_orm(row)

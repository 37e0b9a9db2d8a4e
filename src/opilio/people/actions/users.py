"""Make and change users, their roles, and whether they may sign in."""

import re
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.hashers import make_password

from opilio.people import constrained, zones
from opilio.people.acting import Act, action
from opilio.people.actions.sessions import end_sessions
from opilio.people.errors import InvalidFields, Stale
from opilio.people.kinds import AGENCY, USER
from opilio.people.models import Agency, Role, RolePrivilege, User, UserRole
from opilio.people.models.signin import Ended
from opilio.people.passwords import Policy, faults, refuse
from opilio.people.privileges import Privilege, Scope, Subject

FIELDS = (
    "first_name", "last_name", "title", "email", "phone", "address", "external_auth", "tasks_by_email",
    "notifications_by_email", "notify_on_general", "notify_on_warnings", "time_zone", "force_password_change",
)  # fmt: skip
_USERNAME = re.compile(r"[\w.@+-]{1,150}")


@action("user.create", "Make a user.", privilege=Privilege.MANAGE_USERS)
def create_user(
    act: Act,
    /,
    *,
    username: str,
    agency_id: int,
    password: str | None,
    policy: Policy,
    roles: Sequence[int] = (),
    **fields: Any,
) -> User:
    """A user with a home agency and roles; without a password only external authentication lets them in."""
    act.require(Privilege.MANAGE_USERS, Subject(agency=agency_id), "make users in this agency")
    agency: Agency = act.fetch(AGENCY, agency_id)
    username = _usable(username)
    zones.check(str(fields.get("time_zone", "")))
    constrained.check("user-title", "title", str(fields.get("title", "")))
    if password is not None:
        refuse(faults(password, policy=policy, account_words=[username, str(fields.get("email", ""))]))
    user = User(username=username, agency=agency, dirty=True, **_known(fields))
    user.password = make_password(password)
    act.insert(user)
    _give_roles(act, user, roles)
    return user


@action("user.update", "Change the details of a user.", privilege=Privilege.MANAGE_USERS)
def update_user(act: Act, /, *, user_id: int, version: int, agency_id: int | None = None, **fields: Any) -> User:
    """Save details and switches; moving the user to another agency needs the privilege there too."""
    user: User = act.fetch(USER, user_id)
    act.require(Privilege.MANAGE_USERS, USER.subject(user), f"change the user {user.username}")
    zones.check(str(fields.get("time_zone", "")))
    constrained.check("user-title", "title", str(fields.get("title", "")), kept=user.title)
    changes = _known(fields)
    if agency_id is not None and agency_id != user.agency_id:
        act.require(Privilege.MANAGE_USERS, Subject(agency=agency_id), "move users to that agency")
        changes["agency"] = act.fetch(AGENCY, agency_id)
    act.update(user, changes, version=version)
    return user


@action("user.set_roles", "Give a user roles and take them away.", privilege=Privilege.MANAGE_USERS)
def set_roles(act: Act, /, *, user_id: int, roles: Sequence[int], version: int | None = None) -> User:
    """The whole set of roles that the user is to hold; one that was chosen over an older version is refused."""
    user: User = act.fetch(USER, user_id)
    act.require(Privilege.MANAGE_USERS, USER.subject(user), f"change the roles of {user.username}")
    if version is not None and version != user.version:
        held = {row.role_id: row.role for row in UserRole.objects.filter(user=user).select_related("role")}
        wanted = {role.id: role for role in Role.objects.filter(id__in=roles)}
        raise Stale(
            USER.label,
            str(user),
            mine={"roles": _names(wanted, set(wanted))},
            theirs={"roles": _names(held, set(held))},
            by=str(user.updated_by or ""),
        )
    _give_roles(act, user, roles)
    return user


@action("user.deactivate", "Bar a user from signing in.", privilege=Privilege.MANAGE_USERS)
def deactivate_user(act: Act, /, *, user_id: int) -> User:
    """Ends all sign-in sessions at once; the user's tasks go back to the others."""
    user: User = act.fetch(USER, user_id)
    act.require(Privilege.MANAGE_USERS, USER.subject(user), f"deactivate {user.username}")
    act.require_that(user.id != act.actor.user, "deactivate themselves", "Ask another administrator.")
    if user.is_active:
        act.update(user, {"is_active": False, "deactivated_at": act.clock.now()})
        end_sessions(user.id, act.clock.now(), Ended.BARRED)
        user.claimed_tasks.update(claimed_by=None, claimed_at=None)
    return user


@action("user.activate", "Let a deactivated user sign in again.", privilege=Privilege.MANAGE_USERS)
def activate_user(act: Act, /, *, user_id: int) -> User:
    """The roles are as they were."""
    user: User = act.fetch(USER, user_id)
    act.require(Privilege.MANAGE_USERS, USER.subject(user), f"activate {user.username}")
    act.update(user, {"is_active": True, "deactivated_at": None})
    return user


def _usable(username: str) -> str:
    username = username.strip()
    if not _USERNAME.fullmatch(username):
        raise InvalidFields({"username": ["Use 1 to 150 letters, digits and @ . + - _ only."]})
    if User.everything.filter(username__iexact=username).exists():
        raise InvalidFields({"username": [f"There is, or was, a user {username} already; choose another name."]})
    return username


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.strip() if isinstance(value, str) else value for name, value in fields.items() if name in FIELDS
    }


def _give_roles(act: Act, user: User, wanted: Sequence[int]) -> None:
    held = set(UserRole.objects.filter(user=user).values_list("role_id", flat=True))
    changed = held ^ set(wanted)
    roles = {role.id: role for role in Role.objects.filter(id__in=changed)}
    for role_id in sorted(changed):
        role = roles.get(role_id)
        if role is None and role_id in held:
            continue  # of a deleted role nothing is left to take away
        if role is None:
            raise InvalidFields({"roles": [f"There is no role {role_id}."]}, where=act.name)
        _may_give(act, user, role)
    if not changed:
        return
    UserRole.objects.filter(user=user, role_id__in=held - set(wanted)).delete()
    UserRole.objects.bulk_create(UserRole(user=user, role_id=role_id) for role_id in sorted(set(wanted) - held))
    act.touch(user, [])
    User.everything.filter(id=user.id).update(dirty=True)
    user.dirty = True
    act.record(
        user, message="Changed the roles.",
        before={"roles": _names(roles, held & changed)}, after={"roles": _names(roles, set(wanted) & changed)},
    )  # fmt: skip


def _may_give(act: Act, user: User, role: Role) -> None:
    """A role of the home agency goes with managing its users; one of another agency needs that agency's word."""
    privilege = Privilege.MANAGE_USERS if role.agency_id == user.agency_id else Privilege.GRANT_CROSS_AGENCY_USER_ADMIN
    act.require(privilege, Subject(agency=role.agency_id), f"give or take the role {role.name}")
    everywhere = RolePrivilege.objects.filter(role=role, scope=Scope.ALL).values_list("code", flat=True)
    for code in everywhere:
        holds = act.actor.is_system or act.actor.grants.everywhere(Privilege(code))
        act.require_that(
            holds, f"give or take the role {role.name}", f"It gives {code} over everything, which you lack."
        )


def _names(roles: dict[int, Role], ids: set[int]) -> list[str]:
    return sorted(roles[i].name for i in ids if i in roles)

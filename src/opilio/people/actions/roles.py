"""Make and change roles. Nobody hands out more than they hold: a privilege over everything needs the same."""

from collections.abc import Mapping

from opilio.people import grants
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.kinds import AGENCY, ROLE
from opilio.people.models import Agency, Role, RolePrivilege
from opilio.people.privilege_list import BY_PRIVILEGE
from opilio.people.privileges import Privilege, Scope, Subject

Chosen = Mapping[str, int]  # privilege code → scope


@action("role.create", "Make a role in an agency.", privilege=Privilege.MANAGE_ROLES)
def create_role(act: Act, /, *, agency_id: int, name: str, description: str = "", privileges: Chosen) -> Role:
    """A role with its privileges."""
    act.require(Privilege.MANAGE_ROLES, Subject(agency=agency_id), "make roles in this agency")
    agency: Agency = act.fetch(AGENCY, agency_id)
    chosen = _checked(act, privileges)
    role = act.insert(Role(name=name.strip(), description=description, agency=agency))
    _replace(act, role, {}, chosen)
    return role


@action("role.update", "Change the name, description or privileges of a role.", privilege=Privilege.MANAGE_ROLES)
def update_role(
    act: Act, /, *, role_id: int, version: int, name: str, description: str = "", privileges: Chosen
) -> Role:
    """Save name, description and the whole set of privileges; holders have their grants derived anew."""
    role: Role = act.fetch(ROLE, role_id)
    act.require(Privilege.MANAGE_ROLES, ROLE.subject(role), f"change the role {role.name}")
    before = dict(RolePrivilege.objects.filter(role=role).values_list("code", "scope"))
    chosen = _checked(act, privileges, held=before)
    changed = act.update(role, {"name": name.strip(), "description": description}, version=version)
    if _replace(act, role, before, chosen) and not changed:
        act.touch(role, [])
    grants.mark_holders(role.id)
    return role


def _checked(act: Act, privileges: Chosen, held: Chosen | None = None) -> dict[Privilege, Scope]:
    faults: list[str] = []
    chosen: dict[Privilege, Scope] = {}
    for code, number in privileges.items():
        if code not in Privilege.__members__ or number not in [scope.value for scope in Scope]:
            faults.append(f"There is no privilege {code[:64]} with scope {number}.")
            continue
        privilege, scope = Privilege(code), Scope(number)
        if scope not in BY_PRIVILEGE[privilege].scopes:
            faults.append(f"{privilege} cannot have the scope {scope.name.lower()}.")
        elif (held or {}).get(code) != number:
            _within_reach(act, privilege, scope)
        chosen[privilege] = scope
    if faults:
        raise InvalidFields({"privileges": faults}, where=act.name)
    return chosen


def _within_reach(act: Act, privilege: Privilege, scope: Scope) -> None:
    holds = act.actor.is_system or scope != Scope.ALL or act.actor.grants.everywhere(privilege)
    act.require_that(
        holds,
        f"give away {privilege} over everything",
        "Only who holds it over everything may; choose the scope agency.",
    )


def _replace(act: Act, role: Role, before: Mapping[str, int], chosen: Mapping[Privilege, Scope]) -> bool:
    after = {privilege.value: scope.value for privilege, scope in chosen.items()}
    if after == dict(before):
        return False
    RolePrivilege.objects.filter(role=role).delete()
    RolePrivilege.objects.bulk_create(
        RolePrivilege(role=role, code=code, scope=scope) for code, scope in sorted(after.items())
    )
    lost = {code: scope for code, scope in before.items() if after.get(code) != scope}
    won = {code: scope for code, scope in after.items() if before.get(code) != scope}
    act.record(role, message="Changed the privileges.", before={"privileges": lost}, after={"privileges": won})
    return True

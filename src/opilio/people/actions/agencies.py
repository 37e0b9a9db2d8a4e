"""Make and change agencies."""

from typing import Any

from opilio.people import grants, zones
from opilio.people.acting import Act, action
from opilio.people.kinds import AGENCY
from opilio.people.models import Agency, Role, RolePrivilege
from opilio.people.privileges import Privilege, Subject
from opilio.people.ready_roles import READY_ROLES

FIELDS = ("name", "address", "logo_url", "url", "email", "fax", "phone", "time_zone")


@action("agency.create", "Make an agency, with the ready roles.", privilege=Privilege.MANAGE_AGENCIES)
def create_agency(act: Act, /, *, name: str, with_roles: bool = True, **fields: str) -> Agency:
    """A new agency belongs to nobody yet: only a grant over everything reaches it."""
    act.require(Privilege.MANAGE_AGENCIES, Subject(agency=-1), "make agencies")
    zones.check(fields.get("time_zone", ""))
    agency = act.insert(Agency(name=name.strip(), **_known(fields)))
    if with_roles:
        for ready in READY_ROLES:
            role = act.insert(Role(name=ready.name, description=ready.description, agency=agency))
            RolePrivilege.objects.bulk_create(
                RolePrivilege(role=role, code=code, scope=scope) for code, scope in ready.privileges.items()
            )
    return agency


@action("agency.update", "Change the details of an agency.", privilege=Privilege.MANAGE_AGENCIES)
def update_agency(act: Act, /, *, agency_id: int, version: int, **fields: str) -> Agency:
    """Save what a form or API body says; a save of an older version is refused with both versions."""
    agency: Agency = act.fetch(AGENCY, agency_id)
    act.require(Privilege.MANAGE_AGENCIES, AGENCY.subject(agency), f"change the agency {agency.name}")
    zones.check(fields.get("time_zone", ""))
    if act.update(agency, _known(fields), version=version):
        grants.mark_agency(agency.id)
    return agency


def _known(fields: dict[str, str]) -> dict[str, Any]:
    return {name: value.strip() for name, value in fields.items() if name in FIELDS}

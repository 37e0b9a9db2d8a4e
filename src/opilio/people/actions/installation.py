"""Prepare an installation: the first agency and administrator, the contents of lists."""

from opilio.people.acting import Act, action
from opilio.people.actions.agencies import create_agency
from opilio.people.actions.users import create_user
from opilio.people.list_names import LISTS
from opilio.people.models import Agency, ListEntry, Role, RolePrivilege, User
from opilio.people.passwords import Policy
from opilio.people.privilege_list import PRIVILEGES
from opilio.people.privileges import SYSTEM_WIDE, Privilege

SYSTEM_ROLE = "System administrator"


@action("installation.prepare", "Fill lists that were never filled.", privilege=Privilege.CONFIGURE_PARAMETERS)
def prepare(act: Act) -> int:
    """How many entries were added; a list that has, or had, an entry is left as it is."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "prepare the installation")
    added = 0
    for one in LISTS:
        if ListEntry.everything.filter(list_name=one.name).exists():
            continue
        for position, value in enumerate(one.starts_with):
            act.insert(ListEntry(list_name=one.name, value=value, label=value, position=position))
            added += 1
    return added


@action("installation.first_user", "Make the first agency and its system administrator.")
def create_first_user(
    act: Act, /, *, agency_name: str, username: str, password: str, policy: Policy, email: str = ""
) -> User:
    """Only the operator at the machine may, as nobody else could have allowed it."""
    act.require_that(act.actor.is_system, "make a system administrator", "Run `opilio user first` on the machine.")
    agency = Agency.objects.filter(name=agency_name).first() or create_agency(act.actor, name=agency_name)
    role = Role.objects.filter(agency=agency, name=SYSTEM_ROLE).first()
    if role is None:
        role = act.insert(Role(agency=agency, name=SYSTEM_ROLE, description="Every privilege, over everything."))
        RolePrivilege.objects.bulk_create(
            RolePrivilege(role=role, code=listed.privilege, scope=listed.scopes[0]) for listed in PRIVILEGES
        )
    return create_user(
        act.actor,
        username=username,
        agency_id=agency.id,
        password=password,
        policy=policy,
        roles=[role.id],
        email=email,
    )

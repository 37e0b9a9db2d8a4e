"""Sample agencies and people for the demo, made through the actions that pages use. Doing it twice adds nothing."""

import datetime
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio.cli import passwords
from opilio.cli.lookups import agency_named, role_named
from opilio.kernel.errors import Damaged
from opilio.kernel.files import SECRET, write_atomically
from opilio.kernel.settings import Settings
from opilio.people.actions.account import create_token, reset_password
from opilio.people.actions.agencies import create_agency
from opilio.people.actions.annotations import add_annotation
from opilio.people.actions.installation import create_first_user
from opilio.people.actions.intray import announce, create_task
from opilio.people.actions.roles import create_role
from opilio.people.actions.rows import delete_row
from opilio.people.actions.users import create_user
from opilio.people.actor import Actor, Via
from opilio.people.passwords import Policy
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries import intray, people, records
from opilio.people.queries.account import actor_for

ADMINISTRATOR = "administrator"
SIGN_INS = "demo-sign-ins.json"
LIBRARY, MUSEUM, ARCHIVE = "Harbour Library", "Harbour Museum", "Coast Archive"
_AGENCIES: dict[str, dict[str, Any]] = {
    LIBRARY: {"time_zone": "Europe/Paris", "email": "library@harbour.example", "url": "https://library.example/"},
    MUSEUM: {"time_zone": "Europe/Lisbon", "email": "museum@harbour.example", "url": "https://museum.example/"},
    ARCHIVE: {"time_zone": "UTC", "email": "archive@coast.example", "url": "https://archive.example/"},
}
#: User name, agency, role.
_USERS = (
    (ADMINISTRATOR, LIBRARY, "System administrator"),
    ("archivist", LIBRARY, "Archivist"),
    ("curator", LIBRARY, "Curator"),
    ("reviewer", LIBRARY, "Reviewer"),
    ("operator", LIBRARY, "Harvester operator"),
    ("wrangler", ARCHIVE, "Data wrangler"),
    ("reader", MUSEUM, "Reader"),
    ("museum-administrator", MUSEUM, "Administrator"),
    ("museum-curator", MUSEUM, "Curator"),
    ("archive-administrator", ARCHIVE, "Administrator"),
)
_TASKS = (
    ("Check the address of the library", Privilege.MANAGE_AGENCIES, LIBRARY),
    ("See whether every user still works here", Privilege.MANAGE_USERS, LIBRARY),
    ("Look through the roles of the museum", Privilege.MANAGE_ROLES, MUSEUM),
    ("Read the audit log of last week", Privilege.VIEW_AUDIT, ARCHIVE),
)
_TRACE = "Summer help"


@dataclass(frozen=True, kw_only=True)
class SignIn:
    """How somebody signs in to the demo."""

    username: str
    password: str
    agency: str
    role: str


def agencies(me: Actor) -> None:
    """Three agencies."""
    there = set(people.agencies(me).values_list("name", flat=True))
    for name, details in _AGENCIES.items():
        if name not in there:
            create_agency(me, name=name, **details)


def users(me: Actor, settings: Settings) -> list[SignIn]:
    """A user for each role, with passwords that a file of the demo's home remembers."""
    path, policy = settings.home / SIGN_INS, _policy(settings)
    known = _remembered(path)
    found = [_user(me, name, agency, role, known.get(name), policy) for name, agency, role in _USERS]
    kept = {one.username: one.password for one in found}
    if kept != known:
        write_atomically(path, json.dumps(kept, indent=1).encode(), mode=SECRET)
    return found


def messages(me: Actor) -> None:
    """Tasks for those who hold a privilege, and a notification for everybody."""
    if intray.tasks(me).exists():
        return
    for subject, privilege, agency in _TASKS:
        place = agency_named(me, agency)
        message = f"{subject}: open the page, look, and complete this task when you are done."
        create_task(me, subject=subject, message=message, privilege=privilege, agency_id=place.id)
    for agency in _AGENCIES:
        place = agency_named(me, agency)
        ids = list(people.users(me).filter(agency_id=place.id).values_list("id", flat=True))
        words = "This is the demo: look around, change what you like."
        announce(me, agency_id=place.id, users=ids, subject=f"Welcome to {agency}", message=words)


def traces(me: Actor) -> None:
    """Notes on agencies and users, and rows that were deleted and can be restored."""
    if any(kind.name == "role" and count for kind, count in records.deleted_counts(me)):
        return
    library = agency_named(me, LIBRARY)
    administrator = actor_named(me, ADMINISTRATOR)
    note = "Closed on the first Monday of each month."
    add_annotation(administrator, kind_name="agency", row_id=library.id, note=note, alertable=True)
    curator = people.users(me).get(username="curator")
    add_annotation(administrator, kind_name="user", row_id=curator.id, note="Looks after the collection on tides.")
    role = create_role(
        administrator, agency_id=library.id, name=_TRACE, privileges={Privilege.LOGIN.value: Scope.NONE.value}
    )
    delete_row(administrator, kind_name="role", row_id=role.id)


def _user(me: Actor, name: str, agency: str, role: str, password: str | None, policy: Policy) -> SignIn:
    user = people.users(me).filter(username=name).first()
    chosen = password or passwords.generated(policy)
    if user is None:
        _create(me, name, agency, role, chosen, policy)
    elif password is None:
        reset_password(me, user_id=user.id, new=chosen, policy=policy, force_change=False)
    return SignIn(username=name, password=chosen, agency=agency, role=role)


def _create(me: Actor, name: str, agency: str, role: str, password: str, policy: Policy) -> None:
    email = f"{name}@harbour.example"
    if name == ADMINISTRATOR:
        create_first_user(me, agency_name=agency, username=name, password=password, policy=policy, email=email)
        return
    home = agency_named(me, agency)
    given: dict[str, Any] = {"email": email, "first_name": name.replace("-", " ").capitalize()}
    roles = [role_named(me, role, home).id]
    create_user(me, username=name, agency_id=home.id, password=password, policy=policy, roles=roles, **given)


def actor_named(me: Actor, username: str) -> Actor:
    user = people.users(me).get(username=username)
    found = actor_for(user.id, via=Via.CLI, correlation=me.correlation)
    if found is None:
        raise Damaged(f"{username} may not sign in", where="demo", remedy="Remove the demo's home and start again.")
    return found


def api_token(me: Actor) -> str:
    """A token for an hour, with which the demo asks its own API."""
    hour, scopes = (
        datetime.timedelta(hours=1),
        [Privilege.MANAGE_TARGET_INSTANCES.value, Privilege.VIEW_DELIVERIES.value],
    )
    administrator = actor_named(me, ADMINISTRATOR)
    expires = me.clock.now() + hour
    return create_token(administrator, name="Check of the demo", scopes=scopes, expires=expires, longest=hour)[1]


def _policy(settings: Settings) -> Policy:
    return Policy(min_length=settings.password_min_length, history=settings.password_history)


def _remembered(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        return {}  # the passwords are set anew
    return {str(name): str(word) for name, word in found.items()} if isinstance(found, dict) else {}

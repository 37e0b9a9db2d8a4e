"""Make and change many users from a table: every row is good, or nothing is changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from opilio.kernel.errors import Conflict, Denied, InvalidInput, Missing, OpilioError
from opilio.people.acting import Act, action
from opilio.people.actions.users import activate_user, create_user, deactivate_user, set_roles, update_user
from opilio.people.errors import BadCsv, InvalidFields
from opilio.people.models import Agency, Role, User, UserRole
from opilio.people.passwords import Policy
from opilio.people.privileges import Privilege, Subject

REQUIRED = ("username", "agency")
DETAILS = ("first_name", "last_name", "title", "email", "phone", "address", "time_zone")
SWITCHES = (
    "external_auth", "tasks_by_email", "notifications_by_email", "notify_on_general", "notify_on_warnings",
)  # fmt: skip
COLUMNS = (*REQUIRED, "roles", *DETAILS, *SWITCHES, "active")
BETWEEN_ROLES = ";"
_WORDS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True, kw_only=True)
class ImportRow:
    """A row of the table: texts by column, and where it stood."""

    place: str  # line 7, item 3
    values: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What became, or would become, of a row."""

    place: str
    username: str
    done: str  # created, changed or unchanged
    changes: tuple[str, ...] = ()  # columns that differ
    password: str | None = None  # of a new user, shown this once


class BadRows(BadCsv):
    """Rows that cannot be imported, each named with its fault; nothing was changed."""

    def __init__(self, faults: Sequence[str], *, of: int, where: str = "") -> None:
        super().__init__(
            f"{len(faults)} of {of} rows cannot be imported, and nothing was changed",
            where=where,
            remedy="Correct them and import the whole table again.",
        )
        self.faults = tuple(faults)


@action("user.import", "Make and change users from a table.", privilege=Privilege.MANAGE_USERS)
def import_users(
    act: Act, /, *, rows: Sequence[ImportRow], policy: Policy, new_password: Callable[[], str], dry_run: bool = False
) -> list[Imported]:
    """What became of each row. A dry run does it all and takes it back.

    Users are found by their name; columns that the table lacks are left as they are. A new user without external
    authentication gets a password from `new_password`, and must choose another at the first sign-in.
    """
    done: list[Imported] = []
    faults: list[str] = []
    seen: set[str] = set()
    for row in rows:
        try:
            done.append(_import(act, row, seen, policy, None if dry_run else new_password))
        except (InvalidInput, Conflict, Denied, Missing) as error:
            faults.append(f"{row.place}: {_reason(error)}")
    if faults:
        raise BadRows(faults, of=len(rows), where=act.name)
    if dry_run:
        transaction.set_rollback(True)
    return done


def _import(
    act: Act, row: ImportRow, seen: set[str], policy: Policy, new_password: Callable[[], str] | None
) -> Imported:
    username = row.values["username"].strip()
    if username.lower() in seen:
        raise InvalidFields({"username": [f"{username} stands in the table twice."]})
    seen.add(username.lower())
    agency: Agency | None = Agency.objects.filter(name__iexact=row.values["agency"].strip()).first()
    if agency is None:
        raise InvalidFields({"agency": [f"There is no agency {row.values['agency'][:255]!r}."]})
    act.require(Privilege.MANAGE_USERS, Subject(agency=agency.id), f"import users of {agency.name}")
    fields, active = _fields(row.values)
    roles = _roles(row.values["roles"], agency) if "roles" in row.values else None
    user: User | None = User.objects.filter(username__iexact=username).first()
    if user is None:
        return _create(act, row, agency, fields, roles or [], active, policy, new_password)
    return _change(act, row, user, agency, fields, roles, active)


def _create(
    act: Act, row: ImportRow, agency: Agency, fields: dict[str, Any], roles: list[int], active: bool | None,
    policy: Policy, new_password: Callable[[], str] | None,
) -> Imported:  # fmt: skip
    external = bool(fields.get("external_auth"))
    password = None if external or new_password is None else new_password()
    user = create_user(
        act.actor, username=row.values["username"], agency_id=agency.id, password=password, policy=policy, roles=roles,
        force_password_change=not external, **fields,
    )  # fmt: skip
    if active is False:
        deactivate_user(act.actor, user_id=user.id)
    return Imported(place=row.place, username=user.username, done="created", password=password)


def _change(
    act: Act, row: ImportRow, user: User, agency: Agency, fields: dict[str, Any], roles: list[int] | None,
    active: bool | None,
) -> Imported:  # fmt: skip
    changes = [name for name, value in fields.items() if getattr(user, name) != value]
    if agency.id != user.agency_id:
        changes.insert(0, "agency")
    if changes:
        update_user(act.actor, user_id=user.id, version=user.version, agency_id=agency.id, **fields)
    if roles is not None and set(roles) != set(UserRole.objects.filter(user=user).values_list("role_id", flat=True)):
        set_roles(act.actor, user_id=user.id, roles=roles)
        changes.append("roles")
    if active is not None and active != user.is_active:
        (activate_user if active else deactivate_user)(act.actor, user_id=user.id)
        changes.append("active")
    done = "changed" if changes else "unchanged"
    return Imported(place=row.place, username=user.username, done=done, changes=tuple(changes))


def _fields(values: Mapping[str, str]) -> tuple[dict[str, Any], bool | None]:
    fields: dict[str, Any] = {name: values[name].strip() for name in DETAILS if name in values}
    switches = {name: _switch(name, values[name]) for name in (*SWITCHES, "active") if values.get(name, "").strip()}
    active = switches.pop("active", None)
    return {**fields, **switches}, active


def _switch(name: str, text: str) -> bool:
    found = _WORDS.get(text.strip().lower())
    if found is None:
        raise InvalidFields({name: [f"Write yes or no, not {text[:40]!r}."]})
    return found


def _roles(text: str, home: Agency) -> list[int]:
    return [_role(name.strip(), home) for name in text.split(BETWEEN_ROLES) if name.strip()]


def _role(name: str, home: Agency) -> int:
    """`Curator` is the home agency's, `Curator@Museum` another's."""
    role, at, agency = name.rpartition("@")
    rows = Role.objects.filter(name__iexact=role.strip(), agency__name__iexact=agency.strip(), agency__deleted=False)
    found: Role | None = (rows if at else Role.objects.filter(name__iexact=name, agency=home)).first()
    if found is None:
        raise InvalidFields({"roles": [f"There is no role {name[:255]!r}; write NAME, or NAME@AGENCY of another."]})
    return int(found.id)


def _reason(error: OpilioError) -> str:
    if isinstance(error, InvalidFields):
        return "; ".join(f"{field}: {' '.join(texts)}" for field, texts in error.messages.items())
    return error.what

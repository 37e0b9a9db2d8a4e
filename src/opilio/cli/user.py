"""`opilio user`: the operator's way to people; whoever may sign in does the same on the pages."""

from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli import passwords, people_export, tables
from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator, password_policy
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named, role_named, user_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.people.actions.account import reset_password
from opilio.people.actions.installation import create_first_user
from opilio.people.actions.user_import import COLUMNS, REQUIRED, Imported, import_users
from opilio.people.actions.users import activate_user, create_user, deactivate_user
from opilio.people.queries import people

app = noun_app("List, make and change users; import and export them.")
_USER = Annotated[str, typer.Argument(metavar="USER", help="User name.", show_default=False)]
_STDIN = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]
_GENERATE = Annotated[bool, typer.Option("--generate-password", help="Make a password up, and print it once.")]
_EMAIL = Annotated[str, typer.Option(help="E-mail address.")]


@catalogue_command(app, "list")
def list_users(
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
    barred: Annotated[bool, typer.Option("--barred", help="Only deactivated users.")] = False,
) -> Answer:
    """List users with their home agency and roles."""
    rows = people.users(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    if barred:
        rows = rows.filter(is_active=False)
    found = [people_export.told(row) for row in rows.order_by("username")]
    shown = [(one["username"], one["agency"], one["roles"], one["active"], one["last_login"]) for one in found]
    columns = ("user name", "agency", "roles", "active", "last sign-in (UTC)")
    return Answer(document={"users": found}, parts=[Rows(columns=columns, rows=shown, empty="No user yet.")])


@catalogue_command(app, "show")
def show(username: _USER) -> Answer:
    """Show one user."""
    return _one(username)


@catalogue_command(app, "first")
def first(
    username: _USER,
    agency: Annotated[str, typer.Option(help="Name of the first agency; made if it is not there.", show_default=False)],
    email: _EMAIL = "",
    password_stdin: _STDIN = False,
    generate_password: _GENERATE = False,
) -> Answer:
    """Make an agency and a system administrator, who holds every privilege over everything."""
    chosen = passwords.obtain(from_stdin=password_stdin, generate=generate_password, policy=password_policy())
    create_first_user(
        operator(), agency_name=agency, username=username, password=chosen.text, policy=password_policy(), email=email
    )
    return _one(username, chosen.shown)


@catalogue_command(app, "create")
def create(
    username: _USER,
    agency: Annotated[str, typer.Option(help="Home agency.", show_default=False)],
    role: Annotated[list[str] | None, typer.Option(help="NAME, or NAME@AGENCY of another; repeatable.")] = None,
    first_name: Annotated[str, typer.Option(help="Given name.")] = "",
    last_name: Annotated[str, typer.Option(help="Family name.")] = "",
    email: _EMAIL = "",
    external: Annotated[bool, typer.Option("--external", help="LDAP or single sign-on checks the password.")] = False,
    password_stdin: _STDIN = False,
    generate_password: _GENERATE = False,
) -> Answer:
    """Make a user; a generated password must be changed at the first sign-in."""
    me, policy = operator(), password_policy()
    home = agency_named(me, agency)
    roles = [role_named(me, name, home).id for name in role or []]
    chosen = None
    if not external:
        chosen = passwords.obtain(from_stdin=password_stdin, generate=generate_password, policy=policy)
    create_user(
        me, username=username, agency_id=home.id, password=chosen.text if chosen else None, policy=policy, roles=roles,
        first_name=first_name, last_name=last_name, email=email, external_auth=external,
        force_password_change=bool(chosen and chosen.generated),
    )  # fmt: skip
    return _one(username, chosen.shown if chosen else None)


@catalogue_command(app, "deactivate")
def deactivate(username: _USER) -> Answer:
    """Bar a user from signing in, and end all of the user's sessions."""
    deactivate_user(operator(), user_id=user_named(operator(), username).id)
    return _one(username)


@catalogue_command(app, "activate")
def activate(username: _USER) -> Answer:
    """Let a deactivated user sign in again."""
    activate_user(operator(), user_id=user_named(operator(), username).id)
    return _one(username)


@catalogue_command(app, "reset-password")
def new_password(
    username: _USER,
    password_stdin: _STDIN = False,
    generate_password: _GENERATE = False,
    keep: Annotated[bool, typer.Option("--keep", help="Do not ask for another at the next sign-in.")] = False,
) -> Answer:
    """Give a user a new password, and end all of the user's sessions."""
    user = user_named(operator(), username)
    policy = password_policy()
    chosen = passwords.obtain(from_stdin=password_stdin, generate=generate_password, policy=policy)
    reset_password(operator(), user_id=user.id, new=chosen.text, policy=policy, force_change=not keep)
    return _one(username, chosen.shown)


@catalogue_command(app, "import")
def import_table(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .csv or .json file in UTF-8.", show_default=False)],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")] = False,
) -> Answer:
    """Make and change users from a table; one bad row, and nothing is changed."""
    rows = tables.read(file, columns=COLUMNS, required=REQUIRED)
    policy = password_policy()
    done = import_users(
        operator(), rows=rows, policy=policy, new_password=lambda: passwords.generated(policy), dry_run=dry_run
    )
    counts = {word: sum(one.done == word for one in done) for word in ("created", "changed", "unchanged")}
    words = ", ".join(f"{count} {word}" for word, count in counts.items())
    summary = f"Dry run, nothing was changed: {words}." if dry_run else f"{words}."
    shown = [(one.place, one.username, one.done, one.changes, one.password) for one in done]
    columns = ("place", "user name", "done", "changes", "password (shown once)")
    document = {"dry_run": dry_run, **counts, "rows": [_imported(one) for one in done]}
    return Answer(document=document, parts=[Rows(columns=columns, rows=shown), summary])


@catalogue_command(app, "export")
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .csv or .json file.", show_default=False)],
) -> Answer:
    """Write all users to a table that `opilio user import` reads back; passwords stay here."""
    rows = [people_export.row(user) for user in people.users(operator()).order_by("username")]
    tables.write(file, columns=COLUMNS, rows=rows)
    return Answer(document={"file": str(file), "users": len(rows)}, parts=[f"Wrote {len(rows)} users to {file}."])


def _imported(one: Imported) -> dict[str, Any]:
    return {
        "place": one.place,
        "username": one.username,
        "done": one.done,
        "changes": list(one.changes),
        "password": one.password,
    }


def _one(username: str, password: str | None = None) -> Answer:
    document = people_export.told(user_named(operator(), username))
    if password is not None:
        document["password"] = password
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


add_bulk(app, "user")

"""`opilio permission`: what authorising agents allow, for how long, and how far the asking has come."""

from datetime import datetime
from typing import Annotated, Any

import typer

from opilio.cli import permission_steps
from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Rows
from opilio.cli.permission_shown import PERMISSION, one, told
from opilio.cli.rights_lookups import agent_named, authorisation_named, permission_numbered
from opilio.curation.actions import permissions as actions
from opilio.curation.queries import permissions as found
from opilio.kernel.errors import InvalidInput

app = noun_app("List, make and change permissions; ask, remind, explain.")
_EXCLUDE = Annotated[list[str] | None, typer.Option("--exclude", help="URL pattern to leave out, a space, the reason.")]
_PATTERNS = Annotated[list[str] | None, typer.Option("--pattern", help="Pattern of the authorisation; none: all.")]


@catalogue_command(app, "list")
def list_permissions(
    agency: Annotated[str, typer.Option(help="Only of this agency.")] = "",
    status: Annotated[str, typer.Option(help="Only with this status, as pending or approved.")] = "",
    quick_picks: Annotated[bool, typer.Option("--quick-picks", help="Only quick picks.")] = False,
) -> Answer:
    """List permissions."""
    rows = found.permissions(operator()).order_by("authorisation__title", "start_date", "id")
    if agency:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    if status:
        rows = found.standing_in(rows, [key for key, word in found.STANDINGS.items() if status.lower() in word.lower()])
    if quick_picks:
        rows = rows.filter(quick_pick=True)
    return _table([told(row) for row in rows], "No permission yet.")


@catalogue_command(app, "forecast")
def forecast(days: Annotated[int, typer.Option(min=0, max=36_500, help="How far to look.")] = 90) -> Answer:
    """List permissions that expire soon, soonest first."""
    return _table([told(row) for row in found.expiring(operator(), days)], f"None expires within {days} days.")


@catalogue_command(app, "show")
def show(permission: PERMISSION) -> Answer:
    """Show one permission with what it covers and leaves out, and what was said."""
    return one(permission_numbered(operator(), permission))


@catalogue_command(app, "create")
def create(
    authorisation: Annotated[str, typer.Argument(metavar="AUTHORISATION", help="Title or identifier.")],
    agent: Annotated[str, typer.Option(help="Authorising agent: name or identifier.", show_default=False)],
    start_date: Annotated[datetime, typer.Option(formats=["%Y-%m-%d"], help="First day.", show_default=False)],
    end_date: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Last day.", show_default=False)
    ] = None,
    pattern: _PATTERNS = None,
    exclude: _EXCLUDE = None,
    seek: Annotated[bool, typer.Option("--seek", help="Put it before those who confirm permissions.")] = False,
    access_status: Annotated[str | None, typer.Option(help="Who may read, from the list.", show_default=False)] = None,
    open_access_date: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="From when everybody may read.", show_default=False)
    ] = None,
    available: Annotated[bool | None, typer.Option(help="Whether the site is public.", show_default=False)] = None,
    copyright_statement: Annotated[
        str | None, typer.Option(help="Text to show with the material.", show_default=False)
    ] = None,
    copyright_url: Annotated[
        str | None, typer.Option(help="Link to show with the material.", show_default=False)
    ] = None,
    special_requirements: Annotated[str | None, typer.Option(help="Conditions of use.", show_default=False)] = None,
    notes: Annotated[str | None, typer.Option(help="Notes.", show_default=False)] = None,
    file_reference: Annotated[str | None, typer.Option(help="Number of an outside file.", show_default=False)] = None,
    quick_pick: Annotated[str, typer.Option(help="Name under which it is offered beside seeds.")] = "",
) -> Answer:
    """Make a permission; it is pending."""
    site = authorisation_named(operator(), authorisation)
    given = _given(
        access_status=access_status, available=available, copyright_statement=copyright_statement,
        copyright_url=copyright_url, special_requirements=special_requirements, notes=notes,
        file_reference=file_reference, end_date=end_date, open_access_date=open_access_date,
    )  # fmt: skip
    row = actions.create_permission(
        operator(), authorisation_id=site.id, agent_id=agent_named(operator(), agent).id, seek=seek,
        start_date=start_date.date(), patterns=_patterns(site.id, pattern), exclusions=_exclusions(exclude),
        quick_pick=bool(quick_pick), display_name=quick_pick, **given,
    )  # fmt: skip
    return one(found.permission(operator(), row.id))


@catalogue_command(app, "update")
def update(
    permission: PERMISSION,
    agent: Annotated[
        str | None, typer.Option(help="Authorising agent: name or identifier.", show_default=False)
    ] = None,
    pattern: _PATTERNS = None,
    start_date: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="First day.", show_default=False)
    ] = None,
    end_date: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Last day.", show_default=False)
    ] = None,
    no_end: Annotated[bool, typer.Option("--no-end", help="It holds for ever.")] = False,
    access_status: Annotated[str | None, typer.Option(help="Who may read, from the list.", show_default=False)] = None,
    open_access_date: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="From when everybody may read.", show_default=False)
    ] = None,
    available: Annotated[bool | None, typer.Option(help="Whether the site is public.", show_default=False)] = None,
    copyright_statement: Annotated[
        str | None, typer.Option(help="Text to show with the material.", show_default=False)
    ] = None,
    copyright_url: Annotated[
        str | None, typer.Option(help="Link to show with the material.", show_default=False)
    ] = None,
    special_requirements: Annotated[str | None, typer.Option(help="Conditions of use.", show_default=False)] = None,
    response: Annotated[
        str | None, typer.Option(help="What the authorising agent answered.", show_default=False)
    ] = None,
    notes: Annotated[str | None, typer.Option(help="Notes.", show_default=False)] = None,
    file_reference: Annotated[str | None, typer.Option(help="Number of an outside file.", show_default=False)] = None,
    quick_pick: Annotated[str | None, typer.Option(help="Name of the quick pick; empty: none.")] = None,
) -> Answer:
    """Change a permission; what is not given stays."""
    row = permission_numbered(operator(), permission)
    changes = _given(
        access_status=access_status, available=available, copyright_statement=copyright_statement,
        copyright_url=copyright_url, special_requirements=special_requirements, response=response, notes=notes,
        file_reference=file_reference, start_date=start_date, end_date=end_date, open_access_date=open_access_date,
        display_name=quick_pick, quick_pick=None if quick_pick is None else bool(quick_pick),
    )  # fmt: skip
    if no_end:
        changes["end_date"] = None
    actions.update_permission(
        operator(), permission_id=row.id, version=row.version,
        agent_id=agent_named(operator(), agent).id if agent else None,
        patterns=_patterns(row.authorisation_id, pattern) if pattern else None, **changes,
    )  # fmt: skip
    return one(found.permission(operator(), row.id))


@catalogue_command(app, "exclude")
def exclude_urls(permission: PERMISSION, exclude: _EXCLUDE = None) -> Answer:
    """Set all that a permission leaves out."""
    row = permission_numbered(operator(), permission)
    actions.set_exclusions(operator(), permission_id=row.id, exclusions=_exclusions(exclude))
    return one(found.permission(operator(), row.id))


def _given(**fields: Any) -> dict[str, Any]:
    """The options that were given, times as days."""
    return {
        name: value.date() if isinstance(value, datetime) else value
        for name, value in fields.items()
        if value is not None
    }


def _patterns(authorisation_id: int, wanted: list[str] | None) -> list[int]:
    known = {text: number for number, text in found.pattern_choices(authorisation_id)}
    if not wanted:
        return list(known.values())
    missing = [text for text in wanted if text not in known]
    if missing:
        raise InvalidInput(
            f"The authorisation has no pattern {missing[0][:200]}", where="--pattern",
            remedy=f"It has {', '.join(known) or 'none'}; `opilio authorisation patterns` changes them.",
        )  # fmt: skip
    return [known[text] for text in wanted]


def _exclusions(lines: list[str] | None) -> list[dict[str, str]]:
    pairs = (line.strip().partition(" ") for line in lines or [])
    return [{"url": url, "reason": reason.strip()} for url, _, reason in pairs]


def _table(documents: list[dict[str, Any]], empty: str) -> Answer:
    columns = ("id", "name", "status", "authorisation", "agent", "start_date", "end_date", "seeds")
    table = Rows(columns=columns, rows=[[each[name] for name in columns] for each in documents], empty=empty)
    return Answer(document={"permissions": documents}, parts=[table])


permission_steps.add_to(app)
add_bulk(app, "permission")

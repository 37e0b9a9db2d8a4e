"""`opilio group`: targets and groups that belong together."""

import datetime
from typing import Annotated, Any

import typer

from opilio.cli import group_members, group_parts, harvest_changes, ownership
from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import group_named
from opilio.cli.command import noun_app, typed
from opilio.cli.lookups import agency_named, user_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.groups import copy_group, create_group, update_group
from opilio.curation.profiling import choosable
from opilio.curation.queries import groups
from opilio.curation.words import AccessZone, HarvestAs, State
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.rows import delete_row
from opilio.people.errors import NotFound

app = noun_app("List, make and change groups and their members.")
GROUP = Annotated[str, typer.Argument(metavar="GROUP", help="Name or number of the group.", show_default=False)]
_DESCRIPTION = Annotated[str, typer.Option(help="Description for those who work with it.")]
_REFERENCE = Annotated[str, typer.Option(help="Number in an outside catalogue.")]
_TYPE = Annotated[str, typer.Option("--type", help="A value of the list of group types.")]
_OWNERSHIP = Annotated[str, typer.Option("--ownership-metadata", help="Remarks on shared ownership.")]
_FROM = Annotated[str, typer.Option("--from", help="First day, as 2026-01-31; empty: none.")]
_UNTIL = Annotated[str, typer.Option("--until", help="Last day, as 2026-12-31; empty: none.")]
_HARVEST = Annotated[str, typer.Option("--harvest", help="together or each.")]
_PROFILE = Annotated[str, typer.Option(help="Name of a profile of its agency; empty: none.")]
_PROFILE_NOTE = Annotated[str, typer.Option(help="Why this profile and these overrides.")]
_ZONE = Annotated[str, typer.Option("--access", help="public, on-site or restricted.")]
_DISPLAY = Annotated[bool, typer.Option("--display/--no-display", help="Whether readers are shown what was collected.")]
_DISPLAY_NOTE = Annotated[str, typer.Option(help="Why this zone and display.")]
_REASON = Annotated[str, typer.Option("--display-reason", help="Why display was changed.")]
_EMBARGO = Annotated[
    int, typer.Option("--embargo-days", help="Days from a capture during which nobody may read it; 0: none.", min=0,
                      max=183_000)
]  # fmt: skip
_FOLLOW = Annotated[
    bool, typer.Option("--follow-reference/--no-follow-reference", help="Compare with the last archived harvest.")
]
_PRUNE = Annotated[
    bool, typer.Option("--prune-again/--no-prune-again", help="Prune from new harvests as from the last.")
]
_WAYS = {"together": HarvestAs.COMBINED, "each": HarvestAs.SEPARATE}
_ZONES = {"public": AccessZone.PUBLIC, "on-site": AccessZone.ON_SITE, "restricted": AccessZone.RESTRICTED}
_STATES = {"pending": State.GROUP_PENDING, "active": State.GROUP_ACTIVE, "inactive": State.GROUP_INACTIVE}
#: Options as they are typed → columns of the same or another name.
_COLUMNS = {"ownership": "ownership_metadata", "kind": "group_type", "reason": "display_change_reason"}


@catalogue_command(app, "list")
def list_groups(
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
    state: Annotated[str | None, typer.Option(help="pending, active or inactive.", show_default=False)] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only of this type.", show_default=False)] = None,
    owner: Annotated[str | None, typer.Option(help="Only of this user.", show_default=False)] = None,
) -> Answer:
    """List groups with their status and number of members."""
    me, rows = operator(), groups.groups(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(me, agency).id)
    if state is not None:
        rows = rows.filter(state=_word("--state", _STATES, state))
    if kind is not None:
        rows = rows.filter(group_type=kind)
    if owner is not None:
        rows = rows.filter(owner_id=user_named(me, owner).id)
    found = [told(row) for row in rows.order_by("name", "id")]
    shown = [(one["name"], one["state"], one["type"], one["members"], one["owner"], one["id"]) for one in found]
    columns = ("name", "status", "type", "members", "owner", "id")
    return Answer(document={"groups": found}, parts=[Rows(columns=columns, rows=shown, empty="No group yet.")])


@catalogue_command(app, "show")
def show(group: GROUP) -> Answer:
    """Show one group."""
    return _one(group_named(operator(), group).pk)


@catalogue_command(app, "create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the group.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Its agency.", show_default=False)],
    owner: Annotated[str, typer.Option(help="User who owns it.", show_default=False)],
    parent: Annotated[str, typer.Option(help="The group that it is in; a sub-group needs one.")] = "",
    description: _DESCRIPTION = "",
    reference: _REFERENCE = "",
    kind: _TYPE = "",
    ownership: _OWNERSHIP = "",
    start_date: _FROM = "",
    end_date: _UNTIL = "",
    harvest: _HARVEST = "each",
    profile: _PROFILE = "",
    profile_note: _PROFILE_NOTE = "",
    access: _ZONE = "public",
    display: _DISPLAY = True,
    display_note: _DISPLAY_NOTE = "",
    embargo: _EMBARGO = 0,
    follow_reference: _FOLLOW = False,
    prune_again: _PRUNE = False,
) -> Answer:
    """Make a group; it is pending until a member of it is collected."""
    me = operator()
    home = agency_named(me, agency)
    given = {
        "description": description, "reference": reference, "kind": kind, "ownership": ownership,
        "start_date": start_date, "end_date": end_date, "harvest": harvest, "profile": profile,
        "profile_note": profile_note, "access": access, "display": display, "display_note": display_note,
        "embargo": embargo, "follow_reference": follow_reference, "prune_again": prune_again,
    }  # fmt: skip
    made = create_group(
        me, name=name, agency_id=home.id, owner_id=user_named(me, owner).id,
        parent_id=group_named(me, parent).pk if parent else None, **_columns(given, home.id),
    )  # fmt: skip
    return _one(made.pk)


@catalogue_command(app, "change")
def change(
    context: typer.Context,
    group: GROUP,
    name: Annotated[str, typer.Option(help="Another name.")] = "",
    description: _DESCRIPTION = "",
    reference: _REFERENCE = "",
    kind: _TYPE = "",
    ownership: _OWNERSHIP = "",
    start_date: _FROM = "",
    end_date: _UNTIL = "",
    harvest: _HARVEST = "each",
    profile: _PROFILE = "",
    profile_note: _PROFILE_NOTE = "",
    access: _ZONE = "public",
    display: _DISPLAY = True,
    display_note: _DISPLAY_NOTE = "",
    embargo: _EMBARGO = 0,
    follow_reference: _FOLLOW = False,
    prune_again: _PRUNE = False,
    reason: _REASON = "",
) -> Answer:
    """Change a group; options that are not given leave it as it is."""
    row = group_named(operator(), group)
    values = {
        "name": name, "description": description, "reference": reference, "kind": kind, "ownership": ownership,
        "start_date": start_date, "end_date": end_date, "harvest": harvest, "profile": profile,
        "profile_note": profile_note, "access": access, "display": display, "display_note": display_note,
        "embargo": embargo, "follow_reference": follow_reference, "prune_again": prune_again,
        "reason": reason,
    }  # fmt: skip
    given = {option: value for option, value in values.items() if option in typed(context)}
    update_group(operator(), group_id=row.pk, version=row.version, **_columns(given, row.agency_id))
    return _one(row.pk)


@catalogue_command(app, "copy")
def copy(
    group: GROUP, name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the copy.", show_default=False)]
) -> Answer:
    """Make a group like another, with the same members and without schedules."""
    return _one(copy_group(operator(), group_id=group_named(operator(), group).pk, name=name).pk)


@catalogue_command(app, "delete")
def delete(group: GROUP) -> Answer:
    """Delete a group so that it can be restored; its members stay."""
    row = group_named(operator(), group)
    delete_row(operator(), kind_name="group", row_id=row.pk)
    return Answer(document={"deleted": str(row.pk)}, parts=[f"Deleted {row.name}."])


def told(row: Any) -> dict[str, Any]:
    """A group as commands tell it."""
    return {
        "id": str(row.pk), "name": row.name, "state": State(row.state).label.lower(), "type": row.group_type,
        "agency": row.agency.name, "owner": row.owner.username, "members": row.member_count,
        "reference": row.reference, "description": row.description, "from": _day(row.start_date),
        "until": _day(row.end_date), "harvest": _word_of(_WAYS, row.harvest_as),
        "profile": row.profile.name if row.profile else "", "profile_note": row.profile_note,
        "access": _word_of(_ZONES, row.access_zone), "display": row.display, "display_note": row.display_note,
        "embargo_days": row.embargo_days or 0, "follow_reference": row.follow_reference, "prune_again": row.prune_again,
        "ownership_metadata": row.ownership_metadata, "version": row.version,
    }  # fmt: skip


def _one(identifier: int) -> Answer:
    document = told(groups.group(operator(), identifier))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _columns(given: dict[str, Any], agency_id: int) -> dict[str, Any]:
    """Options as the action takes them."""
    found = {_COLUMNS.get(option, option): value for option, value in given.items()}
    for column in ("start_date", "end_date"):
        if column in found:
            found[column] = _parsed_day(column, found[column])
    if "harvest" in found:
        found["harvest_as"] = _word("--harvest", _WAYS, found.pop("harvest"))
    if "access" in found:
        found["access_zone"] = _word("--access", _ZONES, found.pop("access"))
    if "embargo" in found:
        found["embargo_days"] = found.pop("embargo") or None
    if "profile" in found:
        found["profile_id"] = _profile(found.pop("profile"), agency_id)
    return found


def _profile(name: str, agency_id: int) -> int | None:
    if not name:
        return None
    found = choosable(operator(), agency_id).filter(name=name).values_list("id", flat=True).first()
    if found is None:
        raise NotFound(f"There is no profile {name[:255]!r} to choose", where="--profile", remedy="Name an active one.")
    return found


def _word(option: str, words: dict[str, Any], word: str) -> Any:
    if word not in words:
        raise InvalidInput(f"{word[:64]!r} is not known", where=option, remedy=f"Write {' or '.join(words)}.")
    return words[word]


def _word_of(words: dict[str, Any], number: int) -> str:
    return next(word for word, known in words.items() if known == number)


def _parsed_day(option: str, text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InvalidInput(f"{text[:64]!r} is no day", where=option, remedy="Write it as 2026-01-31.") from error


def _day(day: datetime.date | None) -> str:
    return day.isoformat() if day else ""


group_members.register(app)
group_parts.register(app)
ownership.register_group(app)
harvest_changes.register_group(app)
add_bulk(app, "group")

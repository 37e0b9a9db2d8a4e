"""`opilio target`: what is worth collecting."""

from typing import Annotated, Any

import typer

from opilio.cli import harvest_changes, ownership, rejection_reasons, target_moves, target_parts, target_seeds
from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import target_named
from opilio.cli.command import noun_app, typed
from opilio.cli.lookups import agency_named, user_named
from opilio.cli.output import Answer, Rows
from opilio.cli.target_told import STATES, ZONES, chosen, one_target, told
from opilio.curation.actions.targets import copy_target, create_target, update_target
from opilio.curation.profiling import choosable
from opilio.curation.queries import targets
from opilio.people.actions.rows import delete_row
from opilio.people.errors import NotFound

app = noun_app("List, make and change targets and their seeds; move them through their states.")
_TARGET = Annotated[str, typer.Argument(metavar="TARGET", help="Name or number of the target.", show_default=False)]
_DESCRIPTION = Annotated[str, typer.Option(help="Description for those who work with it.")]
_REFERENCE = Annotated[str, typer.Option(help="Number in an outside catalogue.")]
_PROFILE = Annotated[str, typer.Option(help="Name of a profile of its agency; empty: none.")]
_PROFILE_NOTE = Annotated[str, typer.Option(help="Why this profile and these overrides.")]
_ZONE = Annotated[str, typer.Option("--access", help="public, on-site or restricted.")]
_DISPLAY = Annotated[bool, typer.Option("--display/--no-display", help="Whether readers are shown what was collected.")]
_DISPLAY_NOTE = Annotated[str, typer.Option(help="Why this zone and display.")]
_DISPLAY_REASON = Annotated[str, typer.Option("--display-reason", help="Why display was changed.")]
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
_RUN = Annotated[bool, typer.Option("--run-on-approval/--no-run-on-approval", help="Harvest once when approved.")]
_EARLY = Annotated[bool, typer.Option("--early-start/--no-early-start", help="Whether a harvest may begin early.")]
_SELECTION = Annotated[str, typer.Option("--selection", help="A value of the list of selection types.")]
_SELECTION_NOTE = Annotated[str, typer.Option(help="Why it was selected.")]
_EVALUATION_NOTE = Annotated[str, typer.Option(help="Remarks on the evaluation of the site.")]
_HARVEST_TYPE = Annotated[str, typer.Option(help="A value of the list of harvest types.")]
_REQUEST = Annotated[str, typer.Option("--request", help="Note for those who archive it.")]
#: Options whose column has another name.
_COLUMNS = {
    "selection": "selection_type", "request": "request_to_archivists", "display_reason": "display_change_reason",
    "early_start": "allow_early_start",
}  # fmt: skip


@catalogue_command(app, "list")
def list_targets(
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
    state: Annotated[str | None, typer.Option(help=f"One of {', '.join(STATES)}.", show_default=False)] = None,
    owner: Annotated[str | None, typer.Option(help="Only of this user.", show_default=False)] = None,
    seed: Annotated[str | None, typer.Option(help="Part of the URL of a seed.", show_default=False)] = None,
) -> Answer:
    """List targets with state, owner and number of seeds."""
    me, rows = operator(), targets.listed(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(me, agency).id)
    if state is not None:
        rows = rows.filter(state=chosen("--state", STATES, state))
    if owner is not None:
        rows = rows.filter(owner_id=user_named(me, owner).id)
    if seed is not None:
        rows = targets.with_seed_like(rows, seed)
    found = [told(row) for row in rows.order_by("name", "id")]
    shown = [(one["name"], one["state"], one["owner"], one["seeds"], one["agency"], one["id"]) for one in found]
    columns = ("name", "state", "owner", "seeds", "agency", "id")
    return Answer(document={"targets": found}, parts=[Rows(columns=columns, rows=shown, empty="No target yet.")])


@catalogue_command(app, "show")
def show(target: _TARGET) -> Answer:
    """Show one target: its state, what can happen next, and what is missing before it can be approved."""
    return one_target(target_named(operator(), target).pk)


@catalogue_command(app, "create")
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the target.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Its agency.", show_default=False)],
    owner: Annotated[str, typer.Option(help="User who owns it.", show_default=False)],
    description: _DESCRIPTION = "",
    reference: _REFERENCE = "",
    profile: _PROFILE = "",
    profile_note: _PROFILE_NOTE = "",
    access: _ZONE = "public",
    display: _DISPLAY = True,
    display_note: _DISPLAY_NOTE = "",
    run_on_approval: _RUN = False,
    early_start: _EARLY = False,
    embargo: _EMBARGO = 0,
    follow_reference: _FOLLOW = False,
    prune_again: _PRUNE = False,
    selection: _SELECTION = "",
    selection_note: _SELECTION_NOTE = "",
    evaluation_note: _EVALUATION_NOTE = "",
    harvest_type: _HARVEST_TYPE = "",
    request: _REQUEST = "",
) -> Answer:
    """Make a target; it is pending, and starts with the default profile of its agency unless another is named."""
    me = operator()
    home = agency_named(me, agency)
    fields = _fields(context, home.id, "agency", "owner")
    made = create_target(me, **{**fields, "name": name}, agency_id=home.id, owner_id=user_named(me, owner).id)
    return one_target(made.pk)


@catalogue_command(app, "change")
def change(
    context: typer.Context,
    target: _TARGET,
    name: Annotated[str, typer.Option(help="Another name.")] = "",
    description: _DESCRIPTION = "",
    reference: _REFERENCE = "",
    profile: _PROFILE = "",
    profile_note: _PROFILE_NOTE = "",
    access: _ZONE = "public",
    display: _DISPLAY = True,
    display_note: _DISPLAY_NOTE = "",
    display_reason: _DISPLAY_REASON = "",
    run_on_approval: _RUN = False,
    early_start: _EARLY = False,
    embargo: _EMBARGO = 0,
    follow_reference: _FOLLOW = False,
    prune_again: _PRUNE = False,
    selection: _SELECTION = "",
    selection_note: _SELECTION_NOTE = "",
    evaluation_note: _EVALUATION_NOTE = "",
    harvest_type: _HARVEST_TYPE = "",
    request: _REQUEST = "",
) -> Answer:
    """Change what is named, and leave the rest as it is."""
    row = target_named(operator(), target)
    fields = _fields(context, row.agency_id, "target")
    update_target(operator(), target_id=row.pk, version=row.version, **fields)
    return one_target(row.pk)


@catalogue_command(app, "copy")
def copy(
    target: _TARGET,
    name: Annotated[str, typer.Option(help="Name of the copy; empty: “Copy of …”.")] = "",
    owner: Annotated[
        str | None, typer.Option(help="Who owns the copy; else the same user.", show_default=False)
    ] = None,
) -> Answer:
    """Make a pending target with the same seeds, permissions, description, profile and overrides."""
    me = operator()
    owner_id = user_named(me, owner).id if owner is not None else None
    made = copy_target(me, target_id=target_named(me, target).pk, name=name, owner_id=owner_id)
    return one_target(made.pk)


@catalogue_command(app, "delete")
def delete(target: _TARGET) -> Answer:
    """Delete a pending target so that it can be restored."""
    row = target_named(operator(), target)
    delete_row(operator(), kind_name="target", row_id=row.pk)
    return Answer(document={"deleted": str(row.pk)}, parts=[f"Deleted {row.name}."])


def _fields(context: typer.Context, agency_id: int, *but: str) -> dict[str, Any]:
    """The options that were typed, as the action takes them."""
    given = {name: context.params[name] for name in typed(context) if name not in (*but, "as_json")}
    found = {_COLUMNS.get(option, option): value for option, value in given.items()}
    if "access" in found:
        found["access_zone"] = chosen("--access", ZONES, found.pop("access")).value
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


target_moves.register(app)
target_seeds.register(app)
target_parts.register(app)
rejection_reasons.register(app)
ownership.register_target(app)
harvest_changes.register_target(app)
add_bulk(app, "target")
add_bulk(app, "seed", prefix="seed-")

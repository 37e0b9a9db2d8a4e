"""`opilio harvest`: dated runs of targets and groups."""

from typing import Annotated, Any

import typer

from opilio.cli import harvest_changes, harvest_display, harvest_records, harvest_report, harvest_watch
from opilio.cli.bulk_commands import add_bulk
from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.command import noun_app
from opilio.cli.harvest_told import detailed, event, file, order, told
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions import harvest_orders as orders
from opilio.curation.actions.agents import switch_queue
from opilio.curation.actions.harvest_flags import flag_harvest
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.networks import network_of
from opilio.curation.queries import harvests as query
from opilio.curation.queries.harvestable import found_by_name
from opilio.curation.words import HarvestState
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.rows import delete_row
from opilio.people.errors import NotFound

app = noun_app("List harvests and look into them; launch them and tell them what to do.")
HARVEST = Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)]
_AGENT = Annotated[str, typer.Option(help="Name of the agent that is to run it; empty: any that is free.")]
_STATES = ", ".join(state.value for state in HarvestState)


@catalogue_command(app, "list")
def list_harvests(
    state: Annotated[str | None, typer.Option(help=f"One of {_STATES}.", show_default=False)] = None,
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
    target: Annotated[str | None, typer.Option(help="Only of this target or group.", show_default=False)] = None,
    flagged: Annotated[bool, typer.Option("--flagged", help="Only those marked for attention.")] = False,
    held: Annotated[bool, typer.Option("--held", help="Only those that wait for a person.")] = False,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=100_000)] = 100,
) -> Answer:
    """List harvests, running ones first."""
    me = operator()
    rows = query.listed(me)
    if state is not None:
        rows = rows.filter(state=_state(state))
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(me, agency).id)
    if target is not None:
        rows = rows.filter(abstract_target_id=found_by_name(me, target))
    wanted = {name: True for name, holds in (("flagged", flagged), ("held", held)) if holds}
    found = [told(row) for row in rows.filter(**wanted).order_by(*query.LIST_ORDER)[:limit]]
    columns = ("id", "target", "state", "scheduled_at", "started_at", "urls", "bytes", "agent", "reason")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"harvests": found}, parts=[Rows(columns=columns, rows=shown, empty="No harvest yet.")])


@catalogue_command(app, "show")
def show(harvest: HARVEST) -> Answer:
    """Show one harvest: where it stands, why, what comes next, how it goes."""
    return _one(harvest)


@catalogue_command(app, "events")
def events(harvest: HARVEST) -> Answer:
    """Show what happened to a harvest, oldest first."""
    found = [event(one) for one in query.events(query.harvest(operator(), harvest))]
    columns = ("number", "at", "name", "state", "by", "agent", "reason")
    shown = [tuple(one[name] for name in columns) for one in found]
    parts = [Rows(columns=columns, rows=shown, empty="Nothing happened yet.")]
    return Answer(document={"harvest": str(harvest), "events": found}, parts=parts)


@catalogue_command(app, "snapshot")
def snapshot(harvest: HARVEST) -> Answer:
    """Show what a harvest was run with; fails when it is not what was frozen."""
    found = query.frozen(query.harvest(operator(), harvest))
    if found is None:
        raise NotFound(f"Harvest {harvest} is not frozen yet", remedy="It is when it is queued.")
    document = {
        "harvest": str(harvest), "made_at": found.made_at, "digest": found.digest, "intact": not found.fault,
        "fault": found.fault, "sections": dict(found.sections),
    }  # fmt: skip
    pairs = [("made at", found.made_at), ("digest", found.digest), ("intact", not found.fault), ("fault", found.fault)]
    sections = [(name, value) for name, value in found.sections.items()]
    return Answer(document=document, parts=[Fields(pairs=[*pairs, *sections])], exit_code=1 if found.fault else 0)


@catalogue_command(app, "files")
def files(harvest: HARVEST) -> Answer:
    """List the files that a harvest left."""
    found = [file(one) for one in query.files(query.harvest(operator(), harvest))]
    columns = ("name", "result", "size", "compressed", "digest")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"files": found}, parts=[Rows(columns=columns, rows=shown, empty="No file yet.")])


@catalogue_command(app, "orders")
def list_orders(harvest: HARVEST) -> Answer:
    """Show what people told a harvest, newest first."""
    found = [order(one) for one in query.orders(query.harvest(operator(), harvest))]
    columns = ("what", "arguments", "by", "at", "done_at", "refused")
    shown = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"orders": found}, parts=[Rows(columns=columns, rows=shown, empty="Nothing was told.")])


@catalogue_command(app, "now")
def now(
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Name or number of a target or group.")],
    agent: _AGENT = "",
) -> Answer:
    """Harvest a target or group now, without a schedule."""
    me = operator()
    made = harvest_now(me, holder_id=found_by_name(me, target), network=network_of(settings()), agent=agent)
    return _one(made.pk)


@catalogue_command(app, "launch")
def launch(harvest: HARVEST, agent: _AGENT = "") -> Answer:
    """Harvest now instead of at its time, if its rights hold."""
    launch_harvest(operator(), harvest_id=harvest, network=network_of(settings()), agent=agent)
    return _one(harvest)


@catalogue_command(app, "pause")
def pause(harvest: HARVEST) -> Answer:
    """Tell a running harvest to ask for nothing more until it goes on."""
    return _moved(harvest, "pause")


@catalogue_command(app, "resume")
def resume(
    harvest: HARVEST,
    decision: Annotated[str, typer.Option(help="Why one that lost its right may go on all the same.")] = "",
) -> Answer:
    """Tell a paused harvest to go on."""
    return _moved(harvest, "resume", decision)


@catalogue_command(app, "stop")
def stop(harvest: HARVEST) -> Answer:
    """Tell a harvest to end and keep what it collected."""
    return _moved(harvest, "stop")


@catalogue_command(app, "abort")
def abort(harvest: HARVEST) -> Answer:
    """Tell a harvest to end and give up what it collected."""
    return _moved(harvest, "abort")


@catalogue_command(app, "limit")
def limit(
    harvest: HARVEST,
    pages: Annotated[int | None, typer.Option(help="URLs; 0 lifts the limit.", show_default=False)] = None,
    size: Annotated[int | None, typer.Option("--bytes", help="Bytes; 0 lifts the limit.", show_default=False)] = None,
    seconds: Annotated[int | None, typer.Option(help="Seconds; 0 lifts the limit.", show_default=False)] = None,
) -> Answer:
    """Change the limits of a running harvest, counted from its beginning."""
    orders.order_limits(operator(), harvest_id=harvest, pages=pages, bytes_=size, seconds=seconds)
    return _one(harvest)


@catalogue_command(app, "delay")
def delay(
    harvest: HARVEST,
    seconds: Annotated[float, typer.Argument(metavar="SECONDS", help="Between two requests to a host.")],
) -> Answer:
    """Change how long a running harvest waits between requests."""
    orders.order_delay(operator(), harvest_id=harvest, seconds=seconds)
    return _one(harvest)


@catalogue_command(app, "exclude")
def exclude(
    harvest: HARVEST,
    pattern: Annotated[list[str] | None, typer.Option(help="Expression in RE2's syntax; repeatable.")] = None,
    url: Annotated[list[str] | None, typer.Option(help="URL, matched exactly; repeatable.")] = None,
) -> Answer:
    """Leave URLs out of a running harvest from now on."""
    orders.order_exclusion(operator(), harvest_id=harvest, patterns=tuple(pattern or ()), urls=tuple(url or ()))
    return _one(harvest)


@catalogue_command(app, "bandwidth")
def bandwidth(
    harvest: HARVEST,
    percent: Annotated[int, typer.Argument(metavar="PERCENT", help="Of the limit; 0: an equal part.", min=0, max=100)],
) -> Answer:
    """Give a harvest a share of the line."""
    orders.set_bandwidth(operator(), harvest_id=harvest, percent=percent or None)
    return _one(harvest)


@catalogue_command(app, "flag")
def flag(
    harvest: HARVEST, remove: Annotated[bool, typer.Option("--remove", help="Take the mark off.")] = False
) -> Answer:
    """Mark a harvest for attention."""
    flag_harvest(operator(), harvest_id=harvest, flagged=not remove)
    return _one(harvest)


@catalogue_command(app, "delete")
def delete(harvest: HARVEST) -> Answer:
    """Delete a harvest that never began."""
    row = delete_row(operator(), kind_name="harvest", row_id=harvest)
    return Answer(document={"deleted": str(row.pk)}, parts=[f"The harvest {row.pk} is deleted."])


@catalogue_command(app, "queue")
def queue(
    paused: Annotated[bool | None, typer.Option("--pause/--go-on", help="Change it.", show_default=False)] = None,
) -> Answer:
    """Show whether the queue is paused; pause it, or let it go on."""
    me = operator()
    if paused is not None:
        switch_queue(me, paused=paused)
    counts = {state.value: number for state, number in query.counts(me).items()}
    document: dict[str, Any] = {"paused": query.queue_paused(), "counts": counts}
    return Answer(document=document, parts=[Fields(pairs=[("paused", document["paused"]), *counts.items()])])


def _moved(harvest: int, what: str, decision: str = "") -> Answer:
    orders.order_move(operator(), harvest_id=harvest, what=what, decision=decision)
    return _one(harvest)


def _one(harvest: int) -> Answer:
    document = detailed(operator(), query.harvest(operator(), harvest))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _state(text: str) -> str:
    if text not in HarvestState.values:
        raise InvalidInput(f"{text[:40]!r} is no state of a harvest", where="--state", remedy=f"Choose from {_STATES}.")
    return text


harvest_watch.register(app)
harvest_report.register(app)
harvest_records.register(app)
harvest_changes.register(app)
harvest_display.register(app)
add_bulk(app, "harvest")

"""`opilio agents`: look after the agents of the installation; `opilio agent` runs one."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.agents import command_agent, set_agent_rule
from opilio.curation.queries import agent_status as query

app = noun_app("Look at agents, say what they take, tell them to pause, resume or drain.")
_NAME = Annotated[str, typer.Argument(metavar="NAME", help="Name of the agent.", show_default=False)]


@catalogue_command(app, "list")
def list_agents() -> Answer:
    """List living agents, and those that ended within a day."""
    found = [_told(one) for one in query.agents(operator())]
    columns = ("name", "state", "machine", "harvests", "harvest_slots", "heartbeat_at", "takes", "id")
    shown = [tuple(one[name] for name in columns) for one in found]
    empty = "No agent is alive; `opilio agent` starts one."
    return Answer(document={"agents": found}, parts=[Rows(columns=columns, rows=shown, empty=empty)])


@catalogue_command(app, "rule")
def rule(
    name: _NAME,
    accept: Annotated[bool, typer.Option("--accept/--refuse", help="Whether it takes harvests.")] = True,
    agency: Annotated[list[str] | None, typer.Option(help="Take only this agency's harvests; repeatable.")] = None,
    note: Annotated[str, typer.Option(help="Why.")] = "",
) -> Answer:
    """Say which harvests agents of a name take; without --agency everybody's."""
    me = operator()
    agencies = [agency_named(me, one).id for one in agency or []]
    set_agent_rule(me, name=name, accepting=accept, agencies=agencies, note=note)
    row = query.rule(me, name.strip())
    document = _rule(row)
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "pause")
def pause(name: _NAME) -> Answer:
    """Tell the agents of a name to take nothing new."""
    return _command(name, "pause")


@catalogue_command(app, "resume")
def resume(name: _NAME) -> Answer:
    """Tell the agents of a name to take work again."""
    return _command(name, "resume")


@catalogue_command(app, "drain")
def drain(name: _NAME) -> Answer:
    """Tell the agents of a name to give back what they run, and to end."""
    return _command(name, "drain")


def _command(name: str, what: str) -> Answer:
    me = operator()
    numbers = [one.look.id for one in query.named(me, name)]
    for number in numbers:
        command_agent(me, agent_id=number, what=what)
    document = {"agents": [_told(query.agent(me, number)) for number in numbers]}
    return Answer(document=document, parts=[f"{name}: told to {what}; it obeys at its next heartbeat."])


def _told(one: query.AgentStatus) -> dict[str, Any]:
    look = one.look
    return {
        "id": str(look.id), "name": look.name, "machine": look.machine, "pid": look.pid, "version": look.version,
        "state": look.state.value, "slots": look.slots, "harvest_slots": one.room, "health": dict(look.health),
        "started": look.started, "heartbeat_at": look.heartbeat_at, "ended": look.ended,
        "harvests": [name for _, name in one.harvests], "other_jobs": one.others, "told": list(look.told),
        "takes": _takes(one.rule), "rule": _rule(one.rule),
    }  # fmt: skip


def _rule(row: Any) -> dict[str, Any]:
    if row is None:
        return {}
    names = [one.agency.name for one in row.agencies.all()]
    return {"name": row.name, "accepting": row.accepting, "agencies": names, "note": row.note, "version": row.version}


def _takes(row: Any) -> str:
    if row is not None and not row.accepting:
        return "nothing"
    return ", ".join(one.agency.name for one in row.agencies.all()) or "all" if row is not None else "all"

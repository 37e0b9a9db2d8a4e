"""`opilio agent`: one agent in the foreground."""

import signal
from dataclasses import replace
from typing import Annotated

import typer

from opilio.agents import precedence, process
from opilio.cli import output
from opilio.cli.catalogue import catalogue_command, settings
from opilio.cli.command import single_app
from opilio.cli.output import Answer
from opilio.server import lifeline, log_format, migrations_state, occupancy, place, telemetry

app = single_app()


@catalogue_command(app, "agent")
def agent(
    name: Annotated[str | None, typer.Option(help="Name of the agent; default: the setting agent_name.")] = None,
    slots: Annotated[
        int | None, typer.Option(help="Jobs at a time; default: the setting agent_slots.", min=1, max=64)
    ] = None,
    with_parent: Annotated[bool, typer.Option("--with-parent", hidden=True)] = False,
) -> None:
    """Run one agent that takes jobs, until Ctrl-C or SIGTERM; a second signal does not wait for running jobs."""
    chosen = replace(settings(), agent_name=name or settings().agent_name, agent_slots=slots or settings().agent_slots)
    log_format.configure(chosen)
    telemetry.install(chosen, service="agent")
    if with_parent:
        lifeline.end_with_parent()
    precedence.give_way(chosen.agent_nice)
    worker = process.build(chosen, misfit=lambda: migrations_state.misfit(migrations_state.state(), place.where()))
    who = worker.identity
    document = {"agent": who.name, "machine": who.machine, "pid": who.pid, "slots": chosen.agent_slots}
    words = f"Agent {who.name} takes {chosen.agent_slots} jobs at a time (Ctrl-C ends it)."
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.leave())  # from the first word on, a signal ends it in good order
    with occupancy.shared(chosen.home):
        if not with_parent:
            output.show(Answer(document=document, parts=[words]))
        process.work(worker)
    if worker.outdated is not None:
        raise worker.outdated

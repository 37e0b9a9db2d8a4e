"""`opilio serve`: pages, API and one agent, until a signal ends them."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer
from django.db import connections

from opilio.cli import output
from opilio.cli.catalogue import catalogue_command, settings
from opilio.cli.command import single_app
from opilio.cli.output import Answer
from opilio.kernel.settings import Settings
from opilio.server import log_format, occupancy, ports
from opilio.server.supervisor import Role, Supervisor

app = single_app()


@catalogue_command(app, "serve")
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; default: the setting server_host.")] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on, 0 for a free one; default: server_port.", min=0, max=65535)
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that answer requests.", min=1, max=64)] = 1,
    without_agent: Annotated[bool, typer.Option("--without-agent", help="Run no agent here.")] = False,
) -> None:
    """Run pages, API and one agent, until Ctrl-C or SIGTERM."""
    log_format.configure(settings())
    run(settings(), host=host, port=port, workers=workers, agent=not without_agent, when_ready=_ready)


def run(
    chosen: Settings,
    *,
    host: str | None,
    port: int | None,
    workers: int,
    agent: bool,
    when_ready: Callable[[str], bool],
) -> None:
    """Serve until stopped; `when_ready` hears the address once it answers, and says whether to go on."""
    listen = host or chosen.server_host
    number = ports.free_port(listen, chosen.server_port if port is None else port)
    supervisor = Supervisor(roles=roles(listen, number, workers=workers, agent=agent), say=output.note)
    connections.close_all()  # the children have their own
    with occupancy.shared(chosen.home):
        supervisor.run(
            ready=lambda: ports.answers(listen, number), when_ready=lambda: when_ready(ports.address(listen, number))
        )


def roles(host: str, port: int, *, workers: int, agent: bool) -> list[Role]:
    """The processes of a server."""
    pages = [sys.executable, "-m", "opilio.server.pages_process", host, str(port), str(workers)]
    found = [Role(name="server", command=pages, essential=True)]
    if agent:
        found.append(Role(name="agent", command=[sys.executable, "-m", "opilio", "agent", "--with-parent"]))
    return found


def _ready(address: str) -> bool:
    output.show(Answer(document={"address": address}, parts=[f"Opilio answers at {address} (Ctrl-C ends it)."]))
    return True

"""`opilio demo`: everything that exists, with sample data, on this machine and without the internet."""

import os
from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.command import command, single_app
from opilio.cli.loading import catalogue_part

app = single_app()


@command(app, "demo")
def demo(
    home: Annotated[Path, typer.Option(help="Folder for the demo; a second run goes on with what is there.")] = Path(
        "var/demo"
    ),
    port: Annotated[int, typer.Option(help="Port of the pages, 0 for a free one.", min=0, max=65535)] = 8000,
    once: Annotated[bool, typer.Option("--once", help="Build it, check it over HTTP, and end.")] = False,
) -> None:
    """Prepare sample agencies and users, start a sample site and the pages, and say how to sign in."""
    _move_to(home.absolute())
    catalogue_part("opilio.cli.demo_work").run(port=port, once=once)


def _move_to(home: Path) -> None:
    """The demo, and the processes it starts, keep to their own folder and never touch another database."""
    own = {
        "OPILIO_HOME": str(home),
        "OPILIO_DATABASE_URL": "",
        "OPILIO_HARVEST_ALLOW_PRIVATE": "127.0.0.0/8",  # the sample site lies on this machine
        "OPILIO_AGENT_MOST_LOAD": "0",  # however busy it is: somebody waits for the demo
    }
    os.environ.update(own)  # noqa: TID251 - settings of the children
    os.environ.setdefault("OPILIO_LOG_LEVEL", "warning")  # noqa: TID251 - the same

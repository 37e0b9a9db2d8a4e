"""What files of a deployment must keep to: commands that exist, settings that exist, addresses that are answered."""

from pathlib import Path

from typer.core import TyperGroup

from opilio.cli.loading import load
from opilio.cli.nouns import BY_NAME
from opilio.kernel import config

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PROGRAM = "/opt/opilio/bin/opilio"
#: Paths that servers of pages, and services of nodes, answer to programs that look after them.
PAGES_PATHS = {"/health/live", "/health/ready", "/metrics"}
NODE_PATHS = {"/health", "/metrics"}


def parsed_command(arguments):
    """Parse the arguments of `opilio` as it does itself, without running them; raises what it would say."""
    noun, *rest = [str(argument) for argument in arguments]
    command = load(BY_NAME[noun])
    while isinstance(command, TyperGroup):
        with command.make_context(noun, rest[:1], resilient_parsing=True) as context:
            found = command.get_command(context, rest[0])
        assert found is not None, f"there is no `opilio {noun} {rest[0]}`"
        command, rest = found, rest[1:]
    command.make_context(noun, rest).close()


def checked_settings(variables, folder):
    """Read variables as the program would; unknown names and wrong values are refused."""
    ours = {name: str(value) for name, value in variables.items() if name.startswith("OPILIO_")}
    return config.load(ours, folder).settings

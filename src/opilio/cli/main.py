"""The program `opilio`: finds the noun, runs the command, and turns every error into a message and an exit code."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from opilio import __version__
from opilio.cli import failures, output
from opilio.cli.loading import load
from opilio.cli.nouns import BY_NAME, NOUNS
from opilio.kernel import logs


class Nouns(TyperGroup):
    """Lists the nouns without importing them; imports one when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All nouns, in the order of a newcomer's way."""
        return [noun.name for noun in NOUNS]

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        """A stand-in that knows its help."""
        noun = BY_NAME.get(cmd_name)
        return TyperCommand(name=noun.name, help=noun.sentence) if noun else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The noun that was typed, loaded."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(BY_NAME[name or ""]), rest


app = typer.Typer(cls=Nouns, add_completion=False, no_args_is_help=True, rich_markup_mode=None)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def opilio(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error, and log everything.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Collect what others publish: with permission, on a schedule, politely; keep, review and find it.

    Every command takes --json and --help. Exit codes: docs/reference/exit-codes.md.
    """
    logs.configure(as_json=None, level="debug" if debug else "error")


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit code."""
    wanted = output.Wanted(as_json="--json" in arguments, debug="--debug" in arguments)
    correlation = logs.new_correlation()
    with logs.bound(correlation=correlation):
        return failures.guarded(lambda: _run(arguments), wanted=wanted, correlation=correlation)


def run() -> None:
    """The entry point."""
    sys.exit(main(sys.argv[1:]))


def _run(arguments: Sequence[str]) -> int:
    code = get_command(app).main(list(arguments), prog_name="opilio", standalone_mode=False)
    return code if isinstance(code, int) else 0

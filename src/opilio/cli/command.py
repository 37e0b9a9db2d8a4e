"""Declares commands: each returns an Answer, and each gets `--json` without having to ask."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from opilio.cli import output
from opilio.cli.output import Answer

Body = Callable[..., Answer | None]
_JSON = Annotated[bool, typer.Option("--json", help="Answer with one JSON document on standard output.")]


def noun_app(sentence: str, group: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """The commands of a noun, still empty; a noun with one verb keeps that verb."""
    app = typer.Typer(help=sentence, no_args_is_help=True, add_completion=False, rich_markup_mode=None, cls=group)
    app.callback()(lambda: None)
    return app


def single_app() -> typer.Typer:
    """A noun that is a command itself."""
    return typer.Typer(add_completion=False, rich_markup_mode=None)


def command(app: typer.Typer, name: str | None = None, **options: Any) -> Callable[[Body], Body]:
    """Make a command of a function."""

    def declare(body: Body) -> Body:
        @functools.wraps(body)
        def call(*, as_json: bool, **arguments: Any) -> None:
            with output.speaking(json_wanted=as_json):
                answer = body(**arguments)
                if answer is not None:
                    output.show(answer)
            if answer is not None and answer.exit_code:
                raise typer.Exit(answer.exit_code)

        _sign(call, body)
        app.command(name, **options)(call)
        return body

    return declare


def typed(context: typer.Context) -> set[str]:
    """The parameters that the caller gave, defaults repeated included."""
    names = (each.name for each in context.command.params)
    return {name for name in names if name and str(context.get_parameter_source(name)).endswith("COMMANDLINE")}


def _sign(call: Callable[..., None], body: Body) -> None:
    """Typer reads options from the signature: the body's, and `--json`."""
    signature = inspect.signature(body, eval_str=True)
    added = inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=_JSON)
    parameters = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in signature.parameters.values()
    ]  # typer passes everything by name
    call.__signature__ = signature.replace(parameters=[*parameters, added])  # type: ignore[attr-defined]  # read by inspect
    call.__annotations__ = {**{one.name: one.annotation for one in parameters}, "as_json": _JSON, "return": None}

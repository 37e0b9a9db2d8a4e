"""What commands say, in one place: one JSON document for machines, tables for people, tabs where nobody looks.

Answers go to standard output, everything else (progress, notes, errors) to standard error.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from opilio.kernel.errors import OpilioError


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """How the caller wants to be told."""

    as_json: bool = False
    debug: bool = False


@dataclass(frozen=True, kw_only=True)
class Rows:
    """A table."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    empty: str = "Nothing to show."


@dataclass(frozen=True, kw_only=True)
class Fields:
    """Names with their values, one below the other."""

    pairs: Sequence[tuple[str, object]]


Part = Rows | Fields | str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a command found or did: `document` for machines, `parts` for people."""

    document: Any
    parts: Sequence[Part] = ()
    exit_code: int = 0


T = TypeVar("T")


class Step(Protocol):
    """Takes a step and tells it."""

    def __call__(self, label: str, work: Callable[[], T]) -> T:
        """What the work gives."""
        ...


_AS_JSON: ContextVar[bool] = ContextVar("as_json", default=False)
Advance = Callable[[int, int], None]  # done, of how many


def as_json() -> bool:
    """Whether the command at work was asked for JSON."""
    return _AS_JSON.get()


@contextmanager
def speaking(*, json_wanted: bool) -> Iterator[None]:
    """Inside the block, answers are JSON or not."""
    token = _AS_JSON.set(json_wanted)
    try:
        yield
    finally:
        _AS_JSON.reset(token)


class ReaderGone(OpilioError):
    """Whoever read the output closed it early."""

    exit_code = 141


def show(answer: Answer) -> None:
    """Print an answer."""
    try:
        _print(answer)
    except BrokenPipeError as error:
        raise ReaderGone("Nobody reads the output any more", where="standard output") from error


def tell(text: str) -> None:
    """Print one line of a command that goes on telling."""
    try:
        print(text, flush=True)
    except BrokenPipeError as error:
        raise ReaderGone("Nobody reads the output any more", where="standard output") from error


def _print(answer: Answer) -> None:
    if as_json():
        print(dumped(answer.document), flush=True)
        return
    terminal = sys.stdout.isatty()
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    for part in answer.parts:
        if not terminal:
            print(plain(part))
        elif isinstance(part, str):
            console.print(escape(part))
        else:
            console.print(_table(part), soft_wrap=False)
    sys.stdout.flush()


def note(text: str) -> None:
    """Say something on the side; machines are spared it."""
    if not as_json():
        print(text, file=sys.stderr, flush=True)


@contextmanager
def steps() -> Iterator[Callable[[str], Advance]]:
    """Bars on a terminal, one for each step that is begun; silence elsewhere."""
    if as_json() or not sys.stderr.isatty():
        yield lambda label: _silent
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def begin(label: str) -> Advance:
            task = bars.add_task(label, total=None)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield begin


@contextmanager
def story() -> Iterator[Step]:
    """Tells steps as they are taken: a spinner while one is under way on a terminal, a line when it is done."""
    console = Console(stderr=True, quiet=as_json())

    def step(label: str, work: Callable[[], T]) -> T:
        if not console.is_terminal:
            result = work()
        else:
            with console.status(escape(label)):
                result = work()
        console.print(f"[green]✓[/green] {escape(label)}", highlight=False)
        return result

    yield step


def _silent(done: int, total: int) -> None:
    """Nobody watches."""


def plain(part: Part) -> str:
    """A part as lines of tab-separated values, for pipes and files."""
    if isinstance(part, str):
        return part
    if isinstance(part, Fields):
        return "\n".join(f"{name}\t{_cell(value)}" for name, value in part.pairs)
    if not part.rows:
        return part.empty
    lines = [part.columns, *([_cell(value) for value in row] for row in part.rows)]
    return "\n".join("\t".join(line) for line in lines)


def dumped(document: Any) -> str:
    """JSON as the command line prints it."""
    return json.dumps(document, indent=2, ensure_ascii=False, default=_plain_value)


def line(document: Any) -> str:
    """JSON on one line, for commands that go on telling."""
    return json.dumps(document, ensure_ascii=False, default=_plain_value)


def _table(part: Rows | Fields) -> Table | str:
    if isinstance(part, Fields):
        table = Table.grid(padding=(0, 2))
        for name, value in part.pairs:
            table.add_row(f"[bold]{escape(name)}[/bold]", escape(_cell(value)))
        return table
    if not part.rows:
        return part.empty
    table = Table(*part.columns, header_style="bold", box=None, pad_edge=False)
    for row in part.rows:
        table.add_row(*(escape(_cell(value)) for value in row))
    return table


def _cell(value: object) -> str:
    """A value on one line, without characters that could move the cursor."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _plain_value(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)

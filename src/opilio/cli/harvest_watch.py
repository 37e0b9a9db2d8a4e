"""`opilio harvest watch`: a harvest as it goes, until it ends."""

import sys
import threading
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live as Screen
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table

from opilio.cli import output
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer
from opilio.curation.harvest_words import lasting
from opilio.curation.queries import harvest_live
from opilio.curation.queries import harvests as query
from opilio.curation.queries.harvest_live import Live
from opilio.curation.words import HarvestState

_LOST = (HarvestState.ABORTED, HarvestState.REJECTED)
_HOSTS, _URLS = 6, 10


def register(app: typer.Typer) -> None:
    """Give `opilio harvest` this command."""
    catalogue_command(app, "watch")(watch)


def watch(
    harvest: Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)],
    every: Annotated[float, typer.Option(help="Seconds between two looks.", min=0.05, max=3600)] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Show it once, and end.")] = False,
) -> Answer | None:
    """Show a harvest as it goes, until it ends; with --json, one line for each change. Code 1: it was aborted."""
    states = _states(harvest, every, once=once)
    if output.as_json():
        last = _lines(states)
    elif sys.stdout.isatty():
        last = _screen(states)
    else:
        last = _words(states)
    if last.document["state"] in _LOST:
        raise typer.Exit(1)
    return None


def _states(harvest: int, every: float, *, once: bool) -> Iterator[Live]:
    """Each state that differs from the one before; the last one is over, unless one is enough."""
    before = ""
    while True:
        found = harvest_live.live(query.harvest(operator(), harvest))
        if found.mark != before:
            before = found.mark
            yield found
        if found.over or once:
            return
        _pause(every)


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)


def _lines(states: Iterator[Live]) -> Live:
    for state in states:
        output.tell(output.line(state.document))
    return state


def _words(states: Iterator[Live]) -> Live:
    """One line for each state, where nobody watches the screen."""
    for state in states:
        output.tell(_line(state.document))
    return state


def _screen(states: Iterator[Live]) -> Live:
    with Screen(console=Console(highlight=False), auto_refresh=False) as screen:
        for state in states:
            screen.update(drawn(state.document), refresh=True)
    return state


def _line(told: dict[str, Any]) -> str:
    figures, rates = told["figures"] or {}, told["rates"]
    parts = [
        told["state_label"], f"{figures.get('urls_down', 0):,} URLs", f"{figures.get('urls_failed', 0):,} failed",
        f"{figures.get('urls_waiting', 0):,} waiting", f"{figures.get('data_amount', 0):,} bytes",
        f"{rates['urls']:.1f} URLs/s", f"{rates['bytes'] / 1000:,.1f} kB/s", lasting(figures.get("elapsed", 0)),
    ]  # fmt: skip
    return " · ".join(parts)


def drawn(told: dict[str, Any]) -> RenderableType:
    """A state as a screen shows it."""
    figures = told["figures"] or {}
    done = figures.get("urls_down", 0) + figures.get("urls_failed", 0)
    bar = ProgressBar(total=max(1, done + figures.get("urls_waiting", 0)), completed=done, width=60)
    reason = [escape(_plain(told["reason"]))] if told["reason"] else []
    return Group(f"[bold]{escape(_line(told))}[/bold]", *reason, bar, _hosts(told["hosts"]), _recent(told["recent"]))


def _hosts(hosts: list[dict[str, Any]]) -> Table:
    table = Table("host", "URLs", "errors", "next", "back-off", box=None, pad_edge=False, header_style="bold")
    for host in hosts[:_HOSTS]:
        rest = f"{host['resting']:.0f} s" if host["resting"] > 0 else "–"
        following = f"{host['due']:.1f} s" if host["due"] > 0 else "now"
        table.add_row(escape(_plain(host["name"])), f"{host['pages']:,}", f"{host['errors']:,}", following, rest)
    return table


def _recent(urls: list[dict[str, Any]]) -> Table:
    table = Table("outcome", "status", "last URLs", box=None, pad_edge=False, header_style="bold")
    for one in urls[:_URLS]:
        status = "–" if one["status"] is None else str(one["status"])
        table.add_row(escape(_plain(one["outcome"])), status, escape(_plain(one["url"])))
    return table


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)

"""`opilio delivery run`: a session here and now; `opilio delivery start`: one that an agent runs."""

import datetime
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from opilio.cli.bars import bars
from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.output import Answer, Fields, Rows
from opilio.deliveries.states import Phase, Status
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.server import place
from opilio.server.database_errors import mapped_database_errors
from opilio.tracker import profiles, sessions
from opilio.tracker.actions.sessions import start_session
from opilio.tracker.clerk import SessionRuns
from opilio.tracker.delivery_folder import delivery_files
from opilio.tracker.errors import SessionFailed
from opilio.tracker.queries import deliveries as query
from opilio.tracker.sessions import Ended, Wishes

_PROFILE = Annotated[str, typer.Option("--profile", help="Profile of the centres that are visited.")]
_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_TASKS = ("phase", "status", "comment")
_LINES = ("action", "name", "became", "source", "size", "why")


def add_to(app: typer.Typer) -> None:
    """Put the commands under `opilio delivery`."""
    catalogue_command(app, "run")(run)
    catalogue_command(app, "start")(start)


def run(
    using: _PROFILE = "impc",
    downloaders: Annotated[int, typer.Option(min=1, max=64, help="Deliveries fetched at once.")] = 2,
    validators: Annotated[int, typer.Option(min=1, max=64, help="Documents validated at once.")] = 1,
    limit: Annotated[float, typer.Option(min=1, max=86_400, help="Seconds that listing a source may take.")] = 600.0,
    every: Annotated[str, typer.Option(help="Run again after so long, as 6h or 30m; empty: once.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be fetched; fetch nothing.")] = False,
) -> Answer:
    """Run a delivery session here. Ends with 1 if some files failed, 2 if it could not be done, 3 if another runs."""
    pause = _seconds(every)
    with _told_to_stop() as stop, bars() as told:
        wishes = Wishes(
            profile=profiles.named(using), files=delivery_files(), by=operator().username,
            downloaders=downloaders, validators=validators, limit=limit, told=told, stopped=stop.is_set,
            lease=datetime.timedelta(seconds=settings().agent_lease_seconds), dry_run=dry_run,
        )  # fmt: skip
        ended = _session(wishes)
        while pause and not stop.wait(pause):
            ended = _next(wishes) or ended
    return _ended(ended)


def start(
    using: _PROFILE = "impc",
    downloaders: Annotated[int | None, typer.Option(min=1, max=64, help="Deliveries fetched at once.")] = None,
    validators: Annotated[int | None, typer.Option(min=1, max=64, help="Documents validated at once.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be fetched; fetch nothing.")] = False,
) -> Answer:
    """Have an agent run a delivery session."""
    job = start_session(operator(), profile=using, downloaders=downloaders, validators=validators, dry_run=dry_run)
    return Answer(document={"job": str(job)}, parts=[Fields(pairs=[("job", job)])])


def _session(wishes: Wishes) -> Ended:
    """A session, whose troubles have codes of their own."""
    try:
        with mapped_database_errors(place.where()):
            return sessions.run(wishes)
    except SessionRuns:
        raise
    except OpilioError as error:
        raise SessionFailed(error.what, where=error.where, remedy=error.remedy) from error


def _next(wishes: Wishes) -> Ended | None:
    """One of many sessions: what keeps it from being done is told, and the next one is tried in its time."""
    try:
        return _session(wishes)
    except (SessionRuns, SessionFailed) as error:
        typer.echo(str(error), err=True)
        return None


def _ended(ended: Ended) -> Answer:
    tasks = [dict(zip(_TASKS, task, strict=True)) for task in ended.tasks]
    account = ended.account
    lines = [
        {"action": one.action, "name": one.name, "became": one.became.value, "source": one.source, "size": one.size,
         "why": one.why}
        for one in (account.lines if account else ())
    ]  # fmt: skip
    away = dict(account.away) if account else {}
    counts = _counts()
    document = {
        "session": str(ended.session), "tasks": tasks, "offered": lines, "deliveries": counts, "away": away,
        "disagree": list(account.disagree) if account else [],
    }  # fmt: skip
    told = [(one["phase"], "failed" if one["status"] else "ok", one["comment"]) for one in tasks]
    parts: list[Any] = [Rows(columns=_TASKS, rows=told)]
    if lines:
        parts.append(Rows(columns=_LINES, rows=[tuple(one.values()) for one in lines]))
    parts.append(Fields(pairs=sorted(counts.items())))
    parts += [f"{name}: {why}" for name, why in away.items()]
    return Answer(document=document, parts=parts, exit_code=0 if ended.good else 1)


def _counts() -> dict[str, int]:
    """How many deliveries stand where."""
    counts: dict[str, int] = {}
    for (_, phase, state), number in query.matrix(operator()).items():
        name = f"{Phase(phase).title.lower()} {Status(state).name.lower()}"
        counts[name] = counts.get(name, 0) + number
    return counts


@contextmanager
def _told_to_stop() -> Iterator[threading.Event]:
    """Set by SIGTERM and SIGINT: the session ends where nothing is half done."""
    stop = threading.Event()
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {one: signal.signal(one, lambda *_: stop.set()) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _seconds(text: str) -> float:
    if not text:
        return 0.0
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not number.isascii() or not number.isdecimal() or not 0 < int(number) <= 10_000:
        raise InvalidInput(f"{text!r} is no length of time", where="--every", remedy="Write it as 30m, 6h or 1d.")
    return float(int(number) * _UNITS[unit])

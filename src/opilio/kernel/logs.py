"""Structured logs: for people on a terminal, as JSON lines everywhere else, always without secrets.

`configure` is called once, by a program; modules take `log = logger(__name__)` and write events, not prose:
`log.info("fetched", url=url, status=200)`. Names of events are listed in `events`.
"""

import contextlib
import json
import logging
import secrets
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TextIO

import structlog
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.stdlib import BoundLogger, ProcessorFormatter
from structlog.typing import EventDict, Processor, WrappedLogger

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import BadSetting
from opilio.kernel.redaction import plain_fields, text

LEVELS = ("debug", "info", "warning", "error", "critical")

_LONGEST_TRACE = 16_000  # characters


def logger(name: str) -> BoundLogger:
    """The logger of a module. It works, and hides secrets, also when the program never called `configure`."""
    processors: list[Processor] = [
        structlog.stdlib.filter_by_level,
        merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.processors.format_exc_info,
        hide_secrets,
        ProcessorFormatter.wrap_for_formatter,
    ]
    found: BoundLogger = structlog.wrap_logger(logging.getLogger(name), processors, BoundLogger)
    return found


def configure(
    *, as_json: bool | None = None, level: str = "info", stream: TextIO | None = None, clock: Clock = SYSTEM
) -> None:
    """Send all logs, ours and those of libraries, to one stream (standard error unless told otherwise).

    `as_json` None means: JSON unless the stream is a terminal. Calling it again replaces the former configuration.
    """
    if level not in LEVELS:
        raise BadSetting(f"{level!r} is not a log level", remedy=f"Choose one of: {', '.join(LEVELS)}.")
    target = stream if stream is not None else sys.stderr
    handler = logging.StreamHandler(target)
    handler.setFormatter(_formatter(target, as_json if as_json is not None else not target.isatty(), clock))
    root = logging.getLogger()
    for former in root.handlers[:]:
        root.removeHandler(former)
    root.addHandler(handler)
    root.setLevel(level.upper())
    adopt_libraries()


def adopt_libraries() -> None:
    """Let loggers that libraries gave handlers of their own speak through ours; again after a library set them up."""
    for found in list(logging.Logger.manager.loggerDict.values()):
        if isinstance(found, logging.Logger):
            found.handlers.clear()
            found.propagate = True


@contextlib.contextmanager
def bound(**values: object) -> Iterator[None]:
    """Add values to every event inside the block, in this task or thread: `with bound(correlation=…):`."""
    with bound_contextvars(**values):
        yield


def correlation() -> str | None:
    """The correlation id of the work at hand, if it has one."""
    found = structlog.contextvars.get_contextvars().get("correlation")
    return found if isinstance(found, str) else None


def new_correlation() -> str:
    """An id that ties together the events, the audit rows and the answer of one request or job."""
    return secrets.token_hex(8)


def hide_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The processor that takes out secrets, bounds sizes and makes control characters visible."""
    kept = {name: event.pop(name) for name in ("_record", "_from_structlog") if name in event}
    trace = event.pop("exception", None)
    cleaned = plain_fields(event)
    if trace is not None:
        cleaned["exception"] = "\n".join(f"  | {text(line)}" for line in str(trace)[:_LONGEST_TRACE].splitlines())
    return cleaned | kept


def _formatter(stream: TextIO, as_json: bool, clock: Clock) -> logging.Formatter:
    foreign: list[Processor] = [
        merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.processors.format_exc_info,
        _as_library_event,
        hide_secrets,
    ]
    last = [_ordered, _json] if as_json else [_ordered, _human(stream)]
    processors: list[Processor] = [_stamp(clock), ProcessorFormatter.remove_processors_meta, *last]
    return ProcessorFormatter(foreign_pre_chain=foreign, processors=processors)


def _as_library_event(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    return {**event, "event": "library", "message": event.get("event", "")}


def _stamp(clock: Clock) -> Processor:
    """Adds time and level; the time comes from the clock, not from the record."""

    def stamp(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        record: logging.LogRecord = event["_record"]
        return {**event, "time": _iso(clock.now()), "level": record.levelname.lower()}

    return stamp


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _ordered(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    first = {name: event[name] for name in ("time", "level", "event") if name in event}
    return {**first, **event}


def _json(_: WrappedLogger, __: str, event: EventDict) -> str:
    return json.dumps(event, default=str)


def _human(stream: TextIO) -> Callable[[WrappedLogger, str, EventDict], str]:
    render = structlog.dev.ConsoleRenderer(
        colors=stream.isatty(), timestamp_key="time", exception_formatter=structlog.dev.plain_traceback
    )
    encoding = getattr(stream, "encoding", None) or "utf-8"

    def human(wrapped: Any, name: str, event: EventDict) -> str:
        return render(wrapped, name, event).encode(encoding, "backslashreplace").decode(encoding)

    return human

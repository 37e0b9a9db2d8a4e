"""Spans of work, for those who want to see where time goes. Nothing happens until a program installs a tracer.

`with span("harvest", harvest=12):` is all that a module writes. Inside, every log line carries the id of the trace; one
correlation is one trace, so that a request and the jobs behind it are shown together.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from opilio.kernel import logs

Value = str | int | float | bool


@dataclass(frozen=True, kw_only=True)
class Began:
    """A span that has begun; the ids are hexadecimal, as W3C Trace Context writes them."""

    trace: str
    span: str


class Tracer(Protocol):
    """Records spans and hands them on; it must neither raise nor wait for the network."""

    def begin(self, name: str, *, correlation: str, attributes: Mapping[str, Value]) -> AbstractContextManager[Began]:
        """A span for the length of the block; an exception that leaves the block marks it as failed."""
        ...


class _Installed:
    tracer: Tracer | None = None


def install(tracer: Tracer | None) -> None:
    """Record from now on with this tracer, or not any more."""
    _Installed.tracer = tracer


@contextmanager
def span(name: str, **attributes: Value) -> Iterator[None]:
    """Record the block as a span, if somebody wants that."""
    tracer = _Installed.tracer
    if tracer is None:
        yield
        return
    with (
        tracer.begin(name, correlation=logs.correlation() or "", attributes=attributes) as began,
        logs.bound(trace=began.trace, span=began.span),
    ):
        yield

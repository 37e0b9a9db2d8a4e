"""Hears which audit entries are written while something is done, so that a trial can tell what it would change."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from opilio.people.models import AuditEntry

_HEARD: ContextVar[list[AuditEntry] | None] = ContextVar("heard", default=None)


def heard(entry: AuditEntry) -> None:
    """An entry is written."""
    listening = _HEARD.get()
    if listening is not None:
        listening.append(entry)


@contextmanager
def overheard() -> Iterator[list[AuditEntry]]:
    """The entries that are written inside, in their order."""
    entries: list[AuditEntry] = []
    token = _HEARD.set(entries)
    try:
        yield entries
    finally:
        _HEARD.reset(token)

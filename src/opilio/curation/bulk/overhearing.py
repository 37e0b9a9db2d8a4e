"""Hears which audit entries are written while something is done, so that a trial can tell what it would change."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models.signals import post_save

_HEARD: ContextVar[list[Any] | None] = ContextVar("heard", default=None)


def _hear(sender: Any, instance: Any, **_: Any) -> None:
    heard = _HEARD.get()
    if heard is not None:
        heard.append(instance)


post_save.connect(_hear, sender="people.AuditEntry", dispatch_uid="opilio.curation.bulk.overhearing")


@contextmanager
def overheard() -> Iterator[list[Any]]:
    """The entries that are written inside, in their order."""
    heard: list[Any] = []
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)

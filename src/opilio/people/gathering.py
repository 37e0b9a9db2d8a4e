"""Lets actions that are done together in one transaction write together what only adds, or needs doing but once.

Inside of `gathered` such rows and such work wait until the end of the transaction; outside nothing waits. Nothing may
be gathered that another of these actions reads. Whoever takes an action back, takes back to a mark what it gathered.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import models

Item = TypeVar("Item")
Mark = tuple[int, int]


@dataclass(kw_only=True, eq=False)
class Gathered:
    """What waits."""

    rows: list[models.Model] = field(default_factory=list)
    work: list[tuple[Callable[[Sequence[Any]], object], Any]] = field(default_factory=list)

    def mark(self) -> Mark:
        """How much waits by now."""
        return len(self.rows), len(self.work)

    def back_to(self, mark: Mark) -> None:
        """Forget what came after a mark."""
        del self.rows[mark[0] :], self.work[mark[1] :]

    def write(self) -> None:
        """Do the work, each kind once with all that it was given; then store the rows, also those that it made."""
        while self.work:
            work, self.work = self.work, []
            for do in dict.fromkeys(do for do, _ in work):
                do([item for other, item in work if other is do])
        tables: dict[type[models.Model], list[models.Model]] = {}
        for row in self.rows:
            tables.setdefault(type(row), []).append(row)
        self.rows = []
        for model, rows in tables.items():
            model._default_manager.bulk_create(rows)


_GATHERED: ContextVar[Gathered | None] = ContextVar("gathered", default=None)


@contextmanager
def gathered() -> Iterator[Gathered]:
    """What is added inside is written at the end; after an error nothing is."""
    waiting = Gathered()
    token = _GATHERED.set(waiting)
    try:
        yield waiting
        waiting.write()
    finally:
        _GATHERED.reset(token)


@contextmanager
def together() -> Iterator[None]:
    """Rows that are added inside are written at once, unless they wait for more."""
    if _GATHERED.get() is not None:
        yield
        return
    with gathered():
        yield


def add(row: models.Model) -> None:
    """Store a new row, now or with others."""
    waiting = _GATHERED.get()
    if waiting is None:
        row.save()
    else:
        waiting.rows.append(row)


def once_for_all(do: Callable[[Sequence[Item]], object], item: Item) -> None:
    """Do something with an item, now or once with those of others."""
    waiting = _GATHERED.get()
    if waiting is None:
        do([item])
    else:
        waiting.work.append((do, item))

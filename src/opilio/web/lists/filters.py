"""The filters of lists. Each reads a text from the address and narrows the rows, or says why it cannot."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from django.db.models import Q, QuerySet

from opilio.people.actor import Actor
from opilio.web import zones
from opilio.web.lists.containing import contain

Options = Sequence[tuple[str, str]]  # value and label

LONGEST = 200  # characters of a filter's value
_YEARS = range(1900, 2200)


class FilterFault(Exception):
    """A value that the filter cannot use, told beside it."""


class Filter(Protocol):
    """Narrows rows. Gives no rows rather than all when the value cannot be used."""

    kind: ClassVar[str]  # which control the template draws

    @property
    def name(self) -> str:
        """Its name in the address."""
        ...

    @property
    def label(self) -> str:
        """What people read beside it."""
        ...

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        """The rows that match, or `FilterFault`."""
        ...

    def options(self, actor: Actor) -> Options:
        """What can be chosen; empty for filters that take any text."""
        ...


@dataclass(frozen=True, kw_only=True)
class Words:
    """Rows in which one of some columns contains each of the words."""

    kind: ClassVar[str] = "words"
    name: str = "q"
    label: str = "Search"
    columns: tuple[str, ...] = ()

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        for word in value.split()[:5]:
            rows = rows.filter(contain(rows.model, self.columns, word))
        return rows

    def options(self, actor: Actor) -> Options:
        return ()


@dataclass(frozen=True, kw_only=True)
class Exact:
    """Rows in which a column is just this; for tables too large to be searched in any other way."""

    kind: ClassVar[str] = "text"
    name: str
    label: str
    column: str
    suggested: Callable[[], Sequence[str]] = tuple

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        return rows.filter(**{self.column: value})

    def options(self, actor: Actor) -> Options:
        return [(text, text) for text in self.suggested()]


@dataclass(frozen=True, kw_only=True)
class Identifier:
    """Rows in which a column is this identifier."""

    kind: ClassVar[str] = "text"
    name: str
    label: str
    column: str

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        if not value.isascii() or not value.isdecimal() or len(value) > 18:
            raise FilterFault("Write the number of a row.")
        return rows.filter(**{self.column: int(value)})

    def options(self, actor: Actor) -> Options:
        return ()


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Rows in which a column is one of the offered values."""

    kind: ClassVar[str] = "choice"
    name: str
    label: str
    column: str
    offered: Callable[[Actor], Options]

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        if len(value) > 18 and value.isdecimal():
            raise FilterFault("Choose one of the list.")
        try:
            return rows.filter(**{self.column: value})
        except ValueError as error:  # text where the column holds numbers
            raise FilterFault("Choose one of the list.") from error

    def options(self, actor: Actor) -> Options:
        return self.offered(actor)


@dataclass(frozen=True, kw_only=True)
class States:
    """Rows in one of some named states."""

    kind: ClassVar[str] = "choice"
    name: str
    label: str
    states: Mapping[str, tuple[str, Q]]  # value → label, condition

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        if value not in self.states:
            raise FilterFault("Choose one of the list.")
        return rows.filter(self.states[value][1])

    def options(self, actor: Actor) -> Options:
        return [(value, label) for value, (label, _) in self.states.items()]


@dataclass(frozen=True, kw_only=True)
class Day:
    """Rows from the beginning of a day on, or up to its end, in the reader's zone."""

    kind: ClassVar[str] = "day"
    name: str
    label: str
    column: str
    until: bool = False

    def narrowed(self, rows: QuerySet[Any], value: str, zone: datetime.tzinfo) -> QuerySet[Any]:
        try:
            day = datetime.date.fromisoformat(value)
        except ValueError as error:
            raise FilterFault("Write a day as 2026-01-31.") from error
        if day.year not in _YEARS:
            raise FilterFault(f"Write a day between {_YEARS.start} and {_YEARS.stop}.")
        if self.until:
            return rows.filter(**{f"{self.column}__lt": zones.start_of(day + datetime.timedelta(days=1), zone)})
        return rows.filter(**{f"{self.column}__gte": zones.start_of(day, zone)})

    def options(self, actor: Actor) -> Options:
        return ()

"""A list as its page declares it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from django.db.models import QuerySet

from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.columns import Column, Row
from opilio.web.lists.filters import Filter


@dataclass(frozen=True, kw_only=True)
class Empty:
    """What an empty list says, and what to do next."""

    title: str
    text: str
    icon: str = "inbox"


@dataclass(frozen=True, kw_only=True)
class New:
    """The button that makes another row."""

    label: str
    path: str
    privilege: Privilege


@dataclass(frozen=True, kw_only=True)
class Tab:
    """A sibling of the list."""

    label: str
    path: str
    here: bool
    count: int | None = None  # how many are there


@dataclass(frozen=True, kw_only=True)
class ListPage(Generic[Row]):
    """All that differs between one list and another."""

    name: str  # under which saved views remember it
    path: str
    title: str
    intro: str
    words: tuple[str, str]  # one of them, several of them
    rows: Callable[[Actor], QuerySet[Row]]
    columns: tuple[Column[Row], ...]
    order: tuple[str, ...]  # the order unless somebody chose another; ends with something unique
    empty: Empty
    filters: tuple[Filter, ...] = ()
    bulk: tuple[Bulk, ...] = ()
    new: New | None = None
    tabs: tuple[Tab, ...] = ()
    above: str = ""  # template of what stands above the filters; it finds `extra` as `page.extra`
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sortable(self) -> tuple[str, ...]:
        """The names of the columns that sort."""
        return tuple(column.name for column in self.columns if column.sort)

    def ordered(self, rows: QuerySet[Row], sort: str, descending: bool) -> QuerySet[Row]:
        """The rows in the order that was asked for."""
        column = next((column for column in self.columns if column.name == sort), None)
        if column is None:
            return rows.order_by(*self.order)
        sign = "-" if descending else ""
        return rows.order_by(f"{sign}{column.sort}", f"{sign}id")  # of a target, that is in the table of its name

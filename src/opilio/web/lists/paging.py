"""Cuts a set of rows into pages without ever counting a large table to its end."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

CAP = 10_000  # rows that are counted, and that can be paged through; a filter leads to the rest


@dataclass(frozen=True, kw_only=True)
class Total:
    """How many rows there are, as far as it was counted."""

    count: int
    capped: bool

    def __str__(self) -> str:
        return f"{self.count:,}+" if self.capped else f"{self.count:,}"


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of rows."""

    number: int
    last: int
    size: int
    total: Total

    @property
    def start(self) -> int:
        return (self.number - 1) * self.size

    @property
    def first_shown(self) -> int:
        return self.start + 1 if self.total.count else 0

    @property
    def last_shown(self) -> int:
        return min(self.start + self.size, self.total.count)

    @property
    def previous(self) -> int:
        return self.number - 1 if self.number > 1 else 0

    @property
    def following(self) -> int:
        return self.number + 1 if self.number < self.last else 0


def counted(rows: QuerySet[Any], cap: int = CAP) -> Total:
    """Count, but no further than `cap`."""
    count = rows.order_by().values("pk")[: cap + 1].count()
    return Total(count=min(count, cap), capped=count > cap)


def page(total: Total, *, asked: int, size: int) -> Page:
    """The page that was asked for, or the nearest there is."""
    last = max(1, -(-total.count // size))
    return Page(number=min(asked, last), last=last, size=size, total=total)


def cut_out(rows: QuerySet[Any], page: Page) -> list[Any]:
    """The rows of one page.

    Where there are more than these, their keys are found first: with all columns and what is joined to them a database
    sorts far more than it must.
    """
    if page.total.count <= page.size:
        return list(rows[: page.size])
    keys = list(rows.values_list("pk", flat=True)[page.start : page.start + page.size])
    found = {row.pk: row for row in rows.order_by().filter(pk__in=keys)}
    return [found[key] for key in keys if key in found]

"""Pages of long lists: each answer holds a signed cursor that says where the next page starts.

A cursor names the last row by its sort column and identifier, so a page costs the same at the end of a million rows
as at the start, nothing is counted, and rows that come or go elsewhere neither repeat nor skip others.
"""

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from ninja import Schema
from pydantic import Field

from opilio.api.errors import BadCursor
from opilio.api.schemas import Answer

MOST = 500
_SALT = "opilio.api.cursor"
_LONGEST = 2_000  # characters of a cursor

Shown = TypeVar("Shown", bound=Schema)
Row = TypeVar("Row", bound=Model)


class Paging(Schema):
    """Which part of a list is asked for."""

    limit: Annotated[int, Field(ge=1, le=MOST, description="How many items at most.")] = 50
    cursor: Annotated[str, Field(max_length=_LONGEST, description="`next` of the page before; empty: the start.")] = ""


class Page(Answer, Generic[Shown]):
    """A part of a list."""

    items: list[Shown]
    next: str | None = Field(description="Cursor of the next page; null on the last one.")


@dataclass(frozen=True, kw_only=True)
class Order:
    """How a list is sorted: by a column that is never empty, then by identifier, both in the same direction."""

    name: str  # of the list; a cursor of one list is refused by another
    column: str
    newest_first: bool = False

    @property
    def columns(self) -> tuple[str, str]:
        """As `order_by` takes them."""
        sign = "-" if self.newest_first else ""
        return f"{sign}{self.column}", f"{sign}id"

    def after(self, value: Any, identifier: int) -> Q:
        """The rows behind the one with this value and identifier; the first part lets an index be used."""
        side = "lt" if self.newest_first else "gt"
        reached = Q(**{f"{self.column}__{side}e": value})
        return reached & (Q(**{f"{self.column}__{side}": value}) | Q(**{f"id__{side}": identifier}))


def page(
    rows: QuerySet[Row], order: Order, paging: Paging, schema: type[Shown], shown: Callable[[Row], Shown] | None = None
) -> Page[Shown]:
    """One page of the rows, each as `schema` reads it from the row, or as `shown` makes it."""
    if paging.cursor:
        rows = rows.filter(order.after(*_opened(paging.cursor, order)))
    found = list(rows.order_by(*order.columns)[: paging.limit + 1])
    part, more = found[: paging.limit], len(found) > paging.limit
    items = [shown(row) if shown else schema.from_orm(row) for row in part]
    # The items are valid by now; checking them again would read them as rows once more.
    return Page[schema].model_construct(items=items, next=_sealed(part[-1], order) if more else None)  # type: ignore[valid-type]  # the class at run time


def _sealed(row: Model, order: Order) -> str:
    value = getattr(row, order.column)
    moment = isinstance(value, datetime.datetime)
    text = value.isoformat() if moment else value
    return signing.dumps([order.name, moment, text, str(row.pk)], salt=_SALT)


def _opened(cursor: str, order: Order) -> tuple[Any, int]:
    try:
        name, moment, text, identifier = signing.loads(cursor, salt=_SALT)
    except signing.BadSignature as error:
        raise _refused("The cursor was not made here, or was changed") from error
    if name != order.name:
        raise _refused("The cursor belongs to another list")
    return (datetime.datetime.fromisoformat(text) if moment else text), int(identifier)


def _refused(what: str) -> BadCursor:
    return BadCursor(what, where="cursor", remedy="Start again without a cursor; follow `next` as it is.")

"""A column of a list: what stands in it, whether it sorts, whether it shows unless somebody chose otherwise."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import Model

from opilio.web.lists.cells import Cell

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, kw_only=True)
class Column(Generic[Row]):
    """One column."""

    name: str
    label: str
    cell: Callable[[Row], Cell]
    sort: str = ""  # the table's column; empty: cannot be sorted by
    shown: bool = True
    exported: bool = True
    numeric: bool = False

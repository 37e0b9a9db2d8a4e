"""Rows in which one of some columns contains a word."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import ForeignKey, Model, Q


def contain(model: type[Model], columns: Sequence[str], word: str) -> Q:
    """Columns of other tables are looked through once, instead of once for each row that refers to them.

    Where there are such, each table is asked apart and the keys are united: a condition with OR over several tables
    could use the index of none.
    """
    foreign = [column for column in columns if _foreign(model, column)]
    own = [Q(**{f"{column}__icontains": word}) for column in columns if column not in foreign]
    asked = [*([reduce(or_, own)] if own else []), *(_referring(model, column, word) for column in foreign)]
    if len(asked) < 2:
        return asked[0] if asked else Q()
    first, *others = [model._base_manager.filter(one).order_by().values("pk") for one in asked]
    return Q(pk__in=first.union(*others, all=True))


def _foreign(model: type[Model], column: str) -> bool:
    first, _, rest = column.partition("__")
    return bool(rest) and "__" not in rest and isinstance(model._meta.get_field(first), ForeignKey)


def _referring(model: type[Model], column: str, word: str) -> Q:
    first, _, rest = column.partition("__")
    related: Any = model._meta.get_field(first).related_model
    found = related._base_manager.filter(**{f"{rest}__icontains": word})
    return Q(**{f"{first}__in": found.order_by().values("pk")})

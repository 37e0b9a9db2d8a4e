"""Checks a row before it is saved: all of a new one, of a changed one what changes and the rules that this touches."""

import functools
from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from opilio.people.errors import InvalidFields

_NEVER = "updated_by"  # whoever acts is known already


def check(row: models.Model, changed: Collection[str] | None, *, where: str) -> None:
    """`InvalidFields` unless the row may be saved; `changed` names columns, None stands for a new row."""
    try:
        _clean(row, changed)
    except ValidationError as error:
        raise InvalidFields(error.message_dict, where=where) from error
    faults = _too_long(row)
    if faults:
        raise InvalidFields(faults, where=where)


def _clean(row: models.Model, changed: Collection[str] | None) -> None:
    """Columns that stay were checked before; asking the database for them again would be most of the work."""
    touched = None if changed is None else {_named(row, name) for name in changed}
    if touched is None or touched & ruled(type(row)):
        row.full_clean(exclude=[_NEVER])
        return
    stays = [field.name for field in row._meta.concrete_fields if field.name not in touched]
    row.full_clean(exclude=[_NEVER, *stays], validate_unique=False, validate_constraints=False)


def _named(row: models.Model, column: str) -> str:
    """The name of a field, which may have been called by its column, as agency_id."""
    return next((field.name for field in row._meta.concrete_fields if field.attname == column), column)


@functools.cache
def ruled(model: type[models.Model]) -> frozenset[str]:
    """The fields about which a rule of the table says something together with others or other rows."""
    found = {field.name for field in model._meta.concrete_fields if field.unique}
    for _, constraints in model().get_constraints():
        for rule in constraints:
            found |= {*getattr(rule, "fields", ())} | _names(getattr(rule, "condition", None))
            found |= {name for each in getattr(rule, "expressions", ()) for name in _names(each)}
    return frozenset(found)


def _names(node: Any) -> set[str]:
    """The fields that a condition or an expression looks at."""
    if isinstance(node, models.Q):
        return {name for child in node.children for name in _names(child)}
    if isinstance(node, tuple):
        path, value = node
        return {str(path).split("__")[0], *_names(value)}
    if isinstance(node, models.F):
        return {str(node.deconstruct()[1][0]).split("__")[0]}
    inner = node.get_source_expressions() if hasattr(node, "get_source_expressions") else ()
    return {name for each in inner for name in _names(each)}


def _too_long(row: models.Model) -> dict[str, list[str]]:
    """Long texts beyond their limit, which Django leaves to forms."""
    texts = ((field.name, field.max_length, getattr(row, field.attname)) for field in row._meta.concrete_fields
             if isinstance(field, models.TextField) and field.max_length)  # fmt: skip
    return {
        name: [f"Write at most {limit:,} characters; this has {len(text):,}."]
        for name, limit, text in texts
        if isinstance(text, str) and len(text) > limit
    }

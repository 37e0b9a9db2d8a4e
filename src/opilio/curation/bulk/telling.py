"""Tells in words what audit entries say: state: Nominated → Approved."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models

from opilio.people.errors import NotFound
from opilio.people.kinds import kind_named

_UNTOLD = frozenset({"state_since", "decided_at", "host"})  # they follow from what is told
_LONGEST = 60  # characters of a value
_MOST = 12  # columns


def told(entries: Sequence[Any]) -> str:
    """What changes, column by column; of other rows that change with it, how many."""
    if not entries:
        return ""
    first = entries[0]
    same = [entry for entry in entries if _subject(entry) == _subject(first)]
    parts = [part for entry in same for part in _columns(entry)][:_MOST]
    others = len(entries) - len(same)
    if others:
        parts.append(f"{others} more {'entry' if others == 1 else 'entries'}: {entries[-1].action}")
    return "; ".join(parts) or first.message or first.action


def _subject(entry: Any) -> tuple[str, int]:
    return entry.subject_type, entry.subject_id


def _columns(entry: Any) -> list[str]:
    model, before, after = _model(entry.subject_type), entry.before, entry.after
    names = [name for name in {**before, **after} if name not in _UNTOLD]
    if not before:  # the row is made
        given = [name for name in names if after.get(name) not in (None, "", False, [])]
        return [f"{_label(name)}: {_shown(model, name, after[name])}" for name in given]
    return [
        f"{_label(name)}: {_shown(model, name, before.get(name))} → {_shown(model, name, after.get(name))}"
        for name in names
    ]


def _model(kind_name: str) -> type[models.Model] | None:
    try:
        return kind_named(kind_name).model
    except NotFound:
        return None  # part of another row


def _label(column: str) -> str:
    return column.removesuffix("_id").replace("_", " ")


def _shown(model: type[models.Model] | None, column: str, value: Any) -> str:
    field = _field(model, column)
    if value in (None, ""):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(str(part) for part in value)[:_LONGEST]
    if isinstance(field, models.ForeignKey):
        return _named(field, value)
    choices = dict(field.flatchoices) if field is not None else {}
    text = str(choices.get(value, value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _field(model: type[models.Model] | None, column: str) -> Any:
    if model is None:
        return None
    try:
        found = model._meta.get_field(column.removesuffix("_id"))
    except FieldDoesNotExist:
        return None
    return found if isinstance(found, models.Field) else None


def _named(field: "models.ForeignKey[Any, Any]", value: Any) -> str:
    row = field.related_model._base_manager.filter(pk=value).first()
    return str(row)[:_LONGEST] if row is not None else f"number {value}"

"""Form fields made from the columns that they fill: length, label and help text come from one place."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db import models

from opilio.people.kinds import Kind
from opilio.people.queries.records import choices, choices_of
from opilio.people.zones import names
from opilio.web.help import field_help

_GARBLED = "\ufffd"


def column(kind: Kind, name: str, **changes: Any) -> Any:
    """The form field of a column."""
    found = kind.model._meta.get_field(name)
    if not isinstance(found, models.Field):
        raise TypeError(f"{kind.name}.{name} is no column")
    words = field_help(kind, name)
    if isinstance(found, models.TextField):
        changes.setdefault("widget", forms.Textarea(attrs={"rows": 3}))
    return found.formfield(label=words.label, help_text=words.text, **changes)


def zone_field(kind: Kind, *, empty: str = "") -> forms.ChoiceField:
    """A time zone; `empty` says what none means."""
    words = field_help(kind, "time_zone")
    offered = [("", empty)] if empty else []
    return forms.ChoiceField(
        label=words.label, help_text=words.text, required=not empty, choices=[*offered, *((n, n) for n in names())]
    )


def listed_field(kind: Kind, name: str, list_name: str, *, kept: str = "") -> forms.ChoiceField:
    """A field that takes its value from a constrained list; a row may keep a retired one."""
    return _listed(kind, name, choices(list_name), kept)


def listed_fields(kind: Kind, lists: Mapping[str, str], kept: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Several such fields, each with the name of its list; all lists are read at once."""
    offered = choices_of(*lists.values())
    return {name: _listed(kind, name, offered[one], str(kept.get(name, ""))) for name, one in lists.items()}


def _listed(kind: Kind, name: str, offered: list[tuple[str, str]], kept: str) -> forms.ChoiceField:
    words = field_help(kind, name)
    if kept and kept not in dict(offered):
        offered.append((kept, f"{kept} (no longer offered)"))
    return forms.ChoiceField(label=words.label, help_text=words.text, required=False, choices=[("", "–"), *offered])


def garbled(value: object) -> bool:
    """Whether a text holds the mark that decoding leaves where bytes were no UTF-8."""
    return isinstance(value, str) and _GARBLED in value

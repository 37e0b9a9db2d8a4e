"""The words beside every field: labels from here, sentences from the tables' own help texts."""

from dataclasses import dataclass

from django.core.exceptions import FieldDoesNotExist

from opilio.people.errors import NotFound
from opilio.people.kinds import Kind, kind_named, kinds

#: Labels that differ from the column's name.
LABELS = {
    "url": "Web address", "logo_url": "Logo", "email": "E-mail", "first_name": "Given name",
    "last_name": "Family name", "username": "User name", "is_active": "Active", "external_auth":
    "External authentication", "agency": "Agency", "tasks_by_email": "Tasks by e-mail", "notifications_by_email":
    "Notifications by e-mail", "notify_on_general": "General notifications", "notify_on_warnings": "Warnings",
    "force_password_change": "New password at next sign-in", "deactivated_at": "Deactivated", "list_name": "List",
    "active": "Can be chosen", "alertable": "Alert", "phone": "Telephone", "shared": "Shared with the agency",
    "copyright_url": "Copyright link", "available": "Publicly available", "response": "Answer of the agent",
}  # fmt: skip
_NOT_SHOWN = frozenset({"id", "password", "last_login", "grants", "deleted", "dirty", "created", "updated",
                        "updated_by", "version", "subject_type", "subject_id"})  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class FieldHelp:
    """What a person reads beside a field."""

    name: str
    label: str
    text: str


def label(name: str) -> str:
    """The label of a column."""
    plain = name.removesuffix("_id")
    return LABELS.get(plain) or plain.replace("_", " ").replace("-", " ").capitalize()


def field_help(kind: Kind, name: str) -> FieldHelp:
    """Label and sentence of one column of a kind."""
    found = kind.model._meta.get_field(name)
    return FieldHelp(name=name, label=label(name), text=str(getattr(found, "help_text", "")))


def audit_label(kind_name: str, name: str) -> str:
    """The label of what an audit entry or a stale page calls by its column."""
    try:
        return field_help(kind_named(kind_name), name.removesuffix("_id")).label
    except (FieldDoesNotExist, NotFound):
        return label(name)


def every_field() -> list[tuple[Kind, list[FieldHelp]]]:
    """All fields that people fill in, by kind, for the help page."""
    pages = []
    for kind in kinds():
        columns = [field for field in kind.model._meta.concrete_fields if field.name not in _NOT_SHOWN]
        shown = [field_help(kind, field.name) for field in columns if field.help_text]
        if shown:
            pages.append((kind, shown))
    return pages

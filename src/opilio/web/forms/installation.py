"""The forms for constrained lists, parameters and messages by hand."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.people.actor import Actor
from opilio.people.kinds import LIST_ENTRY
from opilio.people.list_names import LISTS
from opilio.people.parameters import PARAMETERS, Declared, InForce
from opilio.people.privilege_list import PRIVILEGES
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column
from opilio.web.forms.people import agency_field
from opilio.web.forms.stale import Versions

_VERSION = "version-of-"  # before the name of a parameter


class NewEntryForm(PageForm):
    """A new value of a list."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["list_name"] = forms.ChoiceField(
            label="List", choices=[(one.name, one.label) for one in LISTS],
            help_text="The list that the value belongs to.",
        )  # fmt: skip
        self.fields["value"] = column(LIST_ENTRY, "value")
        self.fields["label"] = column(LIST_ENTRY, "label", required=False)
        self.fields["position"] = column(LIST_ENTRY, "position", max_value=100_000)


class EntryForm(VersionedForm):
    """A value of a list; what is stored stays."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["label"] = column(LIST_ENTRY, "label")
        self.fields["position"] = column(LIST_ENTRY, "position", max_value=100_000)
        self.fields["active"] = column(LIST_ENTRY, "active")


class ParametersForm(PageForm):
    """All parameters of the installation, each with what it showed at first and the version of that.

    So a save writes what was changed in this form only; `parameters.parsed` has the last word on each.
    """

    def __init__(self, request: HttpRequest, *, now: Mapping[str, InForce]) -> None:
        versions = {f"{_VERSION}{name}": one.version for name, one in now.items()}
        super().__init__(request, initial={**{name: one.value for name, one in now.items()}, **versions})
        for declared in PARAMETERS:
            self.fields[declared.name] = _parameter(declared)
            self.fields[f"{_VERSION}{declared.name}"] = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def changed(self) -> dict[str, str]:
        """What was typed over what the form showed at first."""
        return {one.name: str(self.cleaned_data[one.name]) for one in PARAMETERS if one.name in self.changed_data}

    def versions(self) -> dict[str, int]:
        """The versions that the form showed at first."""
        return {one.name: self.cleaned_data[f"{_VERSION}{one.name}"] for one in PARAMETERS}

    def newer(self, now: Mapping[str, InForce]) -> Versions:
        """As they are now; of what was not changed in this form, nothing old is sent again."""
        kept = self.changed()
        sent: dict[str, Any] = {}
        for name, one in now.items():
            sent |= {f"{_VERSION}{name}": one.version, self[name].html_initial_name: one.value}
            sent |= {} if name in kept else {name: one.value}
        return Versions(values={name: now[name].value for name in kept}, sent=sent)


class TaskForm(PageForm):
    """A task that somebody sends by hand."""

    subject = forms.CharField(label="Subject", max_length=255, help_text="What is to be done, in a few words.")
    message = forms.CharField(
        label="Message", required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 5}),
        help_text="All that somebody needs to know to do it.",
    )  # fmt: skip

    def __init__(self, request: HttpRequest, *, actor: Actor, agencies: list[tuple[int, str]]) -> None:
        super().__init__(request)
        self.fields["agency"] = agency_field(agencies, "Whose people should do it.")
        self.fields["privilege"] = forms.ChoiceField(
            label="For holders of", help_text="Everybody in the agency who holds this privilege can claim the task.",
            choices=[(one.privilege.value, f"{one.privilege} – {one.sentence}") for one in PRIVILEGES],
        )  # fmt: skip


class AnnouncementForm(PageForm):
    """Something that all users of an agency should know."""

    subject = forms.CharField(label="Subject", max_length=255, help_text="What it is about, in a few words.")
    message = forms.CharField(
        label="Message", required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 5}),
        help_text="It goes into the in-trays, and by e-mail to those who want that.",
    )  # fmt: skip

    def __init__(self, request: HttpRequest, *, agencies: list[tuple[int, str]]) -> None:
        super().__init__(request)
        self.fields["agency"] = agency_field(agencies, "Whose users are told.")


def _parameter(declared: Declared) -> forms.Field:
    words: dict[str, Any] = {"label": declared.label, "help_text": declared.sentence, "show_hidden_initial": True}
    if isinstance(declared.default, bool):
        return forms.BooleanField(required=False, **words)
    if isinstance(declared.default, int):
        return forms.IntegerField(min_value=declared.minimum, max_value=declared.maximum, **words)
    return forms.CharField(required=False, max_length=2_000, **words)

"""The forms with which people decide about results, and those of flags."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import FLAG
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column
from opilio.web.forms.targets import Choices

_TEXT = forms.Textarea(attrs={"rows": 4})
_COLOUR = forms.TextInput(attrs={"type": "color"})


class EndorseForm(VersionedForm):
    """Why a result is good."""

    note = forms.CharField(
        label="Note", max_length=4_000, required=False, widget=_TEXT, help_text="Kept with the decision."
    )


class NoteForm(PageForm):
    """Why a harvest is good."""

    note = forms.CharField(
        label="Note", max_length=4_000, required=False, widget=_TEXT, help_text="Kept with the decision."
    )


class RejectHarvestForm(PageForm):
    """Why a harvest is not good."""

    def __init__(
        self, request: HttpRequest, *, reasons: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        self.fields["reason"] = forms.TypedChoiceField(label="Reason", choices=[("", "Choose …"), *reasons], coerce=int)
        self.fields["note"] = forms.CharField(label="Note", max_length=3_000, required=False, widget=_TEXT)


class RejectResultForm(RejectHarvestForm, VersionedForm):
    """Why a result is not good."""


class WhyForm(VersionedForm):
    """Why something is undone."""

    why = forms.CharField(label="Why", max_length=4_000, widget=_TEXT, help_text="Kept with the record of the result.")


class ProvenanceForm(VersionedForm):
    """Where a result came from."""

    note = forms.CharField(
        label="Provenance", max_length=32_000, required=False, widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Goes with the result into the package.",
    )  # fmt: skip


class DelistForm(PageForm):
    """Why a target need not be harvested any more."""

    reason = forms.CharField(label="Why", max_length=4_000, widget=_TEXT, help_text="Kept in the audit log.")


class PutFlagForm(PageForm):
    """Which flag a harvest gets."""

    def __init__(
        self, request: HttpRequest, *, flags: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        self.fields["flag"] = forms.TypedChoiceField(
            label="Flag", choices=[("", "None"), *flags], coerce=int, empty_value=None, required=False
        )


class FlagForm(PageForm):
    """A new flag."""

    def __init__(
        self, request: HttpRequest, *, agencies: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(label="Agency", choices=agencies, coerce=int)
        _add_fields(self)


class EditFlagForm(VersionedForm):
    """A flag."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        _add_fields(self)


def _add_fields(form: PageForm) -> None:
    form.fields["name"] = column(FLAG, "name")
    form.fields["colour"] = column(FLAG, "colour", widget=_COLOUR)

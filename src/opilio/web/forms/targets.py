"""The forms for targets: details, access, description, moves, copies, verification."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import DUBLIN_CORE, TARGET
from opilio.curation.words import ELEMENTS
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column, listed_field, listed_fields

Choices = list[tuple[int, str]]
_SELECTION = ("selection_type", "harvest_type", "selection_note", "evaluation_note")
_HARVESTS = ("profile", "profile_note", "run_on_approval", "allow_early_start")
_REVIEW = ("follow_reference", "prune_again")
GENERAL: Groups = (
    ("Target", ("agency", "name", "reference", "description")),
    ("Selection", (*_SELECTION, "request_to_archivists")),
    ("Harvests", _HARVESTS),
    ("Review", _REVIEW),
)
_LABELS = {
    "run_on_approval": "Harvest once when approved", "allow_early_start": "May begin early",
    "follow_reference": "Compare with the last archived harvest", "prune_again": "Prune again",
}  # fmt: skip
_LONG = {"title", "creator", "subject", "publisher", "contributor", "date", "format", "identifier", "source",
         "relation", "coverage"}  # fmt: skip


class _TargetFields(PageForm):
    groups: ClassVar[Groups] = GENERAL

    def __init__(self, request: HttpRequest, *, profiles: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        kept = initial or {}
        for name in ("name", "reference", "description", "selection_note", "evaluation_note", "request_to_archivists",
                     "profile_note", "run_on_approval", "allow_early_start", *_REVIEW):  # fmt: skip
            self.fields[name] = column(TARGET, name)
            self.fields[name].label = _LABELS.get(name, self.fields[name].label)
        self.fields |= listed_fields(TARGET, {"selection_type": "selection-type", "harvest_type": "harvest-type"}, kept)
        self.fields["profile"] = optional_choice("Profile", profiles, "How it is crawled.", empty="None")


class NewTargetForm(_TargetFields):
    """A new target."""

    def __init__(
        self, request: HttpRequest, *, agencies: Choices, profiles: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, profiles=profiles, initial=initial)
        self.fields["profile"].help_text = "How it is crawled; without a choice, by the default of the agency."
        self.fields["agency"] = forms.TypedChoiceField(
            label="Agency", choices=agencies, coerce=int, help_text="Who collects it; this cannot be changed later."
        )


class TargetForm(_TargetFields, VersionedForm):
    """A target's details."""


class AccessForm(VersionedForm):
    """Who may read what was collected."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in ("access_zone", "embargo_days", "display", "display_note", "display_change_reason"):
            self.fields[name] = column(TARGET, name)
        self.fields["access_zone"].help_text = "Who may read what was collected."
        self.fields["embargo_days"].label = "Days of embargo"


class DublinCoreForm(PageForm):
    """The description of a target or group."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    groups = (
        ("Work", ("title", "creator", "publisher", "contributor", "date", "type", "language")),
        ("About", ("subject", "description", "coverage")),
        ("Form and relations", ("format", "source", "relation", "rights")),
        ("Identifiers", ("identifier", "identifier_isbn", "identifier_issn")),
    )

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in ELEMENTS:
            self.fields[name] = column(DUBLIN_CORE, name, **({"widget": forms.TextInput} if name in _LONG else {}))
        kept = str((initial or {}).get("type", ""))
        self.fields["type"] = listed_field(DUBLIN_CORE, "type", "dublin-core-type", kept=kept)
        for name, label in (("identifier_isbn", "ISBN"), ("identifier_issn", "ISSN")):
            self.fields[name].label = label
            self.fields[name].help_text = ""


class RejectForm(PageForm):
    """Why a target is rejected."""

    def __init__(
        self, request: HttpRequest, *, reasons: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        self.fields["reason"] = forms.TypedChoiceField(
            label="Reason", choices=[("", "Choose a reason"), *reasons], coerce=int,
            help_text="The list is the agency's, under Reasons.",
        )  # fmt: skip
        self.fields["note"] = column(TARGET, "rejection_note")
        self.fields["note"].label = "Note"


class CopyForm(PageForm):
    """What the copy of a target is called."""

    name = forms.CharField(label="Name of the copy", max_length=255, strip=True)


class AskForm(PageForm):
    """Whom to ask about the description of a target."""

    email = forms.EmailField(
        label="E-mail of the originator", max_length=255, help_text="Who receives the link; it opens the form once."
    )
    message = forms.CharField(
        label="Your words", required=False, max_length=4_000, widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Stand before the link.",
    )  # fmt: skip


def optional_choice(label: str, choices: Choices, help_text: str, *, empty: str = "–") -> forms.TypedChoiceField:
    """One row of a table, or none."""
    return forms.TypedChoiceField(
        label=label, help_text=help_text, required=False, choices=[("", empty), *choices], coerce=int, empty_value=None
    )  # fmt: skip

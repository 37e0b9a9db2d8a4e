"""The forms for nominations, reasons, and answers of originators."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import DUBLIN_CORE, REJECTION_REASON
from opilio.curation.seed_urls import LONGEST
from opilio.curation.verifying import ELEMENTS
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column
from opilio.web.forms.targets import Choices

_TEXT = forms.Textarea(attrs={"rows": 4})


class NominationForm(PageForm):
    """A site that somebody proposes."""

    url = forms.CharField(label="Address of the site", max_length=LONGEST, help_text="As http://www.example.org/.")
    title = forms.CharField(label="Its name", max_length=255, required=False)
    reason = forms.CharField(label="Why it should be collected", max_length=4_000, required=False, widget=_TEXT)
    name = forms.CharField(label="Your name", max_length=255, required=False)
    email = forms.EmailField(
        label="Your e-mail address", max_length=255, required=False, help_text="If we may ask you something."
    )

    def __init__(
        self, request: HttpRequest, *, agencies: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        field = forms.TypedChoiceField(label="Who should collect it", choices=agencies, coerce=int)
        if len(agencies) == 1:
            field.initial, field.widget = agencies[0][0], forms.HiddenInput()
        self.fields["agency"] = field


class AcceptForm(PageForm):
    """The target that a nomination becomes."""

    name = forms.CharField(label="Name of the target", max_length=255)
    note = forms.CharField(label="Note", max_length=4_000, required=False, widget=_TEXT)


class DeclineForm(PageForm):
    """Why a nomination is not taken up."""

    note = forms.CharField(
        label="Why", max_length=4_000, required=False, widget=_TEXT, help_text="Kept here; nobody outside reads it."
    )


class ReasonForm(PageForm):
    """A new reason for rejections."""

    def __init__(
        self, request: HttpRequest, *, agencies: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(label="Agency", choices=agencies, coerce=int)
        add_reason_fields(self)


class EditReasonForm(VersionedForm):
    """A reason for rejections."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        add_reason_fields(self)


class VerifyForm(PageForm):
    """What an originator says about the description of a site."""

    elements: ClassVar[tuple[str, ...]] = ELEMENTS
    groups = (
        ("What we say about the site; correct what is wrong", ELEMENTS),
        ("Your answer", ("right", "comment", "name", "role")),
    )
    right = forms.BooleanField(
        label="The description is right", required=False, help_text="Or right once your corrections are taken over."
    )
    comment = forms.CharField(label="Remarks", max_length=4_000, required=False, widget=_TEXT)
    name = forms.CharField(label="Your name", max_length=255, required=False)
    role = forms.CharField(label="What you have to do with the site", max_length=255, required=False)

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in ELEMENTS:
            wide = forms.Textarea(attrs={"rows": 2}) if name in ("description", "rights") else forms.TextInput()
            self.fields[name] = column(DUBLIN_CORE, name, widget=wide)


def add_reason_fields(form: PageForm) -> None:
    """What is the same in both forms about a reason."""
    for name in ("name", "for_targets", "for_harvests"):
        form.fields[name] = column(REJECTION_REASON, name)
    form.fields["name"].label = "Reason"

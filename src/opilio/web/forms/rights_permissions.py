"""The forms for permissions: details, exclusions, decisions, requests, what was said, transfer, the answer."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.actions.permission_answers import Word
from opilio.curation.kinds import PERMISSION
from opilio.curation.queries.permissions import CHANNELS
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column, listed_field
from opilio.web.forms.rights import lines_field

Choices = Sequence[tuple[int, str]]
_DATES = ("start_date", "end_date", "open_access_date")
_PLAIN = (
    "available", "copyright_statement", "copyright_url", "special_requirements", "response", "notes",
    "file_reference", "quick_pick", "display_name",
)  # fmt: skip
_GROUPS: Groups = (
    ("Who and what", ("agent", "patterns")),
    ("When", ("start_date", "end_date")),
    ("Access", ("access_status", "open_access_date", "available", "special_requirements")),
    ("Copyright", ("copyright_statement", "copyright_url")),
    ("Quick pick", ("quick_pick", "display_name")),
    ("Record", ("file_reference", "response", "notes")),
)


class _PermissionFields(PageForm):
    groups: ClassVar[Groups] = _GROUPS

    def __init__(
        self, request: HttpRequest, *, agents: Choices, patterns: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["agent"] = forms.TypedChoiceField(
            label="Authorising agent", choices=agents, coerce=int, help_text="Who gives it."
        )
        self.fields["patterns"] = forms.TypedMultipleChoiceField(
            label="URL patterns", choices=patterns, coerce=int, widget=forms.CheckboxSelectMultiple,
            help_text="What it covers; further patterns are added to the authorisation.",
        )  # fmt: skip
        for name in _DATES:
            self.fields[name] = column(PERMISSION, name, widget=_day())
        kept = str((initial or {}).get("access_status", ""))
        self.fields["access_status"] = listed_field(PERMISSION, "access_status", "access-status", kept=kept)
        for name in _PLAIN:
            self.fields[name] = column(PERMISSION, name)


class PermissionForm(_PermissionFields, VersionedForm):
    """A permission's details."""


class NewPermissionForm(_PermissionFields):
    """A new permission."""

    groups = (*_GROUPS, ("What it leaves out", ("exclusions",)), ("Next", ("seek",)))

    def __init__(
        self, request: HttpRequest, *, agents: Choices, patterns: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, agents=agents, patterns=patterns, initial=initial)
        self.fields["exclusions"] = exclusion_lines()
        self.fields["seek"] = forms.BooleanField(
            label="Put it before those who confirm permissions", required=False,
            help_text="A task waits in their in-tray until it is granted or refused.",
        )  # fmt: skip


def exclusion_lines() -> forms.CharField:
    """What a permission leaves out, one on a line."""
    return lines_field("Exclusions", "One URL pattern on a line; after a space the reason, if there is one.")


def parsed_exclusions(text: str) -> list[dict[str, str]]:
    """The lines as URL and reason."""
    pairs = (line.strip().partition(" ") for line in text.splitlines() if line.strip())
    return [{"url": url, "reason": reason.strip()} for url, _, reason in pairs]


class ExclusionsForm(PageForm):
    """What a permission leaves out."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["exclusions"] = exclusion_lines()


class DecisionForm(PageForm):
    """That a permission was granted or refused."""

    response = forms.CharField(
        label="Answer of the authorising agent", required=False, max_length=16_000,
        widget=forms.Textarea(attrs={"rows": 4}), help_text="What was said or written; it is added to the record.",
    )  # fmt: skip


class RequestForm(PageForm):
    """Which text asks for the permission."""

    def __init__(self, request: HttpRequest, *, templates: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["template"] = forms.TypedChoiceField(
            label="Template", choices=templates, coerce=int, help_text="E-mail is sent at once; a letter is shown."
        )


class LogForm(PageForm):
    """Something that was said."""

    channel = forms.ChoiceField(label="By", choices=CHANNELS, initial="phone")
    outgoing = forms.TypedChoiceField(
        label="Direction", choices=[("yes", "We told them"), ("no", "They told us")], coerce=lambda text: text == "yes"
    )
    address = forms.CharField(label="With whom", required=False, max_length=320)
    subject = forms.CharField(label="Subject", required=False, max_length=255)
    text = forms.CharField(label="What was said", max_length=32_000, widget=forms.Textarea(attrs={"rows": 5}))


class TransferForm(PageForm):
    """The permission that receives the seeds."""

    def __init__(self, request: HttpRequest, *, offered: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["into"] = forms.TypedChoiceField(
            label="Move the seeds to", choices=offered, coerce=int, help_text="A permission of the same agency."
        )


class ExplainForm(forms.Form):
    """The URL that is asked about."""

    url = forms.CharField(label="URL", max_length=2_048)
    agency = forms.TypedChoiceField(label="Agency", coerce=int)

    def __init__(self, data: Any, *, agencies: Choices) -> None:
        super().__init__(data, label_suffix="")
        self.fields["agency"].choices = agencies  # type: ignore[attr-defined]  # a choice field has them


class AnswerForm(PageForm):
    """The authorising agent's answer."""

    word = forms.ChoiceField(
        label="Your answer", widget=forms.RadioSelect,
        choices=[(Word.GRANT.value, "Yes, I permit it"), (Word.CONDITIONS.value, "Yes, under conditions"),
                 (Word.REFUSE.value, "No, I do not permit it")],
    )  # fmt: skip
    name = forms.CharField(label="Your name", max_length=255)
    text = forms.CharField(
        label="Conditions or remarks", required=False, max_length=4_000, widget=forms.Textarea(attrs={"rows": 5})
    )


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")

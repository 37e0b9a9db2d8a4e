"""The forms for depositories: what a depository is, and what it asks for with each deposit."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.deposit_questions import Question, questions
from opilio.curation.kinds import DEPOSITORY
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column

_EVERY = "0"  # stands for all agencies
_FORMS = (
    ("bag", "Bag (BagIt) with METS and PREMIS"), ("wacz", "WACZ, one file"), ("ocfl", "Object of an archive in OCFL"),
)  # fmt: skip
_COLUMNS = ("name", "kind", "place", "username", "self_contained", "timeout", "active", "preferred")
_ASKED = (
    "What it asks for with each deposit, one field a line: name; label; kind; required; choices with commas. "
    "Kinds: text, long, number, date, choice, yes-no."
)
_GROUPS: Groups = (
    ("Depository", ("name", "kind", "place", "agency", "active", "preferred")),
    ("Access", ("username", "secret", "timeout")),
    ("Package", ("form", "self_contained", "questions")),
)


class _DepositoryFields(PageForm):
    groups: ClassVar[Groups] = _GROUPS

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in _COLUMNS:
            self.fields[name] = column(DEPOSITORY, name)
        self.fields["form"] = forms.ChoiceField(label="Form", choices=_FORMS, help_text="What a package looks like.")
        self.fields["secret"] = forms.CharField(
            label="Secret", required=False, max_length=4_000, strip=False,
            widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
            help_text="Password, token or key. It is kept sealed and never shown; empty leaves it as it is.",
        )  # fmt: skip
        self.fields["questions"] = forms.CharField(
            label="Deposit form", required=False, max_length=20_000, help_text=_ASKED,
            widget=forms.Textarea(attrs={"rows": 4}),
        )  # fmt: skip

    def clean_questions(self) -> list[dict[str, Any]]:
        """The lines as fields; what is wrong with them, the action says."""
        return parsed(self.cleaned_data["questions"])


class NewDepositoryForm(_DepositoryFields):
    """A new depository."""

    def __init__(
        self, request: HttpRequest, *, agencies: list[tuple[int, str]], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(
            label="Agency", coerce=lambda value: int(value) or None, empty_value=None,
            help_text="Whose harvests it takes; it stays so.",
            choices=[(_EVERY, "All agencies"), *((str(number), name) for number, name in agencies)],
        )  # fmt: skip


class DepositoryForm(_DepositoryFields, VersionedForm):
    """A depository."""


class ArchiveForm(PageForm):
    """What is asked before a harvest is archived: the fields of the depository, and a reference where there is none."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, request: HttpRequest, *, asked: list[Question], reference: bool, version: int) -> None:
        super().__init__(request, initial={"version": version})
        if reference:
            self.fields["reference"] = forms.CharField(
                label="Reference number", required=False, max_length=255,
                help_text="Number of the target in your catalogue; it has none yet.",
            )  # fmt: skip
        for one in asked:
            self.fields[f"answer-{one.name}"] = _field(one)

    def answers(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """What was entered, by the names of the depository."""
        return {name.removeprefix("answer-"): value for name, value in data.items() if name.startswith("answer-")}

    def rename(self, faults: Mapping[str, list[str]]) -> dict[str, list[str]]:
        """Faults of answers, by the names of this form."""
        return {f"answer-{name}" if f"answer-{name}" in self.fields else name: texts for name, texts in faults.items()}


def _field(one: Question) -> forms.Field:
    words: dict[str, Any] = {"label": one.label, "required": one.required, "help_text": one.help}
    offered = [("", "–"), *((choice, choice) for choice in one.choices)]
    if one.kind == "choice":
        return forms.ChoiceField(choices=offered, **words)
    if one.kind == "yes-no":
        return forms.ChoiceField(choices=[("", "–"), ("yes", "Yes"), ("no", "No")], **words)
    if one.kind == "date":
        return forms.DateField(widget=forms.DateInput(attrs={"type": "date"}), **words)
    if one.kind == "long":
        return forms.CharField(max_length=4_000, widget=forms.Textarea(attrs={"rows": 4}), **words)
    return forms.CharField(max_length=500, **words)


def parsed(text: str) -> list[dict[str, Any]]:
    """Fields that were written as lines."""
    rows = []
    for line in filter(str.strip, text.splitlines()):
        parts = [part.strip() for part in line.split(";")] + [""] * 5
        choices = [one.strip() for one in parts[4].split(",") if one.strip()]
        kind = parts[2] or "text"
        rows.append({"name": parts[0], "label": parts[1] or parts[0], "kind": kind,
                     "required": parts[3].lower() in ("required", "yes"), "choices": choices})  # fmt: skip
    return rows


def lines(rows: list[dict[str, Any]]) -> str:
    """Fields as the form shows them."""
    return "\n".join(_line(one) for one in questions(rows))


def _line(one: Question) -> str:
    parts = (one.name, one.label, one.kind, "required" if one.required else "", ", ".join(one.choices))
    return "; ".join(parts).rstrip("; ")

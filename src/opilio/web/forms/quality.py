"""The forms of limits and of the rules of review."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.indicators import INDICATORS
from opilio.curation.kinds import INDICATOR, REVIEW_POLICY
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column
from opilio.web.forms.targets import Choices

_LIMITS = ("tolerance", "lower", "upper", "active")
_LABELS = {"tolerance": "Tolerance (%)", "lower": "Lower limit", "upper": "Upper limit", "active": "It counts"}
_RULES = {
    "four_eyes": "Two people must agree", "reference_required": "Archive only with a reference number",
    "auto_endorse": "Endorse by rule", "auto_endorse_after": "After so many endorsements by people",
    "auto_prune": "Prune again", "check_pages": "Pages replayed in a browser", "sample_percent": "Sample (%)",
    "delist_after": "Recommend delisting after",
}  # fmt: skip


class IndicatorForm(PageForm):
    """New limits of an agency."""

    def __init__(
        self, request: HttpRequest, *, agencies: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(label="Agency", choices=agencies, coerce=int)
        offered = [(one.code, f"{one.label}: {one.sentence}") for one in INDICATORS]
        self.fields["code"] = forms.ChoiceField(label="Indicator", choices=offered)
        _add_limits(self)


class EditIndicatorForm(VersionedForm):
    """Limits of an agency."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        _add_limits(self)


class PolicyForm(PageForm):
    """What an agency leaves to rules."""

    groups = (
        ("Decisions of people", ("four_eyes", "reference_required")),
        ("What is done by rule; off unless you switch it on", ("auto_endorse", "auto_endorse_after", "auto_prune")),
        ("What is measured and proposed", ("check_pages", "sample_percent", "delist_after")),
    )
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name, label in _RULES.items():
            self.fields[name] = column(REVIEW_POLICY, name)
            self.fields[name].label = label


#: The columns of a policy.
RULES = tuple(_RULES)


def _add_limits(form: PageForm) -> None:
    for name in _LIMITS:
        form.fields[name] = column(INDICATOR, name)
        form.fields[name].label = _LABELS[name]

"""The forms for decisions about deliveries, for sessions and for kinds of finding."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.web.forms.base import PageForm

_LONGEST = 4_000
_MOST = 64
_NUMBERS = (("downloaders", "Deliveries fetched at once."), ("validators", "Documents validated at once."))


class ReasonForm(PageForm):
    """Why something is decided."""

    def __init__(self, request: HttpRequest, *, needed: bool) -> None:
        super().__init__(request)
        if needed:
            self.fields["reason"] = forms.CharField(
                label="Reason", max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 4}),
                help_text="It stays with the delivery and in the audit log.",
            )  # fmt: skip


class SessionForm(PageForm):
    """A session that an agent is to run."""

    def __init__(self, request: HttpRequest, *, profiles: list[str]) -> None:
        super().__init__(request)
        self.fields["profile"] = forms.ChoiceField(
            label="Profile", choices=[(name, name) for name in profiles],
            help_text="The sources of all active centres that deliver by it are visited.",
        )  # fmt: skip
        for name, text in _NUMBERS:
            self.fields[name] = forms.IntegerField(
                label=name.capitalize(), required=False, min_value=1, max_value=_MOST,
                help_text=f"{text} Empty: as the parameters say.",
            )  # fmt: skip


class KindForm(PageForm):
    """What a kind of finding means."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any]) -> None:
        super().__init__(request, initial=initial)
        self.fields["description"] = forms.CharField(
            label="What it means", required=False, max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 4}),
            help_text="What all findings of this kind share, and what the partner can do.",
        )  # fmt: skip

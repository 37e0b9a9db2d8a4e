"""The form of a bandwidth restriction."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.days_of_week import DAYS
from opilio.web.forms.base import PageForm, VersionedForm

_TIME = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")


class RestrictionForm(PageForm):
    """What the line may carry at some time of the week."""

    day = forms.TypedChoiceField(label="Day", choices=DAYS, coerce=int)
    start = forms.TimeField(label="From", widget=_TIME)
    end = forms.TimeField(label="Until", widget=_TIME, help_text="00:00 means the end of the day.")
    limit = forms.IntegerField(label="kB/s", min_value=0, max_value=100_000_000, help_text="For all harvests together.")
    allow_early_start = forms.BooleanField(
        label="Harvests may begin early", required=False, help_text="Those that may, while agents are idle."
    )

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)


class EditRestrictionForm(RestrictionForm, VersionedForm):
    """A restriction to be changed."""

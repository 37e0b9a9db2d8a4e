"""The forms of harvests and agents."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.crawl import expressions
from opilio.crawl.errors import BadPlan
from opilio.curation.kinds import AGENT_RULE
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column

_MOST = 10**15
_MOST_LINES = 500
_LONGEST = 100_000  # characters of a list


def _agent_field(agents: Sequence[str]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Agent", required=False, choices=[("", "Any agent that is free"), *((name, name) for name in agents)],
        help_text="Only agents that are alive now are offered.",
    )  # fmt: skip


class LaunchForm(PageForm):
    """Where a harvest is to run."""

    def __init__(self, request: HttpRequest, *, agents: Sequence[str]) -> None:
        super().__init__(request)
        self.fields["agent"] = _agent_field(agents)


class NowForm(PageForm):
    """What is to be harvested now, and where."""

    holder = forms.CharField(
        label="Target or group", max_length=255, help_text="Its name as it is written, or its number."
    )

    def __init__(
        self, request: HttpRequest, *, agents: Sequence[str], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["agent"] = _agent_field(agents)


class LimitsForm(PageForm):
    """New limits, counted from the beginning of the harvest."""

    pages = forms.IntegerField(
        label="URLs", required=False, min_value=0, max_value=_MOST, help_text="0 lifts the limit; empty leaves it."
    )
    bytes_ = forms.IntegerField(
        label="Bytes", required=False, min_value=0, max_value=_MOST, help_text="0 lifts the limit; empty leaves it."
    )
    seconds = forms.IntegerField(
        label="Seconds", required=False, min_value=0, max_value=_MOST, help_text="0 lifts the limit; empty leaves it."
    )

    def clean(self) -> dict[str, Any]:
        """One of them at least."""
        cleaned = super().clean()
        if not self.errors and all(cleaned.get(name) is None for name in ("pages", "bytes_", "seconds")):
            self.add_error("pages", "Give at least one limit.")
        return cleaned


class DelayForm(PageForm):
    """How long to wait between two requests to a host."""

    seconds = forms.FloatField(
        label="Seconds", min_value=0, max_value=86_400, help_text="Between two requests to the same host."
    )


class ExcludeForm(PageForm):
    """What is to be left out from now on."""

    patterns = forms.CharField(
        label="Expressions", required=False, max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One on each line, in RE2's syntax. A URL in which one is found is not asked for.",
    )  # fmt: skip
    urls = forms.CharField(
        label="URLs", required=False, max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One on each line, each matched exactly.",
    )  # fmt: skip

    def clean_patterns(self) -> tuple[str, ...]:
        """The lines, each of them an expression."""
        found = _lines(self.cleaned_data["patterns"])
        try:
            expressions.check(found, "patterns")
        except BadPlan as error:
            raise forms.ValidationError(str(error)) from error
        return found

    def clean_urls(self) -> tuple[str, ...]:
        """The lines."""
        return _lines(self.cleaned_data["urls"])

    def clean(self) -> dict[str, Any]:
        """Something at least."""
        cleaned = super().clean()
        if not self.errors and not cleaned.get("patterns") and not cleaned.get("urls"):
            self.add_error("patterns", "Give an expression or a URL.")
        return cleaned


class BandwidthForm(VersionedForm):
    """A share of the line."""

    percent = forms.IntegerField(
        label="Percent", required=False, min_value=1, max_value=100,
        help_text="Of the limit in force. Empty: an equal part of what others leave.",
    )  # fmt: skip


class AgentRuleForm(PageForm):
    """What agents of a name take."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=1)

    def __init__(
        self, request: HttpRequest, *, agencies: Sequence[tuple[int, str]], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["name"] = column(AGENT_RULE, "name")
        self.fields["accepting"] = column(AGENT_RULE, "accepting")
        self.fields["agencies"] = forms.TypedMultipleChoiceField(
            label="Agencies", required=False, choices=agencies, coerce=int, widget=forms.CheckboxSelectMultiple,
            help_text="Whose harvests it takes; none chosen: everybody's.",
        )  # fmt: skip
        self.fields["note"] = column(AGENT_RULE, "note")


def _lines(text: str) -> tuple[str, ...]:
    found = tuple(line.strip() for line in text.splitlines() if line.strip())
    if len(found) > _MOST_LINES:
        raise forms.ValidationError(f"Give at most {_MOST_LINES} lines at a time.")
    return found

"""The forms for schedules, schedule patterns and planned harvests; times are typed in the reader's zone."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.cron.patterns import NAMES, Choice, Pattern, expression
from opilio.curation.cron.words import MONTHS, WEEKDAYS
from opilio.curation.kinds import HARVEST, SCHEDULE, SCHEDULE_PATTERN
from opilio.curation.queries.schedules import Offered
from opilio.curation.words import Priority
from opilio.people.zones import names
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column
from opilio.web.zones import zone_of

_TIME = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
_YEARS = range(1970, 2200)
_HINTS = {
    Pattern.DAILY: "uses the time below",
    Pattern.WEEKLY: "uses weekday and time",
    Pattern.MONTHLY: "uses day and time",
    Pattern.BI_MONTHLY: "uses first month, day and time",
    Pattern.QUARTERLY: "uses first month, day and time",
    Pattern.HALF_YEARLY: "uses first month, day and time",
    Pattern.ANNUALLY: "uses month, day and time",
}


class ZonedForm(PageForm):
    """A form with times of the reader's zone."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        self.zone = zone_of(getattr(request, "actor", None))
        shown = {name: self._local(value) for name, value in (initial or {}).items()}
        super().__init__(request, initial=shown)

    def moment(self, label: str, help_text: str, *, required: bool = False) -> forms.DateTimeField:
        """A field for a time."""
        return forms.DateTimeField(
            label=label, help_text=f"{help_text} In your zone, {self.zone}.", required=required, widget=_TIME
        )

    def clean(self) -> dict[str, Any]:
        """Times as moments; what Django reads has no zone of ours."""
        cleaned = super().clean()
        for name, value in list(cleaned.items()):
            if isinstance(value, datetime.datetime) and value.year not in _YEARS:
                self.add_error(name, f"Write a time between {_YEARS.start} and {_YEARS.stop}.")
            elif isinstance(value, datetime.datetime):
                cleaned[name] = value.replace(tzinfo=self.zone).astimezone(datetime.UTC)
        return cleaned

    def _local(self, value: Any) -> Any:
        return value.astimezone(self.zone).replace(tzinfo=None) if isinstance(value, datetime.datetime) else value


class ScheduleForm(ZonedForm):
    """When: a named pattern with its details, or an expression."""

    groups = (
        ("When", ("pattern", "hour", "minute", "weekday", "day", "month")),
        ("Or written by hand", ("cron",)),
        ("From and until", ("time_zone", "start", "end")),
    )

    def __init__(
        self, request: HttpRequest, *, offered: Sequence[Offered], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.offered = {one.number: one for one in offered}
        named = [(int(one), f"{NAMES[one].capitalize()} ({_HINTS[one]})") for one in _HINTS]
        made = [(one.number, f"{one.name}: {one.cron}") for one in offered]
        self.fields["pattern"] = forms.TypedChoiceField(
            label="Pattern", coerce=int, choices=[(0, "Written by hand, below"), *named, *made],
            help_text="How often harvests are planned.",
        )  # fmt: skip
        self._add_details()
        self.fields["cron"] = column(SCHEDULE, "cron", required=False)
        self.fields["cron"].label = "Expression"
        self.fields["cron"].help_text = (
            "Seven fields (second minute hour day month weekday year) or five (minute hour day month weekday), "
            "as 0 0 21 ? * MON *."
        )
        self.fields["time_zone"] = forms.ChoiceField(
            label="Time zone", choices=[(one, one) for one in names()],
            help_text="Times that a turned clock skips run right after; doubled ones run once.",
        )  # fmt: skip
        self.fields["start"] = self.moment("From", "Empty: from now on.")
        self.fields["end"] = self.moment("Until", "Empty: for ever.")

    def _add_details(self) -> None:
        for name, label, low, high in (("hour", "Hour", 0, 23), ("minute", "Minute", 0, 59)):
            self.fields[name] = forms.IntegerField(label=label, required=False, min_value=low, max_value=high)
        self.fields["weekday"] = forms.TypedChoiceField(
            label="Weekday", coerce=int, required=False, choices=list(enumerate(WEEKDAYS)), empty_value=None
        )
        days = [(0, "the last"), *((number, str(number)) for number in range(1, 32))]
        self.fields["day"] = forms.TypedChoiceField(
            label="Day of the month", coerce=int, required=False, choices=days, empty_value=None
        )
        self.fields["month"] = forms.TypedChoiceField(
            label="First month", coerce=int, required=False, choices=list(enumerate(MONTHS, 1)), empty_value=None
        )

    def schedule(self) -> dict[str, Any]:
        """What the action takes."""
        data = self.cleaned_data
        number = data["pattern"]
        found = {name: data[name] for name in ("time_zone", "start", "end")}
        return {**found, "pattern": number, "cron": self._expression(number, data)}

    def _expression(self, number: int, data: Mapping[str, Any]) -> str:
        if number == 0:
            return str(data["cron"] or "")
        if number in self.offered:
            return self.offered[number].cron
        given = {name: data[name] for name in ("hour", "minute", "weekday", "day", "month")}
        chosen = Choice(**{name: value for name, value in given.items() if value is not None})
        return expression(Pattern(number), chosen)


class EditScheduleForm(ScheduleForm, VersionedForm):
    """A schedule to be changed."""


class PatternForm(PageForm):
    """A schedule pattern."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in ("name", "cron"):
            self.fields[name] = column(SCHEDULE_PATTERN, name)


class EditPatternForm(PatternForm, VersionedForm):
    """A schedule pattern to be changed."""


class HarvestForm(ZonedForm, VersionedForm):
    """A planned harvest to be changed."""

    def __init__(
        self, request: HttpRequest, *, users: list[tuple[int, str]], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["scheduled_at"] = self.moment("Begins", "When it is to begin.", required=True)
        self.fields["priority"] = forms.TypedChoiceField(
            label="Priority", coerce=int, choices=[(one.value, one.label) for one in Priority],
            help_text="Which harvest goes first when several wait.",
        )  # fmt: skip
        self.fields["owner_id"] = forms.TypedChoiceField(label="Owner", coerce=int, choices=users)
        self.fields["allow_early_start"] = column(HARVEST, "allow_early_start")


class OnceForm(ZonedForm):
    """One harvest by hand."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.fields["at"] = self.moment("Begins", "Empty: in five minutes.")

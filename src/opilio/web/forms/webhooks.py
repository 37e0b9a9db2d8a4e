"""The forms for webhooks."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.people.kinds import WEBHOOK
from opilio.people.webhook_events import EVENTS
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column

_EVERY = "0"  # stands for all agencies


def _agency_of(value: str) -> int | None:
    return int(value) or None


class _WebhookFields(PageForm):
    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["name"] = column(WEBHOOK, "name")
        self.fields["url"] = column(WEBHOOK, "url")
        self.fields["enabled"] = column(WEBHOOK, "enabled")
        self.fields["events"] = forms.MultipleChoiceField(
            label="Events", widget=forms.CheckboxSelectMultiple, help_text="What it hears of.",
            choices=[(event.name, f"{event.name} – {event.sentence}") for event in EVENTS],
        )  # fmt: skip


class NewWebhookForm(_WebhookFields):
    """A new webhook."""

    groups: ClassVar[Groups] = (("Webhook", ("name", "url", "agency", "enabled")), ("What it hears", ("events",)))

    def __init__(
        self, request: HttpRequest, *, agencies: list[tuple[int, str]], everywhere: bool,
        initial: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        offered = [(str(number), name) for number, name in agencies]
        self.fields["agency"] = forms.TypedChoiceField(
            label="Agency", coerce=_agency_of, empty_value=None, help_text="Whose events it hears; it stays so.",
            choices=[(_EVERY, "All agencies"), *offered] if everywhere else offered,
        )  # fmt: skip


class WebhookForm(_WebhookFields, VersionedForm):
    """A webhook."""

    groups: ClassVar[Groups] = (("Webhook", ("name", "url", "enabled")), ("What it hears", ("events",)))

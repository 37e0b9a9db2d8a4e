"""The forms for authorisations, authorising agents and texts of permission requests."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import AUTHORISATION, AUTHORISING_AGENT, PERMISSION_TEMPLATE
from opilio.curation.queries.rights import TEMPLATE_KINDS
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column

Choices = Sequence[tuple[int, str]]
_DETAILS = ("title", "order_number", "published", "description", "notes")
_AGENT = ("name", "contact", "email", "phone", "address", "description")
_TEMPLATE = ("name", "description", "subject", "text", "override_from", "sender", "reply_to", "cc", "bcc")


def agency_field(agencies: Choices, text: str) -> forms.TypedChoiceField:
    """Whose something is."""
    return forms.TypedChoiceField(label="Agency", choices=agencies, coerce=int, help_text=text)


def lines_field(label: str, text: str, *, rows: int = 6, required: bool = False) -> forms.CharField:
    """Several values, one on a line."""
    return forms.CharField(
        label=label, help_text=text, required=required,
        widget=forms.Textarea(attrs={"rows": rows, "spellcheck": "false", "class": "code"}),
    )  # fmt: skip


def pattern_lines() -> forms.CharField:
    """URL patterns, one on a line."""
    return lines_field(
        "URL patterns",
        "One on a line, as http://*.example.org/*. A star may stand for the first labels of the host, and at the end.",
    )


def agents_field(agents: Choices) -> forms.TypedMultipleChoiceField:
    """Who is asked."""
    return forms.TypedMultipleChoiceField(
        label="Authorising agents", choices=agents, coerce=int, required=False, widget=forms.CheckboxSelectMultiple,
        help_text="Who can give permissions; make them under Authorising agents first.",
    )  # fmt: skip


class _AuthorisationFields(PageForm):
    groups: ClassVar[Groups] = (("Authorisation", _DETAILS),)

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in _DETAILS:
            self.fields[name] = column(AUTHORISATION, name)


class AuthorisationForm(_AuthorisationFields, VersionedForm):
    """The details of an authorisation."""


class NewAuthorisationForm(_AuthorisationFields):
    """A new authorisation, with its patterns and authorising agents."""

    groups = (
        ("Authorisation", ("agency", *_DETAILS)),
        ("What it covers", ("patterns",)),
        ("Who is asked", ("agents",)),
    )

    def __init__(
        self, request: HttpRequest, *, agencies: Choices, agents: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["agency"] = agency_field(agencies, "Whose authorisation it is; this cannot be changed later.")
        self.fields["patterns"] = pattern_lines()
        self.fields["agents"] = agents_field(agents)


class PatternsForm(PageForm):
    """The URL patterns of an authorisation."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["patterns"] = pattern_lines()


class AgentsForm(PageForm):
    """The authorising agents of an authorisation."""

    def __init__(self, request: HttpRequest, *, agents: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["agents"] = agents_field(agents)


class AgentForm(VersionedForm):
    """An authorising agent."""

    groups = (("Authorising agent", _AGENT),)

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in _AGENT:
            self.fields[name] = column(AUTHORISING_AGENT, name)


class NewAgentForm(PageForm):
    """A new authorising agent."""

    groups = (("Authorising agent", ("agency", *_AGENT)),)

    def __init__(self, request: HttpRequest, *, agencies: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["agency"] = agency_field(agencies, "Whose authorisations can name it.")
        for name in _AGENT:
            self.fields[name] = column(AUTHORISING_AGENT, name)


class _TemplateFields(PageForm):
    groups: ClassVar[Groups] = (
        ("Template", ("agency", "name", "kind", "description")),
        ("Text", ("subject", "text")),
        ("E-mail", ("reply_to", "cc", "bcc", "override_from", "sender")),
    )

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in _TEMPLATE:
            self.fields[name] = column(PERMISSION_TEMPLATE, name)
        self.fields["text"].widget = forms.Textarea(attrs={"rows": 16})
        self.fields["kind"] = forms.ChoiceField(
            label="Kind", choices=TEMPLATE_KINDS, help_text="Whether it is printed or sent."
        )


class TemplateForm(_TemplateFields, VersionedForm):
    """A text of permission requests."""


class NewTemplateForm(_TemplateFields):
    """A new text of permission requests."""

    def __init__(self, request: HttpRequest, *, agencies: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["agency"] = agency_field(agencies, "In whose name it speaks.")

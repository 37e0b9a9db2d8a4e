"""The forms for overrides and credentials. A secret can be typed, and is never shown."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import CREDENTIAL, OVERRIDES
from opilio.curation.words import CredentialKind
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column

_LABELS = {
    "robots_policy": "robots.txt", "politeness": "Politeness", "max_seconds": "Longest time in seconds",
    "max_bytes": "Most bytes", "max_documents": "Most pages", "max_path_depth": "Most parts of a path",
    "max_hops": "Most links from a seed", "excluded_mime_types": "Media types to leave out",
}  # fmt: skip
_PATTERNS = {
    "exclusions": ("URLs to leave out", "RE2 expressions, one on each line; a URL in which one is found is left out."),
    "inclusions": ("URLs to keep nevertheless", "RE2 expressions, one on each line; exceptions to those above."),
}
_MOST = 1_100_000  # characters of all patterns


class OverridesForm(VersionedForm):
    """Each value with its switch."""

    groups = (
        ("Limits", tuple(part for name in ("max_seconds", "max_bytes", "max_documents", "max_path_depth", "max_hops")
                         for part in (f"overrides_{name}", name))),
        ("Manners", ("overrides_robots_policy", "robots_policy", "overrides_politeness", "politeness")),
        ("What is left out", ("overrides_excluded_mime_types", "excluded_mime_types", "overrides_exclusions",
                              "exclusions", "overrides_inclusions", "inclusions")),
        ("Credentials", ("overrides_credentials",)),
        ("Try it on these URLs", ("urls",)),
    )  # fmt: skip

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name, label in _LABELS.items():
            self.fields[name] = column(OVERRIDES, name)
            self.fields[name].label = label
            self._add_switch(name, label)
        for name, (label, told) in _PATTERNS.items():
            area = forms.Textarea(attrs={"rows": 5, "spellcheck": "false"})
            self.fields[name] = forms.CharField(
                label=label, help_text=told, required=False, widget=area, max_length=_MOST
            )
            self._add_switch(name, label)
        self._add_switch("credentials", "Credentials below")
        self.fields["urls"] = forms.CharField(
            label="URLs", required=False, widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
            max_length=500_000, help_text="One on each line. “Try” saves nothing and says which pattern decides.",
        )  # fmt: skip

    def _add_switch(self, name: str, label: str) -> None:
        self.fields[f"overrides_{name}"] = forms.BooleanField(label=f"Override: {label}", required=False)


class CredentialForm(PageForm):
    """A new credential."""

    groups = (
        ("Where", ("kind", "domain")),
        ("Who", ("username", "secret", "realm")),
        ("Form", ("login_url", "method", "username_field", "password_field")),
        ("Header", ("header_name",)),
    )

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["kind"] = forms.ChoiceField(
            label="Kind", choices=[(one.value, one.label) for one in CredentialKind],
            help_text="How the site asks who is there.",
        )  # fmt: skip
        for name in ("domain", "realm", "login_url", "username_field", "password_field", "header_name"):
            self.fields[name] = column(CREDENTIAL, name)
        self.fields["username"] = column(
            CREDENTIAL, "username", widget=forms.TextInput(attrs={"autocomplete": "off"}), required=False
        )
        self.fields["method"] = forms.ChoiceField(
            label="Method", required=False, choices=[("", "–"), ("POST", "POST"), ("GET", "GET")],
            help_text="How the form is sent.",
        )  # fmt: skip
        self.fields["secret"] = forms.CharField(
            label="Secret", required=False, strip=False, max_length=65_536,
            widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
            help_text="Password, value of the header, or cookies as sid=1; theme=dark. Encrypted, never shown.",
        )  # fmt: skip


class EditCredentialForm(CredentialForm, VersionedForm):
    """A credential to be changed; an empty secret stays as it is."""

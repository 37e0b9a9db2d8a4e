"""The forms for seeds and excluded URLs of a target."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.actions.seeds import Link
from opilio.curation.kinds import EXCLUDED_URL, SEED
from opilio.curation.seed_urls import LONGEST
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.targets import Choices, optional_choice
from opilio.web.help import field_help

_MOST = 2_000_000_000
_LIMITS = ("root", "depth_limit", "page_limit", "append", "credential")
_FLAGS = ("active", "primary")
_LABELS = {"url": "URL", "root": "Root string", "depth_limit": "Depth limit", "page_limit": "Page limit",
           "append": "Append string", "credential": "Credential", "active": "Active", "primary": "Primary"}  # fmt: skip
LINKS: Sequence[tuple[str, str]] = (
    (Link.AUTO.value, "By URL patterns that match"),
    (Link.LATER.value, "Later"),
    (Link.PERMISSION.value, "With this permission:"),
)


class _SeedFields(PageForm):
    groups: ClassVar[Groups] = (("", ("url",)), ("Limits", _LIMITS), ("Use", _FLAGS))

    def __init__(
        self, request: HttpRequest, *, credentials: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        wide = forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off"})
        self.fields["url"] = _text("url", LONGEST, required=True, widget=wide)
        self.fields["root"] = _text("root", LONGEST)
        self.fields["append"] = _text("append", 1_024)
        for name in ("depth_limit", "page_limit"):
            self.fields[name] = forms.IntegerField(
                label=_LABELS[name], required=False, min_value=0, max_value=_MOST, help_text=_help(name)
            )
        self.fields["credential"] = optional_choice("Credential", credentials, _help("credential"), empty="None")
        for name in _FLAGS:
            self.fields[name] = forms.BooleanField(label=_LABELS[name], required=False, help_text=_help(name))


class NewSeedForm(_SeedFields):
    """A seed to be added."""

    groups = (*_SeedFields.groups, ("Permissions", ("link", "permission")))

    def __init__(
        self, request: HttpRequest, *, credentials: Choices, permissions: Choices,
        initial: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(request, credentials=credentials, initial=initial)
        add_link_fields(self, permissions)


class SeedForm(_SeedFields, VersionedForm):
    """A seed to be changed."""

    position = forms.IntegerField(label="Place in the list", min_value=0, max_value=_MOST, help_text="Smallest first.")
    groups = (("", ("url",)), ("Limits", _LIMITS), ("Use", (*_FLAGS, "position")))


class SeedListForm(PageForm):
    """Seeds to be added from a list."""

    text = forms.CharField(
        label="Seeds, one URL on each line", max_length=1_000_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text="Empty lines and lines that begin with # are passed over.",
    )  # fmt: skip
    only_good = forms.BooleanField(
        label="Add the good lines even if others are bad", required=False, help_text="Bad lines are told either way."
    )

    def __init__(
        self, request: HttpRequest, *, permissions: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        add_link_fields(self, permissions)


class ExcludedUrlForm(PageForm):
    """A page to be left out."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["url"] = forms.CharField(
            label="URL", max_length=LONGEST, help_text=field_help(EXCLUDED_URL, "url").text
        )
        self.fields["reason"] = forms.CharField(
            label="Reason", max_length=1_024, required=False, help_text=field_help(EXCLUDED_URL, "reason").text
        )


class EditExcludedUrlForm(ExcludedUrlForm, VersionedForm):
    """A page that is left out, to be changed."""


def add_link_fields(form: PageForm, permissions: Choices) -> None:
    """How new seeds come to their permissions."""
    form.fields["link"] = forms.ChoiceField(
        label="Link", choices=LINKS, initial=Link.AUTO.value,
        help_text="What the harvest of the seed relies on; a seed without a permission keeps the target from approval.",
    )  # fmt: skip
    form.fields["permission"] = optional_choice(
        "Permission", permissions, "A quick pick, or one that you looked for on this page.", empty="None"
    )


def _help(name: str) -> str:
    return field_help(SEED, name).text


def _text(name: str, longest: int, *, required: bool = False, **more: Any) -> forms.CharField:
    return forms.CharField(
        label=_LABELS[name], max_length=longest, required=required, help_text=_help(name), **more
    )  # fmt: skip

"""The forms for profiles: every setting a field, made from what a crawl understands."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import PROFILE
from opilio.curation.profile_fields import Control, ProfileField, from_typed, profile_fields
from opilio.kernel.errors import OpilioError
from opilio.people.errors import InvalidFields
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column
from opilio.web.forms.people import agency_field

_WORDS = {
    "gentle": "Polite", "normal": "Medium", "brisk": "Fast", "own-site": "Own site, without pauses",
    "page": "The page alone", "prefix": "The folder", "host": "The host", "domain": "The domain with all its hosts",
    "any": "Anywhere", "keep": "Keep it", "drop-all": "Drop it", "drop-named": "Drop some names",
    "breadth": "Near the seed first", "depth": "Deep pages first",
}  # fmt: skip
_GROUPS = profile_fields()
_MOST = 200_000  # characters of a list


class ProfileForm(PageForm):
    """Name, level and all settings."""

    groups = (
        ("Profile", ("agency", "name", "description", "level")),
        *((legend, tuple(field.place for field in fields)) for legend, fields in _GROUPS),
    )

    def __init__(
        self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None,
        agencies: list[tuple[int, str]] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        if agencies is not None:
            self.fields["agency"] = agency_field(agencies, "Whose targets may use it.")
        for name in ("name", "description"):
            self.fields[name] = column(PROFILE, name)
        self.fields["level"] = forms.TypedChoiceField(
            label="Level", coerce=int, choices=[(1, "1"), (2, "2"), (3, "3")],
            help_text="Whoever chooses it needs the privilege of this level, or of a higher one.",
        )  # fmt: skip
        for _, fields in _GROUPS:
            for field in fields:
                self.fields[field.place] = _form_field(field)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that were filled in."""
        return from_typed(self.cleaned_data)

    def take(self, error: OpilioError) -> None:
        """A message about a part stands beside its first field."""
        if isinstance(error, InvalidFields):
            messages = {self._nearest(name): texts for name, texts in error.messages.items()}
            super().take(InvalidFields(messages, where=error.where))
        else:
            super().take(error)

    def _nearest(self, name: str) -> str:
        return name if name in self.fields else next((one for one in self.fields if one.startswith(f"{name}.")), name)


class EditProfileForm(ProfileForm, VersionedForm):
    """A profile to be changed."""


class ImportProfileForm(PageForm):
    """A profile from another installation."""

    def __init__(self, request: HttpRequest, *, agencies: list[tuple[int, str]]) -> None:
        super().__init__(request)
        self.fields["agency"] = agency_field(agencies, "Whose targets may use it.")
        self.fields["name"] = column(PROFILE, "name", required=False)
        self.fields["name"].help_text = "Empty: the name in the document."
        self.fields["document"] = forms.CharField(
            label="Document", max_length=_MOST, widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
            help_text="The JSON that “Export”, or `opilio profile export`, wrote.",
        )  # fmt: skip


class CopyProfileForm(PageForm):
    """A copy."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any]) -> None:
        super().__init__(request, initial=initial)
        self.fields["name"] = column(PROFILE, "name")


class TransferProfileForm(PageForm):
    """Another profile for all that use this one."""

    def __init__(self, request: HttpRequest, *, profiles: list[tuple[int, str]]) -> None:
        super().__init__(request)
        self.fields["into"] = forms.TypedChoiceField(
            label="Profile", choices=profiles, coerce=int, help_text="An active profile of the same agency."
        )


def _form_field(field: ProfileField) -> forms.Field:
    words: dict[str, Any] = {"label": field.label, "help_text": field.help, "required": False}
    if field.control is Control.SWITCH:
        return forms.BooleanField(**words)
    if field.control is Control.CHOICE:
        offered = [(value, _WORDS.get(value, value.capitalize())) for value in field.choices]
        return forms.ChoiceField(**{**words, "required": True}, choices=offered)
    if field.control in (Control.LINES, Control.PAIRS):
        area = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})
        return forms.CharField(**words, widget=area, max_length=_MOST)
    if field.control is Control.LINE:
        return forms.CharField(**words, max_length=1_000)
    kind = forms.IntegerField if field.control is Control.WHOLE else forms.FloatField
    return kind(**{**words, "required": not field.optional}, widget=forms.NumberInput(attrs={"step": "any"}))

"""The forms of a result's tools: missing URLs, patches, imports, verdicts."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.words import MissingFrom, Verdict
from opilio.web.forms.base import PageForm, VersionedForm

_LONGEST_URL = 8_000
_LONGEST_LIST = 2_000_000  # characters
_LONGEST_NOTE = 32_000
_EXISTING = [
    ("if-failed", "Replace those that failed; keep what was fetched"), ("replace", "Replace whatever is there"),
    ("keep", "Keep whatever is there; add only what is new"),
]  # fmt: skip
_NOTE = "It stays with the new result for good."


def _note() -> forms.CharField:
    return forms.CharField(
        label="Why", max_length=_LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}), help_text=_NOTE
    )


def _existing(initial: str) -> forms.ChoiceField:
    return forms.ChoiceField(label="What is there already", choices=_EXISTING, initial=initial)


class MissingForm(PageForm):
    """URLs that a result lacks, typed or from a file."""

    text = forms.CharField(
        label="URLs", required=False, max_length=_LONGEST_LIST, strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text="One on each line; lines that begin with # are left out.",
    )  # fmt: skip
    file = forms.FileField(
        label="Or a file", required=False, widget=forms.FileInput(attrs={"accept": ".csv,.txt"}),
        help_text="A list, or a CSV table with the columns url and page.",
    )  # fmt: skip

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.files = request.FILES

    def clean_file(self) -> str:
        """The text of the file."""
        found = self.cleaned_data.get("file")
        if found is None:
            return ""
        if found.size is not None and found.size > _LONGEST_LIST:
            raise forms.ValidationError(f"The file has {found.size:,} bytes; {_LONGEST_LIST:,} are read. Split it.")
        try:
            return str(found.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise forms.ValidationError("The file is not UTF-8 text.") from error

    def clean(self) -> dict[str, Any]:
        """One of both."""
        cleaned = super().clean()
        if not self.errors and not (cleaned.get("text") or "").strip() and not cleaned.get("file"):
            self.add_error("text", "Write at least one URL, or choose a file.")
        return cleaned


class PatchForm(VersionedForm):
    """Which of the missing URLs are fetched, and how."""

    noticed = forms.MultipleChoiceField(
        label="Which", choices=[], widget=forms.CheckboxSelectMultiple, help_text="Those that wait on the list."
    )
    note = _note()
    existing = _existing("if-failed")
    embeds = forms.BooleanField(
        label="With what their pages embed", required=False, help_text="Pictures, styles and scripts of fetched pages."
    )
    groups = (("", ("noticed", "note", "existing", "embeds")),)

    def __init__(self, request: HttpRequest, *, offered: Mapping[str, int], initial: Mapping[str, Any]) -> None:
        super().__init__(request, initial=initial)
        labels = dict(MissingFrom.choices)
        self.fields["noticed"].choices = [  # type: ignore[attr-defined]  # of a field with choices
            (name, f"{labels[name]} ({count:,})") for name, count in offered.items()
        ]


class _ImportForm(VersionedForm):
    note = _note()
    existing = _existing("replace")

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any]) -> None:
        super().__init__(request, initial=initial)
        self.files = request.FILES


class ImportFileForm(_ImportForm):
    """A file that is to stand at a URL."""

    url = forms.CharField(label="URL at which it stands", max_length=_LONGEST_URL)
    file = forms.FileField(label="File")
    content_type = forms.CharField(
        label="MIME type", required=False, max_length=200, help_text="Empty: found out from the file, as image/png."
    )
    at = forms.DateTimeField(
        label="Time of the capture", required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S"),
        help_text="In UTC. Empty: now.",
    )  # fmt: skip
    groups = (("", ("url", "file", "content_type", "at", "note", "existing")),)

    def clean_at(self) -> datetime.datetime | None:
        """As a time of UTC."""
        found: datetime.datetime | None = self.cleaned_data["at"]
        return None if found is None else found.replace(tzinfo=datetime.UTC)


class ImportUrlForm(_ImportForm):
    """A URL that is fetched now."""

    url = forms.CharField(label="URL that is fetched now", max_length=_LONGEST_URL)
    stands_for = forms.CharField(
        label="URL for which it stands", required=False, max_length=_LONGEST_URL, help_text="Empty: for itself."
    )
    embeds = forms.BooleanField(label="With what the page embeds", required=False)
    groups = (("", ("url", "stands_for", "embeds", "note", "existing")),)


class _Files(forms.ClearableFileInput):
    allow_multiple_selected = True


class _FilesField(forms.FileField):
    widget = _Files

    def clean(self, data: Any, initial: Any = None) -> Sequence[Any]:
        """Each of the files."""
        given = data if isinstance(data, list | tuple) else [data]
        return [super(_FilesField, self).clean(one, initial) for one in given]


class ImportWarcForm(_ImportForm):
    """WARC files."""

    files_ = _FilesField(label="WARC files", help_text="Ending in .warc or .warc.gz.")
    groups = (("", ("files_", "note", "existing")),)


class VerdictForm(PageForm):
    """What somebody thinks of a page."""

    verdict = forms.ChoiceField(label="Verdict", required=False, choices=[("", "Only a note"), *Verdict.choices])
    note = forms.CharField(label="Note", required=False, max_length=4_000, widget=forms.Textarea(attrs={"rows": 3}))

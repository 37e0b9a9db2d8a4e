"""The forms for centres and their sources; secrets go in and never come out."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.tracker.kinds import CENTRE, SOURCE
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LINE = re.compile(r"(?:(?P<days>[a-z, -]+)\s+)?(?P<start>\d\d:\d\d)\s*-\s*(?P<end>\d\d:\d\d)", re.IGNORECASE)
_MOST_LINES = 50
_CENTRE = ("short_name", "full_name", "email", "imits_name", "phone", "address")
_CENTRE_LABELS = {"short_name": "Code", "full_name": "Name", "imits_name": "Code in the mutant registry"}
_SWITCHES = {
    "active": "Active", "report_mail": "Mail reports to it", "report_back": "Put a report file on its sources",
}  # fmt: skip
_SOURCE = (
    "name", "hostname", "port", "base_path", "username", "preference", "timeout", "connections", "bytes_per_second",
    "authority",
)  # fmt: skip
_WINDOWS = "When it may be used, one window a line, as “mon-fri 22:00-06:00” or “08:00-18:00”; empty: always."
_KEPT = "It is kept sealed and never shown; empty leaves it as it is."


class _CentreFields(PageForm):
    groups: ClassVar[Groups] = (
        ("Centre", ("agency", "short_name", "full_name", "imits_name", "profile", "active")),
        ("Contact", ("email", "phone", "address", "report_mail", "report_back")),
    )

    def __init__(
        self, request: HttpRequest, *, profiles: Sequence[str], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        for name in _CENTRE:
            self.fields[name] = column(CENTRE, name)
            self.fields[name].label = _CENTRE_LABELS.get(name, self.fields[name].label)
        for name, label in _SWITCHES.items():
            self.fields[name] = column(CENTRE, name)
            self.fields[name].label = label
        self.fields["profile"] = forms.ChoiceField(
            label="Profile", choices=[(name, name) for name in profiles],
            help_text="Profile by which it delivers: names, schemas, rules.",
        )  # fmt: skip


class NewCentreForm(_CentreFields):
    """A new centre."""

    def __init__(
        self, request: HttpRequest, *, agencies: list[tuple[int, str]], profiles: Sequence[str],
        initial: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(request, profiles=profiles, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(
            label="Agency", coerce=int, choices=[(str(number), name) for number, name in agencies],
            help_text="Whose users see what it delivers; it stays so.",
        )  # fmt: skip


class CentreForm(_CentreFields, VersionedForm):
    """A centre."""


class _SourceFields(PageForm):
    groups: ClassVar[Groups] = (
        ("Source", ("centre", "name", "protocol", "state", "preference")),
        ("Place", ("hostname", "port", "base_path")),
        ("Access", ("username", "password", "private_key", "passphrase", "host_keys", "authority")),
        ("Limits", ("timeout", "connections", "bytes_per_second", "windows")),
    )

    def __init__(
        self, request: HttpRequest, *, protocols: list[tuple[str, str]], states: list[tuple[str, str]],
        initial: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        for name in _SOURCE:
            self.fields[name] = column(SOURCE, name)
        self.fields["hostname"].label, self.fields["base_path"].label = "Host", "Base folder"
        self.fields["protocol"] = forms.ChoiceField(label="Protocol", choices=protocols)
        self.fields["state"] = forms.ChoiceField(label="State", choices=states)
        hidden = forms.PasswordInput(attrs={"autocomplete": "new-password"})
        self.fields["password"] = forms.CharField(
            label="Password", required=False, max_length=4_000, strip=False, widget=hidden, help_text=_KEPT
        )
        self.fields["private_key"] = forms.CharField(
            label="Private key", required=False, max_length=65_536, widget=forms.Textarea(attrs={"rows": 3}),
            help_text=f"In PEM or OpenSSH form. {_KEPT}",
        )  # fmt: skip
        self.fields["passphrase"] = forms.CharField(
            label="Passphrase of the key", required=False, max_length=4_000, strip=False,
            widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), help_text=_KEPT,
        )  # fmt: skip
        self.fields["host_keys"] = forms.CharField(
            label="Host keys", required=False, max_length=4_000, widget=forms.Textarea(attrs={"rows": 2}),
            help_text="SFTP: fingerprints SHA256:… that were compared with the partner's, one a line. "
            "“Try it” shows the one of the server.",
        )  # fmt: skip
        self.fields["windows"] = forms.CharField(
            label="Time windows", required=False, max_length=4_000, widget=forms.Textarea(attrs={"rows": 2}),
            help_text=_WINDOWS,
        )  # fmt: skip

    def clean_host_keys(self) -> list[str]:
        """One fingerprint a line."""
        return [line.strip() for line in self.cleaned_data["host_keys"].splitlines() if line.strip()]

    def clean_windows(self) -> list[dict[str, Any]]:
        """One window a line."""
        lines = [line.strip() for line in self.cleaned_data["windows"].splitlines() if line.strip()]
        if len(lines) > _MOST_LINES:
            raise forms.ValidationError(f"Give at most {_MOST_LINES} windows.")
        return [window(line) for line in lines]


class NewSourceForm(_SourceFields):
    """A new source."""

    def __init__(
        self, request: HttpRequest, *, centres: list[tuple[int, str]], protocols: list[tuple[str, str]],
        states: list[tuple[str, str]], initial: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(request, protocols=protocols, states=states, initial=initial)
        self.fields["centre"] = forms.TypedChoiceField(
            label="Centre", coerce=int, choices=[(str(number), name) for number, name in centres],
            help_text="Who runs it; others may offer their files there as well.",
        )  # fmt: skip


class SourceForm(_SourceFields, VersionedForm):
    """A source."""


def window(line: str) -> dict[str, Any]:
    """A window as it is kept, from how people write it."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise forms.ValidationError(f"“{line[:80]}” is no window: write it as “mon-fri 22:00-06:00”.")
    days = _days(found["days"] or "mon-sun", line)
    return {"days": days, "start": found["start"], "end": found["end"]}


def _days(text: str, line: str) -> list[int]:
    chosen: set[int] = set()
    for part in re.split(r"[,\s]+", text.strip().lower()):
        first, _, last = part.partition("-")
        if first not in DAYS or (last and last not in DAYS):
            raise forms.ValidationError(f"“{line[:80]}”: days are {', '.join(DAYS)}, or from–to as mon-fri.")
        start, end = DAYS.index(first), DAYS.index(last or first)
        chosen |= {number % 7 for number in range(start, (end if end >= start else end + 7) + 1)}
    return sorted(chosen)


def window_lines(windows: Sequence[Mapping[str, Any]]) -> str:
    """Windows as people write them."""
    return "\n".join(_spoken(one) for one in windows)


def _spoken(one: Mapping[str, Any]) -> str:
    days = sorted(int(day) for day in one.get("days", range(7)))
    words = "" if len(days) == len(DAYS) else f"{','.join(DAYS[day] for day in days)} "
    return f"{words}{one.get('start', '00:00')}-{one.get('end', '00:00')}"

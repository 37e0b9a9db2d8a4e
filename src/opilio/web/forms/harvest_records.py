"""The form that moves URLs of a running harvest."""

from typing import Any

from django import forms

from opilio.web.forms.base import PageForm

_MOST_LINES = 500
_LONGEST = 100_000  # characters of a list
_FURTHEST = 30_000


class _Lines(forms.CharField):
    """One text on each line."""

    def __init__(self, *, label: str, help_text: str) -> None:
        widget = forms.Textarea(attrs={"rows": 3})
        super().__init__(label=label, required=False, max_length=_LONGEST, widget=widget, help_text=help_text)

    def clean(self, value: Any) -> tuple[str, ...]:
        """The lines that hold something."""
        found = tuple(line.strip() for line in str(super().clean(value)).splitlines() if line.strip())
        if len(found) > _MOST_LINES:
            raise forms.ValidationError(f"Give at most {_MOST_LINES} lines at a time.")
        return found


class PriorityForm(PageForm):
    """What is to come sooner or later."""

    priority = forms.IntegerField(
        label="Priority", min_value=-_FURTHEST, max_value=_FURTHEST,
        help_text="Smaller numbers come first: -100 before the others, 0 as usual, 100 after them.",
    )  # fmt: skip
    hosts = _Lines(label="Hosts", help_text="One on each line, with the port where it is unusual: example.org:8080.")
    patterns = _Lines(
        label="Expressions", help_text="One on each line, in RE2's syntax. Every URL in which one is found is moved."
    )
    urls = _Lines(label="URLs", help_text="One on each line, each matched exactly.")

    def clean(self) -> dict[str, Any]:
        """Something at least."""
        cleaned = super().clean()
        if not self.errors and not any(cleaned.get(name) for name in ("hosts", "patterns", "urls")):
            self.add_error("hosts", "Give a host, an expression or a URL.")
        return cleaned

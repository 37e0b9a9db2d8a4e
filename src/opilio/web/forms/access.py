"""The forms about who sees what: reading rooms, and whether readers are shown a harvest."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import HARVEST, READING_ROOM
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column

Choices = list[tuple[int, str]]


def _add_room_fields(form: PageForm) -> None:
    form.fields["name"] = column(READING_ROOM, "name")
    form.fields["networks"] = column(READING_ROOM, "networks", widget=forms.Textarea(attrs={"rows": 6}))
    form.fields["active"] = column(READING_ROOM, "active")
    form.fields["active"].label = "In use"
    form.fields["active"].help_text = "Whether readers from there are on site."


class RoomForm(PageForm):
    """A new reading room."""

    def __init__(
        self, request: HttpRequest, *, agencies: Choices, initial: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(request, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(
            label="Agency", choices=agencies, coerce=int, help_text="Its material can be read there."
        )
        _add_room_fields(self)


class EditRoomForm(VersionedForm):
    """A reading room."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        _add_room_fields(self)


class DisplayForm(VersionedForm):
    """Whether readers are shown a harvest."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["display"] = column(HARVEST, "display")
        self.fields["display"].label = "Show it to readers"
        self.fields["note"] = column(HARVEST, "display_note")
        self.fields["note"].label = "Why"

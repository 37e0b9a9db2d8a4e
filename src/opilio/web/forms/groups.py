"""The forms for groups: details, access, members, ownership, assignments."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.kinds import GROUP, TARGET
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column, listed_field

Choices = list[tuple[int, str]]
GENERAL: Groups = (
    ("Group", ("agency", "parent", "name", "group_type", "reference", "description", "ownership_metadata")),
    ("Days", ("start_date", "end_date")),
    ("Harvests", ("harvest_as", "profile", "profile_note")),
    ("Review", ("follow_reference", "prune_again")),
)
_REVIEW = {"follow_reference": "Compare with the last archived harvest", "prune_again": "Prune again"}
_DAY = {"type": "date"}


class _GroupFields(PageForm):
    groups: ClassVar[Groups] = GENERAL

    def __init__(self, request: HttpRequest, *, profiles: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in ("name", "reference", "description", "ownership_metadata", "profile_note", *_REVIEW):
            self.fields[name] = column(GROUP, name)
            self.fields[name].label = _REVIEW.get(name, self.fields[name].label)
        for name in ("start_date", "end_date"):
            self.fields[name] = column(GROUP, name, widget=forms.DateInput(attrs=_DAY, format="%Y-%m-%d"))
        self.fields["start_date"].label, self.fields["end_date"].label = "First day", "Last day"
        kept = str((initial or {}).get("group_type", ""))
        self.fields["group_type"] = listed_field(GROUP, "group_type", "group-type", kept=kept)
        self.fields["harvest_as"] = column(GROUP, "harvest_as")
        self.fields["harvest_as"].label = "Members are harvested"
        self.fields["harvest_as"].help_text = "Another way removes all harvests that are planned, and plans them anew."
        self.fields["profile"] = chosen("Profile", profiles, "How it is crawled when harvested together.", empty="None")


class NewGroupForm(_GroupFields):
    """A new group."""

    def __init__(
        self,
        request: HttpRequest,
        *,
        agencies: Choices,
        profiles: Choices,
        parents: Choices,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(request, profiles=profiles, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(
            label="Agency", choices=agencies, coerce=int, help_text="Who looks after it; this cannot be changed later."
        )
        self.fields["parent"] = chosen("In the group", parents, "A sub-group needs one to be in.", empty="None")


class GroupForm(_GroupFields, VersionedForm):
    """A group's details."""


class GroupAccessForm(VersionedForm):
    """Who may read what was collected."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in ("access_zone", "embargo_days", "display", "display_note", "display_change_reason"):
            self.fields[name] = column(GROUP, name)
        self.fields["access_zone"].help_text = "Who may read what was collected."
        self.fields["embargo_days"].label = "Days of embargo"


class CopyGroupForm(PageForm):
    """What the copy of a group is called."""

    name = forms.CharField(label="Name of the copy", max_length=255, strip=True)


class OwnerForm(PageForm):
    """Who is to own a target or group."""

    def __init__(self, request: HttpRequest, *, users: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["user"] = forms.TypedChoiceField(
            label="New owner", choices=[("", "Choose a user"), *users], coerce=int,
            help_text="Somebody who works in the agency; they are told.",
        )  # fmt: skip


class AssignmentForm(PageForm):
    """Who is to see to a target, until when, and what to do."""

    def __init__(self, request: HttpRequest, *, users: Choices, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["user"] = forms.TypedChoiceField(
            label="Assign to", choices=[("", "Choose a user"), *users], coerce=int,
            help_text="They find it in their in-tray.",
        )  # fmt: skip
        self.fields["due"] = column(TARGET, "assigned_due", widget=forms.DateInput(attrs=_DAY, format="%Y-%m-%d"))
        self.fields["due"].label = "Due"
        self.fields["note"] = column(TARGET, "assigned_note")
        self.fields["note"].label = "What to do"


def chosen(label: str, choices: Choices, help_text: str, *, empty: str) -> forms.TypedChoiceField:
    """One row of a table, or none."""
    return forms.TypedChoiceField(
        label=label, help_text=help_text, required=False, choices=[("", empty), *choices], coerce=int, empty_value=None
    )

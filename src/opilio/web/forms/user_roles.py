"""The form that gives a user roles: those the asker sees, by agency; others are kept as they are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django import forms
from django.forms import BoundField
from django.http import HttpRequest

from opilio.web.forms.base import PageForm

if TYPE_CHECKING:
    from opilio.people.models import Role, User


class UserRolesForm(PageForm):
    """Check boxes, one group per agency."""

    def __init__(self, request: HttpRequest, *, offered: "list[Role]", held: set[int]) -> None:
        super().__init__(request)
        self._held = held
        self._offered = {role.id for role in offered}
        self._legends: list[tuple[str, str]] = []
        by_agency: dict[int, list[Role]] = {}
        for role in offered:
            by_agency.setdefault(role.agency_id, []).append(role)
        for number, roles in by_agency.items():
            self._add(f"agency-{number}", roles)

    def _add(self, name: str, roles: "list[Role]") -> None:
        self._legends.append((roles[0].agency.name, name))
        self.fields[name] = forms.TypedMultipleChoiceField(
            label=f"Roles in {roles[0].agency.name}", required=False, coerce=int, widget=forms.CheckboxSelectMultiple,
            choices=[(role.id, f"{role.name} – {role.description}".strip(" –")) for role in roles],
            initial=[role.id for role in roles if role.id in self._held],
        )  # fmt: skip

    def sections(self) -> Iterator[tuple[str, list[BoundField]]]:
        """One section per agency; the box's own label names it."""
        for _, name in self._legends:
            yield "", [self[name]]

    def wanted(self) -> list[int]:
        """All roles that the user is to hold: the checked ones, and those that the asker does not see."""
        checked = {number for _, name in self._legends for number in self.cleaned_data[name]}
        return sorted(checked | (self._held - self._offered))

    def values(self, held: set[int]) -> dict[str, list[int]]:
        """By field, the offered roles that are held."""
        return {
            name: [number for number, _ in self.fields[name].choices if number in held]  # type: ignore[attr-defined]  # all are choices
            for _, name in self._legends
        }

    def unseen_roles(self, row: "User") -> list[str]:
        """Roles that the user holds where the asker has no say."""
        return [
            f"{held.role.name} ({held.role.agency.name})"
            for held in row.held_roles.all()
            if held.role_id in self._held - self._offered
        ]

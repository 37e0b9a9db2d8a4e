"""The form of a role: its words, and the matrix of privileges and scopes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict

from opilio.people.kinds import ROLE
from opilio.people.privilege_list import PRIVILEGES
from opilio.people.privileges import Scope
from opilio.web.forms.base import PageForm, VersionedForm
from opilio.web.forms.fields import column
from opilio.web.forms.people import agency_field

PREFIX = "privilege-"
_SPOKEN = {Scope.ALL: "All", Scope.AGENCY: "Agency", Scope.OWNER: "Own", Scope.NONE: "Yes"}


class MatrixWidget(forms.Widget):
    """Collects one choice per privilege; drawn by the template of the role page."""

    def value_from_datadict(
        self, data: Mapping[str, Any], files: MultiValueDict[str, Any], name: str
    ) -> dict[str, str]:
        """Privilege → chosen scope, for all that were given."""
        chosen = {key.removeprefix(PREFIX): str(data[key]) for key in data if key.startswith(PREFIX)}
        return {code: scope for code, scope in chosen.items() if scope}


class MatrixField(forms.Field):
    """Privilege code → number of the scope."""

    widget = MatrixWidget

    def to_python(self, value: Any) -> dict[str, int]:
        """Whatever is no number is refused here; whether a scope fits, the action decides."""
        if not all(text.isascii() and text.isdecimal() and len(text) < 6 for text in (value or {}).values()):
            raise forms.ValidationError("A scope is missing or damaged; choose again.")
        return {code: int(text) for code, text in (value or {}).items()}


class _RoleFields(PageForm):
    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["name"] = column(ROLE, "name")
        self.fields["description"] = column(ROLE, "description", widget=forms.Textarea(attrs={"rows": 2}))
        self.fields["privileges"] = MatrixField(label="Privileges", required=False)


class RoleForm(_RoleFields, VersionedForm):
    """A role."""

    groups = (("", ("name", "description")),)


class NewRoleForm(_RoleFields):
    """A new role, which belongs to an agency for good."""

    groups = (("", ("name", "agency", "description")),)

    def __init__(
        self, request: HttpRequest, *, agencies: list[tuple[int, str]], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["agency"] = agency_field(agencies, "Agency whose things the role gives access to.")


@dataclass(frozen=True, kw_only=True)
class ScopeChoice:
    """One radio button of a row."""

    value: str  # empty: not given
    label: str
    offered: bool  # whether the privilege can have the scope
    checked: bool
    stored: bool  # what the role has now


@dataclass(frozen=True, kw_only=True)
class MatrixRow:
    """One privilege."""

    code: str
    sentence: str
    choices: tuple[ScopeChoice, ...]


def matrix(chosen: Mapping[str, Any], stored: Mapping[str, int]) -> list[tuple[str, list[MatrixRow]]]:
    """The privileges by group, with what is chosen and what is stored."""
    groups: dict[str, list[MatrixRow]] = {}
    for listed in PRIVILEGES:
        code = listed.privilege.value
        now, was = str(chosen.get(code, "")), str(stored.get(code, ""))
        choices = [ScopeChoice(value="", label="No", offered=True, checked=not now, stored=not was)]
        choices += [
            ScopeChoice(
                value=str(scope.value), label=_SPOKEN[scope], offered=scope in listed.scopes,
                checked=now == str(scope.value), stored=was == str(scope.value),
            )
            for scope in (Scope.OWNER, Scope.AGENCY, Scope.ALL, Scope.NONE)
        ]  # fmt: skip
        groups.setdefault(listed.group, []).append(
            MatrixRow(code=code, sentence=listed.sentence, choices=tuple(choices))
        )
    return list(groups.items())

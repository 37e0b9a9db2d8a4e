"""The forms for agencies, users and annotations."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.people.kinds import AGENCY, ANNOTATION, USER
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column, listed_field, zone_field

AGENCY_GROUPS = (
    ("Agency", ("name", "url", "logo_url", "time_zone")),
    ("Contact", ("email", "phone", "fax", "address")),
)
PERSON = ("title", "first_name", "last_name", "email", "phone", "address")
SWITCHES = ("notify_on_general", "notify_on_warnings", "tasks_by_email", "notifications_by_email")
_SHORT = {"autocomplete": "off"}


class _AgencyFields(PageForm):
    groups: ClassVar[Groups] = AGENCY_GROUPS

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        for name in ("name", "url", "logo_url", "email", "phone", "fax", "address"):
            self.fields[name] = column(AGENCY, name)
        self.fields["time_zone"] = zone_field(AGENCY)


class NewAgencyForm(_AgencyFields):
    """A new agency."""

    with_roles = forms.BooleanField(
        label="Ready roles", required=False, initial=True,
        help_text="Start with administrator, archivist, curator, reviewer and the other ready roles.",
    )  # fmt: skip
    groups = (*AGENCY_GROUPS, ("Roles", ("with_roles",)))


class AgencyForm(_AgencyFields, VersionedForm):
    """An agency's details."""


class PersonForm(PageForm):
    """What is the same in all forms about a user."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        title = str((initial or {}).get("title", ""))
        self.fields["title"] = listed_field(USER, "title", "user-title", kept=title)
        for name in (*PERSON[1:], *SWITCHES):
            self.fields[name] = column(USER, name)
        self.fields["time_zone"] = zone_field(USER, empty="As the agency")


class AccountForm(PersonForm, VersionedForm):
    """One's own details."""

    groups = (("You", (*PERSON, "time_zone")), ("What you want to be told", SWITCHES))


class UserForm(PersonForm, VersionedForm):
    """A user's details, as an administrator sees them."""

    groups = (
        ("Person", PERSON),
        ("Account", ("agency", "time_zone", "external_auth", "force_password_change")),
        ("What they are told", SWITCHES),
    )

    def __init__(
        self, request: HttpRequest, *, agencies: list[tuple[int, str]], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["agency"] = agency_field(agencies, "Home agency; roles may be in others too.")
        for name in ("external_auth", "force_password_change"):
            self.fields[name] = column(USER, name)


class NewUserForm(PersonForm):
    """A new user."""

    password_field = "password"  # noqa: S105 - the name of a field
    groups = (
        ("Account", ("username", "agency", "password", "force_password_change", "external_auth", "roles")),
        ("Person", (*PERSON, "time_zone")),
        ("What they are told", SWITCHES),
    )

    def __init__(
        self,
        request: HttpRequest,
        *,
        agencies: list[tuple[int, str]],
        roles: list[tuple[int, str]],
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(request, initial={"notify_on_general": True, "force_password_change": True, **(initial or {})})
        self.fields["username"] = column(USER, "username", widget=forms.TextInput(attrs=_SHORT))
        self.fields["agency"] = agency_field(agencies, "Home agency; roles may be in others too.")
        self.fields["password"] = forms.CharField(
            label="First password", required=False, strip=False, widget=new_password(),
            help_text="Leave it empty only for external authentication.",
        )  # fmt: skip
        for name in ("external_auth", "force_password_change"):
            self.fields[name] = column(USER, name)
        self.fields["roles"] = forms.TypedMultipleChoiceField(
            label="Roles", required=False, choices=roles, coerce=int, widget=forms.CheckboxSelectMultiple,
            help_text="Without a role that lets them sign in, users cannot.",
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Somebody must check the password: we, or the directory."""
        cleaned = super().clean()
        if not cleaned.get("password") and not cleaned.get("external_auth"):
            self.add_error("password", "Write a first password, or choose external authentication.")
        return cleaned


class NoteForm(PageForm):
    """A new annotation."""

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(request, initial=initial)
        self.fields["note"] = column(ANNOTATION, "note", widget=forms.Textarea(attrs={"rows": 3}))
        self.fields["alertable"] = column(ANNOTATION, "alertable")


class EditNoteForm(NoteForm, VersionedForm):
    """An annotation to be reworded."""


def agency_field(agencies: list[tuple[int, str]], help_text: str) -> forms.TypedChoiceField:
    """One of the agencies that the asker may choose."""
    return forms.TypedChoiceField(label="Agency", help_text=help_text, choices=agencies, coerce=int)


def new_password() -> forms.PasswordInput:
    """A password that browsers offer to make up and keep."""
    return forms.PasswordInput(attrs={"autocomplete": "new-password"})

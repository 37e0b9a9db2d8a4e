"""The forms around signing in: passwords and API tokens."""

from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.people.actor import Actor
from opilio.people.privilege_list import PRIVILEGES
from opilio.web.forms.base import PageForm
from opilio.web.forms.people import new_password

_LONGEST = 1_024


class SignInForm(PageForm):
    """User name and password."""

    username = forms.CharField(
        label="User name", max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True, "autocapitalize": "none"}),
    )  # fmt: skip
    password = forms.CharField(
        label="Password", max_length=_LONGEST, strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )  # fmt: skip


class _NewPassword(PageForm):
    new = forms.CharField(label="New password", max_length=_LONGEST, strip=False, widget=new_password())
    repeated = forms.CharField(
        label="New password again", max_length=_LONGEST, strip=False, widget=new_password(),
        help_text="So that no slip of the finger locks anybody out.",
    )  # fmt: skip
    password_field = "new"  # noqa: S105 - the name of a field

    def __init__(self, request: HttpRequest, *, min_length: int) -> None:
        super().__init__(request)
        self.fields["new"].help_text = f"At least {min_length} characters; four unrelated words are good."

    def clean(self) -> dict[str, Any]:
        """Both must be the same."""
        cleaned = super().clean()
        if cleaned.get("new") and cleaned.get("repeated") and cleaned["new"] != cleaned["repeated"]:
            self.add_error("repeated", "The two new passwords differ.")
        return cleaned


class PasswordForm(_NewPassword):
    """One's own password."""

    old = forms.CharField(
        label="Present password", max_length=_LONGEST, strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )  # fmt: skip
    groups = (("", ("old", "new", "repeated")),)


class ResetPasswordForm(_NewPassword):
    """A new password for somebody else."""

    force_change = forms.BooleanField(
        label="New password at next sign-in", required=False, initial=True,
        help_text="The user must choose one that only they know.",
    )  # fmt: skip
    groups = (("", ("new", "repeated", "force_change")),)


class TokenForm(PageForm):
    """A new API token."""

    name = forms.CharField(label="Name", max_length=100, help_text="What the token is for.")

    def __init__(self, request: HttpRequest, *, actor: Actor, longest_days: int) -> None:
        super().__init__(request)
        self.fields["days"] = forms.IntegerField(
            label="Days until it expires", min_value=1, max_value=longest_days, initial=min(90, longest_days),
            help_text=f"At most {longest_days}; afterwards the token stops working.",
        )  # fmt: skip
        held = [(one.privilege.value, one.sentence) for one in PRIVILEGES if actor.holds(one.privilege)]
        self.fields["scopes"] = forms.MultipleChoiceField(
            label="Scopes", required=False, choices=held, widget=forms.CheckboxSelectMultiple,
            help_text="What the token may do for you; without any it can only read your own account.",
        )  # fmt: skip

"""A user (the seed's WCTUSER): who signs in, and what they want to be told."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models
from django.db.models.functions import Lower

from opilio.catalogue.curated import Curated
from opilio.people.models.agency import Agency


class User(AbstractBaseUser, Curated):
    """Somebody who signs in. `dirty` means that `grants` must be derived anew from the roles."""

    username = models.CharField(max_length=150, help_text="Name to sign in with: letters, digits and @ . + - _.")
    first_name = models.CharField(max_length=150, blank=True, help_text="Given name.")
    last_name = models.CharField(max_length=150, blank=True, help_text="Family name.")
    title = models.CharField(max_length=64, blank=True, help_text="Form of address, as Dr.")
    email = models.EmailField(blank=True, help_text="Where e-mail goes.")
    phone = models.CharField(max_length=64, blank=True, help_text="Telephone number.")
    address = models.TextField(max_length=1000, blank=True, help_text="Postal address.")
    is_active = models.BooleanField(default=True, help_text="Whether the user may sign in.")
    deactivated_at = models.DateTimeField(null=True, blank=True, help_text="When the user was deactivated.")
    force_password_change = models.BooleanField(
        default=False, help_text="Whether a new password must be chosen at the next sign-in."
    )
    external_auth = models.BooleanField(
        default=False, help_text="Whether the password is checked by LDAP or single sign-on instead of here."
    )
    agency = models.ForeignKey(
        Agency, on_delete=models.PROTECT, related_name="users", help_text="Home agency; roles may be in others too."
    )
    tasks_by_email = models.BooleanField(default=False, help_text="Send tasks by e-mail as well.")
    notifications_by_email = models.BooleanField(default=False, help_text="Send notifications by e-mail as well.")
    notify_on_general = models.BooleanField(default=True, help_text="Receive general notifications.")
    notify_on_warnings = models.BooleanField(
        default=False, help_text="Receive warnings, such as of a full disk on an agent."
    )
    time_zone = models.CharField(max_length=64, blank=True, help_text="Zone in which times are shown; empty: agency's.")
    language = models.CharField(
        max_length=16, blank=True, default="", db_default="",
        help_text="Language of the pages, as de; empty: as the browser asks.",
    )  # fmt: skip
    grants = models.JSONField(default=list, editable=False)  # derived from the roles: [privilege, scope, agency id] …

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"

    class Meta:
        db_table = "user"
        ordering = ["username"]
        constraints = [models.UniqueConstraint(Lower("username"), name="user_username_unique")]
        indexes = [
            models.Index(fields=["agency", "username"], name="user_agency"),
            models.Index(fields=["last_name", "first_name"], name="user_names"),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def real_name(self) -> str:
        """Given and family name, or the user name where neither is known."""
        return f"{self.first_name} {self.last_name}".strip() or self.username

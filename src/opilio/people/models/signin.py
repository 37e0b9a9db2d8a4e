"""Sign-in: sessions with their durations (WCT_LOGON_DURATION), waits after failures, earlier passwords."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.people.models.user import User


class Ended(models.TextChoices):
    """How a sign-in session came to its end."""

    SIGNED_OUT = "signed out"  # by the user
    EXPIRED = "expired"  # no request for too long, or too old
    REVOKED = "revoked"  # by the user elsewhere, or by an administrator
    BARRED = "barred"  # the user was deactivated or the password changed


class SignInSession(Identified):
    """One sign-in session. The end of one that expired is its last request, hence an estimate."""

    session_key = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="sign_ins")
    username = models.CharField(max_length=150)
    real_name = models.CharField(max_length=301)
    signed_in_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    signed_out_at = models.DateTimeField(null=True, blank=True)
    duration_seconds = models.PositiveIntegerField(null=True, blank=True)
    ended = models.CharField(max_length=16, blank=True, choices=Ended.choices)
    method = models.CharField(max_length=16)  # password, ldap, oidc
    address = models.CharField(max_length=64, blank=True)
    user_agent = models.CharField(max_length=255, blank=True)

    class Meta:
        db_table = "sign_in_session"
        ordering = ["-signed_in_at", "-id"]
        indexes = [
            models.Index(fields=["user", "-signed_in_at"], name="sign_in_user"),
            models.Index(fields=["-signed_in_at", "-id"], name="sign_in_at"),
            models.Index(fields=["ended", "last_seen_at"], name="sign_in_open"),
        ]

    def __str__(self) -> str:
        return f"{self.username} since {self.signed_in_at:%Y-%m-%d %H:%M}"


class SignInThrottle(Identified):
    """Failed sign-ins of one user name or one address, and until when the next must wait."""

    kind = models.CharField(max_length=8)  # user, address
    value = models.CharField(max_length=255)
    failures = models.PositiveIntegerField(default=0)
    wait_until = models.DateTimeField()
    last_failure = models.DateTimeField()

    class Meta:
        db_table = "sign_in_throttle"
        constraints = [models.UniqueConstraint(fields=["kind", "value"], name="sign_in_throttle_unique")]

    def __str__(self) -> str:
        return f"{self.kind} {self.value}: {self.failures}"


class PasswordRecord(Identified):
    """The hash of an earlier password, so that it is not used again."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="earlier_passwords")
    password = models.CharField(max_length=128)
    at = models.DateTimeField()

    class Meta:
        db_table = "password_record"
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.user} until {self.at:%Y-%m-%d}"

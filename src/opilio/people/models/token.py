"""API tokens: shown once, stored hashed, cut down to scopes, with an end."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.people.models.user import User


class ApiToken(Identified):
    """Lets a program act for a user, within some of the user's privileges."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100, help_text="What the token is for.")
    prefix = models.CharField(max_length=16, unique=True)  # names the token in lists and logs
    digest = models.CharField(max_length=64)  # SHA-256 of the secret, which has 256 bits of its own
    scopes = models.JSONField(default=list)  # privilege codes; empty: none but reading one's own account
    created = models.DateTimeField()
    expires = models.DateTimeField(help_text="When the token stops working.")
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "api_token"
        ordering = ["-created", "-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"

"""The audit log (WCTAUDIT): append-only rows with copied names, and the seals that chain them."""

from django.db import models

from opilio.catalogue.identified import Identified


class AuditEntry(Identified):
    """Who did what to which thing, when, and what changed. Holds no references: it outlives what it speaks of."""

    at = models.DateTimeField(help_text="When it was done.")
    action = models.CharField(max_length=64, help_text="What was done, as user.update.")
    subject_type = models.CharField(max_length=64, blank=True, help_text="Kind of thing it was done to.")
    subject_id = models.BigIntegerField(null=True, blank=True)
    subject_name = models.CharField(max_length=255, blank=True)
    message = models.TextField(blank=True, help_text="The same in a sentence.")
    user_id = models.BigIntegerField(null=True, blank=True)  # empty: the system
    username = models.CharField(max_length=150, blank=True)
    first_name = models.CharField(max_length=150, blank=True)
    last_name = models.CharField(max_length=150, blank=True)
    agency_id = models.BigIntegerField(null=True, blank=True)
    agency_name = models.CharField(max_length=255, blank=True)
    before = models.JSONField(default=dict, help_text="Changed fields as they were.")
    after = models.JSONField(default=dict, help_text="Changed fields as they became.")
    correlation = models.CharField(max_length=64, blank=True, help_text="Ties together all that one request did.")
    via = models.CharField(max_length=16, blank=True, help_text="Page, API, CLI or system.")
    address = models.CharField(max_length=64, blank=True, help_text="Network address it was asked from.")

    class Meta:
        db_table = "audit_entry"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["-at", "-id"], name="audit_at"),
            models.Index(fields=["agency_id", "-at", "-id"], name="audit_agency_at"),
            models.Index(fields=["action", "-at", "-id"], name="audit_action_at"),
            models.Index(fields=["username", "-at", "-id"], name="audit_username_at"),
            models.Index(fields=["subject_type", "subject_id", "-at"], name="audit_subject"),
            models.Index(fields=["subject_type", "-at", "-id"], name="audit_subject_type"),
            models.Index(fields=["correlation"], name="audit_correlation"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.subject_name}"


class AuditSeal(Identified):
    """A link of the chain: entry `entry_id` is number `number`, and everything before it is in `previous`."""

    number = models.BigIntegerField(unique=True)  # dense, from 1
    entry_id = models.BigIntegerField(unique=True)
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()

    class Meta:
        db_table = "audit_seal"
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number}: {self.digest[:12]}"

"""Webhooks: where programs outside want to hear of events, and every message that was, or is to be, sent to them."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.people.models.agency import Agency


class Webhook(Curated):
    """An address that is told of chosen events, in messages signed with a secret of its own."""

    name = models.CharField(max_length=255, help_text="What it is for, as “notes in the catalogue”.")
    agency = models.ForeignKey(
        Agency, null=True, blank=True, on_delete=models.PROTECT, related_name="webhooks",
        help_text="Whose events it hears; none: those of all agencies.",
    )  # fmt: skip
    url = models.CharField(max_length=1024, help_text="Where messages are sent, as https://hooks.example.org/opilio.")
    secret = models.TextField(blank=True)  # sealed by kernel/secret_box.py for its place
    events = models.JSONField(default=list, help_text="Names of the events that it hears.")
    enabled = models.BooleanField(default=True, help_text="Whether messages are sent.")
    failures = models.PositiveIntegerField(default=0)  # tries in a row that failed
    resting_until = models.DateTimeField(null=True, blank=True)  # after a failure nothing is tried before then
    troubled_at = models.DateTimeField(null=True, blank=True)  # since when people know that messages are given up
    stopped = models.TextField(blank=True)  # why Opilio itself switched it off

    class Meta:
        db_table = "webhook"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(deleted=False), name="webhook_name_unique",
                violation_error_message="There is a webhook of this name already; choose another.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class Delivery(models.TextChoices):
    """Where a message to a webhook stands."""

    WAITING = "waiting", "Waiting"  # it is sent, or tried again, when its time comes
    SENT = "sent", "Sent"  # the other side took it
    FAILED = "failed", "Failed"  # it was given up


class WebhookDelivery(Identified):
    """One message to one webhook, written in the transaction of what it tells; a job sends it."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=64)
    subject_type = models.CharField(max_length=64, blank=True)
    subject_id = models.BigIntegerField(null=True, blank=True)
    subject_name = models.CharField(max_length=255, blank=True)
    body = models.JSONField()
    state = models.CharField(max_length=16, choices=Delivery.choices, default=Delivery.WAITING)
    created = models.DateTimeField()
    asked_at = models.DateTimeField()  # since when it is tried; later than `created` once somebody sent it again
    next_at = models.DateTimeField(null=True, blank=True)  # the next try; none: none is left
    tries = models.PositiveIntegerField(default=0)
    status = models.PositiveIntegerField(null=True, blank=True)  # HTTP status of the last answer
    answer = models.TextField(blank=True)  # beginning of the last answer
    error = models.TextField(blank=True)  # why the last try failed
    milliseconds = models.PositiveIntegerField(null=True, blank=True)  # that the last try took
    tried_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # sent or given up

    class Meta:
        db_table = "webhook_delivery"
        ordering = ["-created", "-id"]
        indexes = [
            models.Index(fields=["webhook", "-created", "-id"], name="webhook_delivery_newest"),
            models.Index(fields=["ended_at"], name="webhook_delivery_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"

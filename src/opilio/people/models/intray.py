"""The in-tray: tasks for whoever holds a privilege (TASK), notifications for one user, e-mail that waits."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.people.models.agency import Agency
from opilio.people.models.user import User


class Task(Identified):
    """Something to be done by whoever holds `privilege` in `agency`, until somebody claims it."""

    kind = models.CharField(max_length=64)  # the seed's TSK_MSG_TYPE, as approve-target
    subject = models.CharField(max_length=255)
    message = models.TextField(blank=True)
    sender = models.CharField(max_length=255, blank=True)  # e-mail address, or the name of the part that sent it
    sent_at = models.DateTimeField()
    privilege = models.CharField(max_length=64)
    agency = models.ForeignKey(Agency, on_delete=models.PROTECT, related_name="tasks")
    claimed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="claimed_tasks")
    claimed_at = models.DateTimeField(null=True, blank=True)
    resource_type = models.CharField(max_length=64, blank=True)
    resource_id = models.BigIntegerField(null=True, blank=True)

    class Meta:
        db_table = "task"
        ordering = ["-sent_at", "-id"]
        indexes = [
            models.Index(fields=["agency", "privilege", "-sent_at"], name="task_audience"),
            models.Index(fields=["claimed_by", "-sent_at"], name="task_claimed"),
            models.Index(fields=["resource_type", "resource_id"], name="task_resource"),
        ]

    def __str__(self) -> str:
        return self.subject


class Category(models.TextChoices):
    """What a notification is about; a user's switches keep or drop each."""

    GENERAL = "general"  # the course of one's own things
    WARNING = "warning"  # the health of the installation


class Notification(Identified):
    """Something that one user should know."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=64)
    category = models.CharField(max_length=16, choices=Category.choices)
    subject = models.CharField(max_length=255)
    message = models.TextField(blank=True)
    sender = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    resource_type = models.CharField(max_length=64, blank=True)
    resource_id = models.BigIntegerField(null=True, blank=True)

    class Meta:
        db_table = "notification"
        ordering = ["-sent_at", "-id"]
        indexes = [models.Index(fields=["user", "read_at", "-sent_at"], name="notification_user")]

    def __str__(self) -> str:
        return self.subject


class OutboxMessage(Identified):
    """An e-mail that is to be sent, written in the transaction that caused it; a job sends it."""

    to = models.CharField(max_length=320)
    subject = models.CharField(max_length=255)
    body = models.TextField()
    created = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)  # set when the server refused it for good
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    message_id = models.CharField(max_length=255)  # the same at every attempt, so that a repeat can be recognised
    envelope = models.JSONField(default=dict, blank=True)  # further headers of letters to people outside

    class Meta:
        db_table = "outbox_message"
        ordering = ["-created", "-id"]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"

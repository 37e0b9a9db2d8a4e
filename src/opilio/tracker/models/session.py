"""Delivery sessions and their tasks."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.tracker.models.reference import PhaseRow


class DeliverySession(Identified):
    """One run over all sources (crawling_session)."""

    start_time = models.DateTimeField()
    finish_time = models.DateTimeField(null=True)  # empty: it runs, or was cut off
    status = models.BigIntegerField(default=0)  # 0: all went well; else the task that failed
    created = models.DateTimeField()
    last_update = models.DateTimeField(auto_now=True)
    profile = models.CharField(max_length=32)
    owner = models.CharField(max_length=160)  # the process that runs it
    by = models.CharField(max_length=150)
    dry_run = models.BooleanField(default=False)
    cut_off = models.BooleanField(default=False)  # its process ended before it did
    figures = models.JSONField(default=dict)  # what it came to

    class Meta:
        db_table = "crawling_session"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"session {self.pk}"


class SessionTask(Identified):
    """One task of a session (session_task): a phase."""

    session = models.ForeignKey(DeliverySession, on_delete=models.CASCADE, related_name="tasks")
    phase = models.ForeignKey(PhaseRow, on_delete=models.PROTECT, related_name="+")
    comment = models.CharField(max_length=256, blank=True)
    start_time = models.DateTimeField()
    finish_time = models.DateTimeField(null=True)
    status = models.SmallIntegerField(default=0)  # 0 ok, 1 failure
    created = models.DateTimeField()
    last_update = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "session_task"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.phase} of session {self.session_id}"

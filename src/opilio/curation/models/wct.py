"""Imports from the Web Curator Tool: what was asked for, and which row of its tables became which of ours."""

from django.db import models

from opilio.catalogue.identified import Identified


class WctIdentity(Identified):
    """That a row of a table of the Web Curator Tool is a row of ours; so a second import finds what the first made."""

    table = models.CharField(max_length=32)  # as PERMISSION
    oid = models.BigIntegerField()  # its number there
    row_id = models.BigIntegerField()  # its number here: the same where that was free
    digest = models.CharField(max_length=32)  # of its columns as they were taken over
    at = models.DateTimeField()  # when it was taken over last

    class Meta:
        db_table = "wct_identity"
        ordering = ["id"]
        indexes = [models.Index(fields=["table", "row_id"], name="wct_identity_row")]
        constraints = [models.UniqueConstraint(fields=["table", "oid"], name="wct_identity_unique")]

    def __str__(self) -> str:
        return f"{self.table} {self.oid}"


class ImportState(models.TextChoices):
    """Where an import stands."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"


class WctImport(Identified):
    """An uploaded export of the Web Curator Tool, and what its import said."""

    name = models.CharField(max_length=255)  # of the file as it was uploaded
    path = models.CharField(max_length=1_024)  # where it lies in the home folder
    dry_run = models.BooleanField(default=True)
    time_zone = models.CharField(max_length=64)  # of the times in the dump
    encoding = models.CharField(max_length=32)
    state = models.CharField(max_length=16, choices=ImportState.choices, default=ImportState.WAITING)
    asked_by = models.ForeignKey("people.User", null=True, on_delete=models.SET_NULL, related_name="+")
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    report = models.JSONField(default=dict)  # counts for each table, and the first rows that were not taken over

    class Meta:
        db_table = "wct_import"
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

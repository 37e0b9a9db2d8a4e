"""Bulk work: a set of rows, or of lines of a table, to which one thing is done, and what became of each."""

from django.db import models

from opilio.catalogue.identified import Identified


class BulkState(models.TextChoices):
    """Where bulk work stands."""

    DRAFT = "draft", "Prepared"
    WAITING = "waiting", "Waiting for an agent"
    RUNNING = "running", "Under way"
    DONE = "done", "Done"
    STOPPED = "stopped", "Stopped"


class Outcome(models.TextChoices):
    """What became of a row."""

    WAITING = "waiting", "Not yet"
    CHANGED = "changed", "Changed"
    UNCHANGED = "unchanged", "Was so already"
    REFUSED = "refused", "Refused"
    UNREADABLE = "unreadable", "Unreadable"  # a line of a table that says nothing usable


class BulkRun(Identified):
    """One thing that is done to many rows, each in a transaction of its own."""

    user = models.ForeignKey("people.User", null=True, on_delete=models.CASCADE, related_name="bulk_runs")
    privileges = models.JSONField(default=list)  # what the asker held then; a token may hold less than its user
    via = models.CharField(max_length=8)  # through which face it was asked for
    noun = models.CharField(max_length=32)
    verb = models.CharField(max_length=32)
    arguments = models.JSONField(default=dict)
    source = models.CharField(max_length=255, blank=True)  # name of the file, or the address of the list
    dry_run = models.BooleanField(default=False)  # everything is tried and taken back
    state = models.CharField(max_length=16, choices=BulkState.choices, default=BulkState.DRAFT)
    total = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    job = models.BigIntegerField(null=True)  # identifier of the job that does it

    class Meta:
        db_table = "bulk_run"
        ordering = ["-made_at", "-id"]
        indexes = [models.Index(fields=["user", "-made_at"], name="bulk_run_user")]

    def __str__(self) -> str:
        return f"{self.verb} {self.total} {self.noun}"


class BulkItem(Identified):
    """One row of bulk work."""

    run = models.ForeignKey(BulkRun, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()  # place in the set; of an import, the line
    row_id = models.BigIntegerField(null=True)
    name = models.CharField(max_length=255, blank=True)
    values = models.JSONField(null=True)  # of an import: texts by column
    outcome = models.CharField(max_length=16, choices=Outcome.choices, default=Outcome.WAITING)
    told = models.TextField(blank=True)  # what changed, or why it was refused

    class Meta:
        db_table = "bulk_item"
        ordering = ["run", "position", "id"]
        indexes = [
            models.Index(fields=["run", "position", "id"], name="bulk_item_order"),
            models.Index(fields=["run", "outcome", "position"], name="bulk_item_outcome"),
        ]

    def __str__(self) -> str:
        return self.name

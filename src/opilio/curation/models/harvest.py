"""Harvests: dated runs (TARGET_INSTANCE)."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identifiers import GENERAL
from opilio.curation.models.collected import AbstractTarget
from opilio.curation.models.overrides import Overrides
from opilio.curation.models.profile import Profile
from opilio.curation.models.schedule import Schedule


class HarvestState(models.TextChoices):
    """Where a harvest stands."""

    SCHEDULED = "scheduled", "Scheduled"
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    STOPPING = "stopping", "Stopping"
    HARVESTED = "harvested", "Harvested"
    ABORTED = "aborted", "Aborted"
    REJECTED = "rejected", "Rejected"
    ENDORSED = "endorsed", "Endorsed"
    ARCHIVING = "archiving", "Archiving"
    ARCHIVED = "archived", "Archived"
    PATCHING = "patching", "Patching"


class Priority(models.IntegerChoices):
    """Which harvest goes first; the numbers are the seed's."""

    HIGH = 0, "High"
    NORMAL = 100, "Normal"
    LOW = 1000, "Low"


class Harvest(Curated):
    """One dated run of a target or group."""

    ID_KIND = GENERAL

    # References with db_index=False are the beginning of an index below, or empty in most rows, of which it has none.
    # Those with db_constraint=False lead to rows that are only ever marked as deleted; `opilio db check` looks after
    # them. The database would ask for each again with every row: half of what it costs to plan (decision 0070).
    abstract_target = models.ForeignKey(
        AbstractTarget, on_delete=models.PROTECT, related_name="harvests", db_index=False
    )
    schedule = models.ForeignKey(
        Schedule, null=True, blank=True, on_delete=models.SET_NULL, related_name="harvests", db_index=False,
        db_constraint=False,
    )  # fmt: skip
    planned_for = models.DateTimeField(
        null=True, blank=True, help_text="Time of its schedule that it stands for; stays when it is moved by hand."
    )
    scheduled_at = models.DateTimeField(help_text="When it is, or was, to begin.")
    state = models.CharField(max_length=16, choices=HarvestState.choices, default=HarvestState.SCHEDULED)
    state_since = models.DateTimeField(help_text="When it came into its state.")
    reason = models.TextField(max_length=4_000, blank=True, help_text="Why it is in its state.")
    expected_until = models.DateTimeField(null=True, blank=True, help_text="When its state should be over.")
    deferrals = models.PositiveSmallIntegerField(default=0, help_text="How often it was put off by a day.")
    held = models.BooleanField(default=False, help_text="Whether it waits for a person instead of its time.")
    launched = models.BooleanField(default=False, help_text="Whether somebody wanted it at once.")
    first_of_target = models.BooleanField(default=False, help_text="Whether it is the first of its target.")
    priority = models.PositiveSmallIntegerField(choices=Priority.choices, default=Priority.NORMAL)
    owner = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="harvests", db_constraint=False)
    agency = models.ForeignKey(
        "people.Agency", on_delete=models.PROTECT, related_name="harvests", db_index=False, db_constraint=False
    )
    edited = models.BooleanField(default=False, help_text="Whether somebody changed it by hand; then plans keep it.")
    started_at = models.DateTimeField(null=True, blank=True, help_text="When it began.")
    ended_at = models.DateTimeField(null=True, blank=True, help_text="When its crawl ended.")
    job = models.BigIntegerField(null=True, blank=True, help_text="Job that runs it.")
    wanted_agent = models.CharField(max_length=64, blank=True, help_text="Agent that it was given to; empty: any.")
    since = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="followers", db_index=False,
        help_text="Earlier harvest whose pages it asks for only if they changed.",
    )  # fmt: skip
    bandwidth_percent = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Share given by hand.")
    allocated_bandwidth = models.PositiveBigIntegerField(null=True, blank=True, help_text="kB/s in force.")
    overrides = models.OneToOneField(
        Overrides, null=True, blank=True, on_delete=models.PROTECT, related_name="harvest", db_constraint=False
    )
    profile = models.ForeignKey(
        Profile, null=True, blank=True, on_delete=models.PROTECT, related_name="harvests", db_index=False,
        db_constraint=False,
    )  # fmt: skip
    agent_name = models.CharField(max_length=255, blank=True, help_text="Agent that ran it.")
    archive_id = models.CharField(max_length=255, blank=True, help_text="What the archive calls it.")
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was archived or rejected; its data may be purged some days later."
    )
    purged = models.BooleanField(default=False, help_text="Whether its data was removed.")
    purged_at = models.DateTimeField(null=True, blank=True, help_text="When its data was removed.")
    flagged = models.BooleanField(default=False, help_text="Marked for attention.")
    flag = models.ForeignKey(
        "curation.Flag", null=True, blank=True, on_delete=models.SET_NULL, related_name="harvests", db_index=False,
        db_constraint=False, help_text="Coloured mark of its agency.",
    )  # fmt: skip
    display = models.BooleanField(default=True, help_text="Whether readers are shown it.")
    display_note = models.TextField(max_length=4_000, blank=True, help_text="Why.")
    allow_early_start = models.BooleanField(default=False, help_text="Whether it may begin before its time.")
    updated_by = models.ForeignKey(
        "people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False,
        db_constraint=False, help_text="Who changed it last; empty means the system.",
    )  # fmt: skip

    class Meta:
        db_table = "harvest"
        ordering = ["scheduled_at", "id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["state", "scheduled_at"], name="harvest_due"),
            models.Index(fields=["abstract_target", "state", "scheduled_at"], name="harvest_target"),
            models.Index(fields=["agency", "state", "scheduled_at"], name="harvest_agency"),
            models.Index(fields=["since"], condition=models.Q(since__isnull=False), name="harvest_since"),
            models.Index(fields=["flag"], condition=models.Q(flag__isnull=False), name="harvest_flag"),
            models.Index(
                fields=["state", "archived_at"], condition=models.Q(archived_at__isnull=False), name="harvest_archived"
            ),
            models.Index(fields=["profile"], condition=models.Q(profile__isnull=False), name="harvest_profile"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["schedule", "abstract_target", "planned_for"], condition=models.Q(deleted=False),
                name="harvest_planned_once",  # what has no time of a schedule is never the same as another
                violation_error_message="This time of the schedule is planned already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.abstract_target} at {self.scheduled_at:%Y-%m-%d %H:%M}"

"""What belongs to a harvest: its log of events, its snapshot, orders to it, its figures and files, rules of agents."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.harvest import Harvest, HarvestState


class HarvestEvent(Identified):
    """Something that happened to a harvest; never changed, and together the truth about its state."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()  # from 1, without a gap
    at = models.DateTimeField()
    name = models.CharField(max_length=32)  # the move, or what else happened
    source = models.CharField(max_length=16, blank=True, choices=HarvestState.choices)  # empty: it was made
    target = models.CharField(max_length=16, choices=HarvestState.choices)
    reason = models.TextField(max_length=4_000, blank=True)
    by = models.CharField(max_length=150)  # user name, or the part of the system that did it
    agent = models.CharField(max_length=160, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        db_table = "harvest_event"
        ordering = ["harvest", "number"]
        constraints = [models.UniqueConstraint(fields=["harvest", "number"], name="harvest_event_number")]

    def __str__(self) -> str:
        return f"{self.name} of harvest {self.harvest_id}"


class Snapshot(Identified):
    """What a harvest was run with, frozen when it was queued, with a digest over all its parts."""

    harvest = models.OneToOneField(Harvest, on_delete=models.CASCADE, related_name="snapshot")
    made_at = models.DateTimeField()
    digest = models.CharField(max_length=80)

    class Meta:
        db_table = "snapshot"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"snapshot of harvest {self.harvest_id}"


class SnapshotPart(Identified):
    """One section of a snapshot (SIP_PART_ELEMENT): canonical JSON. The section `seeds` has the original seeds."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="parts")
    key = models.CharField(max_length=64)
    value = models.TextField()

    class Meta:
        db_table = "snapshot_part"
        ordering = ["key"]
        constraints = [models.UniqueConstraint(fields=["snapshot", "key"], name="snapshot_part_key")]

    def __str__(self) -> str:
        return self.key


class HarvestOrder(Identified):
    """What somebody told a running harvest; its agent carries it out and says so."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="orders")
    what = models.CharField(max_length=16)
    arguments = models.JSONField(default=dict)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    refused = models.TextField(blank=True)  # why it was not carried out

    class Meta:
        db_table = "harvest_order"
        ordering = ["id"]
        indexes = [models.Index(fields=["harvest", "done_at", "id"], name="harvest_order_waiting")]

    def __str__(self) -> str:
        return f"{self.what} by {self.by}"


class HarvestFigures(Identified):
    """How a harvest goes (HARVEST_STATUS): written about every two seconds while it runs."""

    harvest = models.OneToOneField(Harvest, on_delete=models.CASCADE, related_name="figures")
    job_name = models.CharField(max_length=160, blank=True)
    status = models.CharField(max_length=255, blank=True)
    average_kb = models.FloatField(default=0)  # kB/s
    average_urls = models.FloatField(default=0)  # URLs/s
    data_amount = models.BigIntegerField(default=0)  # bytes
    elapsed = models.BigIntegerField(default=0)  # seconds
    urls_down = models.BigIntegerField(default=0)
    urls_failed = models.BigIntegerField(default=0)
    urls_waiting = models.BigIntegerField(default=0)
    alerts = models.IntegerField(default=0)
    updated_at = models.DateTimeField()

    class Meta:
        db_table = "harvest_figures"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"figures of harvest {self.harvest_id}"


class HarvestFile(Identified):
    """A file that a harvest made (ARC_HARVEST_FILE)."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="files")
    result = models.PositiveIntegerField(default=1)  # number of the result that brought it
    name = models.CharField(max_length=255)
    compressed = models.BooleanField(default=True)
    size = models.BigIntegerField(default=0)
    digest = models.CharField(max_length=80, blank=True)

    class Meta:
        db_table = "harvest_file"
        ordering = ["result", "name"]
        constraints = [models.UniqueConstraint(fields=["harvest", "name"], name="harvest_file_name")]

    def __str__(self) -> str:
        return self.name


class AgentRule(Curated):
    """What an agent of this name may take; without a rule it takes everything."""

    name = models.CharField(max_length=64, help_text="Name of the agent, as it registers.")
    accepting = models.BooleanField(default=True, help_text="Whether it takes harvests now.")
    note = models.CharField(max_length=1_000, blank=True, help_text="Why.")

    class Meta:
        db_table = "agent_rule"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(deleted=False), name="agent_rule_unique",
                violation_error_message="There is a rule for this agent already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class AgentRuleAgency(Identified):
    """An agency whose harvests the agent takes; a rule without any takes those of all. Part of its rule."""

    rule = models.ForeignKey(AgentRule, on_delete=models.CASCADE, related_name="agencies")
    agency = models.ForeignKey("people.Agency", on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "agent_rule_agency"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["rule", "agency"], name="agent_rule_agency_unique")]

    def __str__(self) -> str:
        return f"{self.agency} by {self.rule}"

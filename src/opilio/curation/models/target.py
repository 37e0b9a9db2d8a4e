"""Targets: what is worth collecting (TARGET), the reasons for refusing one, and who approved it when."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.collected import AbstractTarget


class RejectionReason(Curated):
    """A reason that may be given when a target or a harvest is rejected."""

    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="rejection_reasons")
    name = models.CharField(max_length=255, help_text="The reason, in a few words.")
    for_targets = models.BooleanField(default=True, help_text="Whether a target may be rejected for it.")
    for_harvests = models.BooleanField(default=True, help_text="Whether a harvest may be rejected for it.")

    class Meta:
        db_table = "rejection_reason"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["agency", "name"], condition=models.Q(deleted=False), name="rejection_reason_unique",
                violation_error_message="The agency has this reason already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class Target(AbstractTarget):
    """Something worth collecting."""

    run_on_approval = models.BooleanField(default=False, help_text="Harvest once, a minute after it is approved.")
    evaluation_note = models.TextField(max_length=4_000, blank=True, help_text="Remarks on the evaluation of the site.")
    selection_date = models.DateTimeField(null=True, blank=True, help_text="When it was first approved.")
    selection_note = models.TextField(max_length=4_000, blank=True, help_text="Why it was selected.")
    selection_type = models.CharField(max_length=255, blank=True, help_text="Kind of selection, from the list.")
    harvest_type = models.CharField(max_length=255, blank=True, help_text="Kind of harvest, from the list.")
    rejection_reason = models.ForeignKey(
        RejectionReason, null=True, blank=True, on_delete=models.PROTECT, related_name="targets"
    )
    rejection_note = models.TextField(max_length=4_000, blank=True, help_text="What else there is to say about it.")
    request_to_archivists = models.TextField(max_length=4_000, blank=True, help_text="Note for those who archive it.")
    allow_early_start = models.BooleanField(default=False, help_text="Whether a harvest may begin before its time.")
    assigned_to = models.ForeignKey(
        "people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="assigned_targets"
    )
    assigned_due = models.DateField(null=True, blank=True, help_text="Until when the assigned user should act.")
    assigned_note = models.TextField(max_length=1_000, blank=True, help_text="What the assigned user should do.")

    class Meta:
        db_table = "target"
        base_manager_name = "everything"

    def __str__(self) -> str:
        return self.name


class Approval(Identified):
    """That a target was approved once; the first gives the selection date."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="approvals")
    at = models.DateTimeField()
    by = models.ForeignKey("people.User", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        db_table = "target_approval"
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.target} at {self.at}"


class ExcludedUrl(Curated):
    """A page that is left out when the target is harvested."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="excluded_urls")
    url = models.CharField(max_length=2_048, help_text="The page; it matches exactly.")
    reason = models.CharField(max_length=1_024, blank=True, help_text="Why it is left out.")

    class Meta:
        db_table = "excluded_url"
        ordering = ["url", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["target", "url"], condition=models.Q(deleted=False), name="excluded_url_unique",
                violation_error_message="The target leaves this page out already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.url

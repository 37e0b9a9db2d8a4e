"""What targets and groups have in common (ABSTRACT_TARGET)."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identifiers import GENERAL
from opilio.curation.models.dublin_core import DublinCore
from opilio.curation.models.overrides import Overrides
from opilio.curation.models.profile import Profile


class ObjectType(models.IntegerChoices):
    """Which of the two a row is; the numbers are the seed's."""

    GROUP = 0, "Group"
    TARGET = 1, "Target"


class AccessZone(models.IntegerChoices):
    """Who may read what was collected."""

    PUBLIC = 0, "Public"
    ON_SITE = 1, "On site"
    RESTRICTED = 2, "Restricted"


class State(models.IntegerChoices):
    """States of targets (1 to 7) and groups (8 to 10); the numbers are those of the Web Curator Tool."""

    PENDING = 1, "Pending"
    REINSTATED = 2, "Reinstated"
    NOMINATED = 3, "Nominated"
    REJECTED = 4, "Rejected"
    APPROVED = 5, "Approved"
    CANCELLED = 6, "Cancelled"
    COMPLETED = 7, "Completed"
    GROUP_PENDING = 8, "Pending"
    GROUP_ACTIVE = 9, "Active"
    GROUP_INACTIVE = 10, "Inactive"


class AbstractTarget(Curated):
    """A target or a group: whatever can be described, scheduled and harvested."""

    ID_KIND = GENERAL

    object_type = models.PositiveSmallIntegerField(choices=ObjectType.choices, editable=False)
    name = models.CharField(max_length=255, help_text="Name; one of its kind in the agency.")
    description = models.TextField(max_length=4_000, blank=True, help_text="Description for those who work with it.")
    reference = models.CharField(max_length=255, blank=True, help_text="Number in an outside catalogue.")
    owner = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="owned_targets")
    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="targets")
    state = models.PositiveSmallIntegerField(choices=State.choices)
    state_since = models.DateTimeField(help_text="When it came into its state.")
    profile = models.ForeignKey(Profile, null=True, blank=True, on_delete=models.PROTECT, related_name="used_by")
    profile_note = models.TextField(max_length=4_000, blank=True, help_text="Why this profile and these overrides.")
    overrides = models.OneToOneField(Overrides, null=True, blank=True, on_delete=models.PROTECT, related_name="target")
    dublin_core = models.OneToOneField(
        DublinCore, null=True, blank=True, on_delete=models.PROTECT, related_name="target"
    )
    access_zone = models.PositiveSmallIntegerField(choices=AccessZone.choices, default=AccessZone.PUBLIC)
    display = models.BooleanField(default=True, help_text="Whether readers are shown what was collected.")
    display_note = models.TextField(max_length=4_000, blank=True, help_text="Why this zone and display.")
    embargo_days = models.PositiveIntegerField(
        null=True, blank=True, help_text="Days from a capture during which nobody may read it; empty: none."
    )
    reference_harvest = models.ForeignKey(
        "curation.Harvest", null=True, blank=True, on_delete=models.SET_NULL, related_name="+",
        help_text="Harvest that later ones are compared with.",
    )  # fmt: skip
    follow_reference = models.BooleanField(
        default=False, help_text="Whether each archived harvest becomes the one that later ones are compared with."
    )
    prune_again = models.BooleanField(
        default=False, help_text="Whether what was pruned from the last archived harvest is pruned from new ones."
    )
    display_change_reason = models.TextField(max_length=1_000, blank=True, help_text="Why display was changed last.")

    class Meta:
        db_table = "abstract_target"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["object_type", "agency", "name"], name="abstract_target_name"),
            models.Index(fields=["object_type", "state", "name"], name="abstract_target_state"),
            models.Index(fields=["object_type", "owner", "name"], name="abstract_target_owner"),
            models.Index(fields=["object_type", "-created"], name="abstract_target_created"),
            models.Index(fields=["object_type", "-updated", "-id"], name="abstract_target_updated"),
            models.Index(fields=["object_type", "name", "id"], name="abstract_target_order"),
            models.Index(fields=["name", "id"], name="abstract_target_by_name"),  # lists of what belongs to one
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["object_type", "agency", "name"], condition=models.Q(deleted=False),
                name="abstract_target_name_unique",
                violation_error_message="The agency has one of this name already; choose another name.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name

"""Profiles: how to crawl (PROFILE), with every version that was saved."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified


class ProfileStatus(models.IntegerChoices):
    """Whether a profile can be chosen; the numbers are the seed's."""

    INACTIVE = 0, "Inactive"
    ACTIVE = 1, "Active"
    LOCKED = 2, "Locked"  # a copy that a harvest was run with


class Profile(Curated):
    """Settings of a crawl that targets share."""

    name = models.CharField(max_length=255, help_text="Name of the profile.")
    description = models.TextField(max_length=4_000, blank=True, help_text="What it is for.")
    settings = models.JSONField(
        default=dict, blank=True, help_text="The settings, as `opilio profile export` writes them."
    )
    level = models.PositiveSmallIntegerField(
        default=1, help_text="Level from 1 to 3 that a user needs in order to choose it."
    )
    status = models.PositiveSmallIntegerField(choices=ProfileStatus.choices, default=ProfileStatus.ACTIVE)
    is_default = models.BooleanField(default=False, help_text="Whether new targets of the agency start with it.")
    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="profiles")
    original = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="copies",
        help_text="Profile of which this is the locked copy.",
    )  # fmt: skip
    original_version = models.PositiveIntegerField(null=True, blank=True, help_text="Version that was copied.")
    foreign_document = models.TextField(
        blank=True, help_text="Profile of another crawler as it was imported; kept, not used."
    )

    class Meta:
        db_table = "profile"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["agency", "name"], condition=models.Q(deleted=False, original=None), name="profile_name_unique",
                violation_error_message="The agency has a profile of this name already; choose another.",
            ),
            models.UniqueConstraint(
                fields=["agency"], condition=models.Q(deleted=False, is_default=True), name="profile_default_unique",
                violation_error_message="The agency has a default profile already.",
            ),
            models.UniqueConstraint(
                fields=["original", "original_version"], condition=models.Q(original__isnull=False),
                name="profile_copy_unique", violation_error_message="This version was copied already.",
            ),
            models.CheckConstraint(condition=models.Q(level__gte=1, level__lte=3), name="profile_level",
                                   violation_error_message="The level is 1, 2 or 3."),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class ProfileVersion(Identified):
    """The settings of a profile as they were saved once."""

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    settings = models.JSONField()
    at = models.DateTimeField()
    by = models.ForeignKey("people.User", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        db_table = "profile_version"
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["profile", "number"], name="profile_version_unique")]

    def __str__(self) -> str:
        return f"{self.profile} version {self.number}"

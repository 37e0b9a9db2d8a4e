"""Groups: targets and groups that belong together (TARGET_GROUP, GROUP_MEMBER)."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.curation.models.collected import AbstractTarget


class HarvestAs(models.IntegerChoices):
    """How a group's members are harvested; the numbers are the Web Curator Tool's."""

    COMBINED = 1, "Together, as one harvest"
    SEPARATE = 2, "Each by itself"


class Group(AbstractTarget):
    """Targets and groups that belong together."""

    harvest_as = models.PositiveSmallIntegerField(choices=HarvestAs.choices, default=HarvestAs.SEPARATE)
    start_date = models.DateField(null=True, blank=True, help_text="First day on which members belong to it.")
    end_date = models.DateField(null=True, blank=True, help_text="Last day on which members belong to it.")
    ownership_metadata = models.TextField(max_length=4_000, blank=True, help_text="Remarks on shared ownership.")
    group_type = models.CharField(max_length=255, blank=True, help_text="Kind of group, from the list.")

    class Meta:
        db_table = "target_group"
        base_manager_name = "everything"

    def __str__(self) -> str:
        return self.name


class GroupMember(Identified):
    """That a target or group is in a group. Part of the group, whose metacolumns speak for it."""

    parent = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="members")
    child = models.ForeignKey(AbstractTarget, on_delete=models.CASCADE, related_name="memberships")
    at = models.DateTimeField()
    by = models.ForeignKey("people.User", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        db_table = "group_member"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["parent", "child"], name="group_member_unique")]

    def __str__(self) -> str:
        return f"{self.child} in {self.parent}"

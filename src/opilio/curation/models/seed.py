"""Seeds: the URLs where the harvest of a target starts (SEED, and seed A's crawl_point), and their permissions."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.catalogue.identifiers import GENERAL
from opilio.curation.models.overrides import Credential
from opilio.curation.models.permission import Permission
from opilio.curation.models.target import Target


class Seed(Curated):
    """A URL where the harvest of a target starts, with limits of its own."""

    ID_KIND = GENERAL

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="seeds")
    url = models.CharField(max_length=2_048, help_text="Where the harvest starts.")
    host = models.CharField(max_length=255, blank=True, editable=False)  # of the URL, for look-ups
    primary = models.BooleanField(default=True, help_text="Whether it stands for the target.")
    active = models.BooleanField(default=True, help_text="Whether harvests start there.")
    root = models.CharField(
        max_length=2_048, blank=True, help_text="Beginning that URLs must have; empty: no such rule."
    )
    depth_limit = models.PositiveIntegerField(null=True, blank=True, help_text="Most links from here; empty: no limit.")
    page_limit = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Most pages from here; empty: no limit."
    )
    append = models.CharField(max_length=1_024, blank=True, help_text="Text that is added to every request URL.")
    credential = models.ForeignKey(
        Credential, null=True, blank=True, on_delete=models.PROTECT, related_name="seeds",
        help_text="What is shown to a site that asks who is there.",
    )  # fmt: skip
    position = models.PositiveIntegerField(default=0, help_text="Place in the list, smallest first.")

    class Meta:
        db_table = "seed"
        ordering = ["target", "position", "id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["target", "position", "id"], name="seed_order"),
            models.Index(fields=["host"], name="seed_host"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["target", "url"], condition=models.Q(deleted=False), name="seed_unique",
                violation_error_message="The target has this seed already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.url


class Linked(models.TextChoices):
    """How a permission came to a seed."""

    AUTO = "auto", "By its URL patterns"
    QUICK_PICK = "quick-pick", "As a quick pick"
    MANUAL = "manual", "By hand"
    TRANSFER = "transfer", "By a transfer"
    IMPORT = "import", "By an import"


class SeedPermission(Identified):
    """That a seed relies on a permission (SEED_PERMISSION). Part of its seed."""

    seed = models.ForeignKey(Seed, on_delete=models.CASCADE, related_name="links")
    permission = models.ForeignKey(Permission, on_delete=models.PROTECT, related_name="links")
    linked = models.CharField(max_length=16, choices=Linked.choices)
    at = models.DateTimeField()
    by = models.ForeignKey("people.User", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        db_table = "seed_permission"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["seed", "permission"], name="seed_permission_unique")]

    def __str__(self) -> str:
        return f"{self.seed}: {self.permission}"

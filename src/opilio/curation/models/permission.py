"""Permissions that authorising agents give (PERMISSION), what they leave out, and how they are found by URL."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.authorisation import Authorisation, AuthorisingAgent, UrlPattern


class PermissionStatus(models.IntegerChoices):
    """Where a permission stands; the numbers are the seed's."""

    PENDING = 0, "Pending"
    REQUESTED = 1, "Requested"
    APPROVED = 2, "Approved"
    REJECTED = 3, "Rejected"


class Permission(Curated):
    """What one authorising agent allows an agency to collect and show, and for how long."""

    authorisation = models.ForeignKey(Authorisation, on_delete=models.PROTECT, related_name="permissions")
    agent = models.ForeignKey(AuthorisingAgent, on_delete=models.PROTECT, related_name="permissions")
    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="permissions")
    status = models.PositiveSmallIntegerField(choices=PermissionStatus.choices, default=PermissionStatus.PENDING)
    start_date = models.DateField(help_text="First day on which it holds.")
    end_date = models.DateField(null=True, blank=True, help_text="Last day on which it holds; empty: for ever.")
    access_status = models.CharField(max_length=255, blank=True, help_text="Who may read, from the list.")
    open_access_date = models.DateField(null=True, blank=True, help_text="From when everybody may read.")
    available = models.BooleanField(default=False, help_text="Whether the site is available to the public.")
    approved_flag = models.BooleanField(default=False, help_text="Flag of the Web Curator Tool without a meaning.")
    copyright_statement = models.TextField(
        max_length=2_048, blank=True, help_text="Text to be shown with the material."
    )
    copyright_url = models.CharField(max_length=2_048, blank=True, help_text="Link to be shown with the material.")
    special_requirements = models.TextField(max_length=2_048, blank=True, help_text="Conditions of use.")
    response = models.TextField(max_length=32_000, blank=True, help_text="What the authorising agent answered.")
    notes = models.TextField(max_length=4_000, blank=True, help_text="Notes.")
    file_reference = models.CharField(max_length=255, blank=True, help_text="Number of an outside file.")
    quick_pick = models.BooleanField(default=False, help_text="Whether it is offered beside seeds.")
    display_name = models.CharField(max_length=32, blank=True, help_text="Name of the quick pick.")
    requested_at = models.DateTimeField(null=True, blank=True, help_text="When it was asked for.")
    decided_at = models.DateTimeField(null=True, blank=True, help_text="When it was granted or refused.")
    reminded_at = models.DateTimeField(null=True, blank=True, help_text="When the agent was reminded last.")
    reminders = models.PositiveSmallIntegerField(default=0, help_text="How often the agent was reminded.")
    expiry_told_at = models.DateTimeField(null=True, blank=True, help_text="When its expiry was announced.")
    patterns = models.ManyToManyField(UrlPattern, through="PermissionPattern", related_name="permissions")

    class Meta:
        db_table = "permission"
        ordering = ["authorisation", "start_date", "id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["agency", "status"], name="permission_status"),
            models.Index(fields=["agency", "quick_pick", "display_name"], name="permission_quick_pick"),
            models.Index(fields=["end_date"], name="permission_end"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end_date=None) | models.Q(end_date__gte=models.F("start_date")),
                name="permission_dates", violation_error_message="The last day is before the first.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.display_name or f"{self.agent} for {self.authorisation}"


class PermissionPattern(Identified):
    """That a permission covers a pattern (PERMISSION_URLPATTERN). Part of the permission."""

    permission = models.ForeignKey(Permission, on_delete=models.CASCADE, related_name="pattern_links")
    pattern = models.ForeignKey(UrlPattern, on_delete=models.PROTECT, related_name="permission_links")

    class Meta:
        db_table = "permission_pattern"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["permission", "pattern"], name="permission_pattern_unique")]

    def __str__(self) -> str:
        return f"{self.pattern} by {self.permission}"


class PermissionExclusion(Curated):
    """URLs that are left out of a permission."""

    permission = models.ForeignKey(Permission, on_delete=models.CASCADE, related_name="exclusions")
    url = models.CharField(max_length=1_024, help_text="URL, or pattern of URLs.")
    reason = models.CharField(max_length=1_024, blank=True, help_text="Why it is left out.")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "permission_exclusion"
        ordering = ["permission", "position", "id"]
        base_manager_name = "everything"

    def __str__(self) -> str:
        return self.url


class PatternMapping(Identified):
    """Where a URL's permissions are looked up (URL_PERMISSION_MAPPING): derived, while the authorisation is active."""

    permission = models.ForeignKey(Permission, on_delete=models.CASCADE, related_name="mappings")
    pattern = models.ForeignKey(UrlPattern, on_delete=models.CASCADE, related_name="mappings")
    domain = models.CharField(max_length=255)

    class Meta:
        db_table = "url_permission_mapping"
        ordering = ["id"]
        indexes = [models.Index(fields=["domain", "permission"], name="pattern_mapping_domain")]
        constraints = [models.UniqueConstraint(fields=["permission", "pattern"], name="pattern_mapping_unique")]

    def __str__(self) -> str:
        return self.domain

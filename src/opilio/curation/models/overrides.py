"""Overrides of a profile (PROFILE_OVERRIDES and its tables): each field with its own switch."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified


class RobotsChoice(models.TextChoices):
    """What robots.txt is worth; the seed's words are `classic` and `ignore`."""

    OBEY = "obey", "Obey"
    IGNORE = "ignore", "Ignore"


class PolitenessChoice(models.TextChoices):
    """How gently servers are asked."""

    POLITE = "polite", "Polite"
    MEDIUM = "medium", "Medium"
    FAST = "fast", "Fast"


class Overrides(Curated):
    """Settings of one target, group or harvest that replace those of its profile where switched on."""

    robots_policy = models.CharField(max_length=16, choices=RobotsChoice.choices, default=RobotsChoice.OBEY)
    politeness = models.CharField(max_length=16, choices=PolitenessChoice.choices, default=PolitenessChoice.POLITE)
    max_seconds = models.PositiveBigIntegerField(null=True, blank=True, help_text="Longest time, in seconds.")
    max_bytes = models.PositiveBigIntegerField(null=True, blank=True, help_text="Most bytes.")
    max_documents = models.PositiveBigIntegerField(null=True, blank=True, help_text="Most documents.")
    max_path_depth = models.PositiveIntegerField(null=True, blank=True, help_text="Most parts of a URL's path.")
    max_hops = models.PositiveIntegerField(null=True, blank=True, help_text="Most links from a seed.")
    excluded_mime_types = models.TextField(
        max_length=4_000, blank=True, help_text="Media types that are left out, one on each line, as video/*."
    )
    overrides_robots_policy = models.BooleanField(default=False)
    overrides_politeness = models.BooleanField(default=False)
    overrides_max_seconds = models.BooleanField(default=False)
    overrides_max_bytes = models.BooleanField(default=False)
    overrides_max_documents = models.BooleanField(default=False)
    overrides_max_path_depth = models.BooleanField(default=False)
    overrides_max_hops = models.BooleanField(default=False)
    overrides_excluded_mime_types = models.BooleanField(default=False)
    overrides_exclusions = models.BooleanField(default=False, help_text="Whether the patterns to leave out count.")
    overrides_inclusions = models.BooleanField(default=False, help_text="Whether the exceptions to them count.")
    overrides_credentials = models.BooleanField(default=False, help_text="Whether the credentials count.")

    class Meta:
        db_table = "profile_overrides"
        ordering = ["id"]
        base_manager_name = "everything"

    def __str__(self) -> str:
        return f"overrides {self.pk}"


class PatternUse(models.TextChoices):
    """What a pattern does to the URLs that it matches."""

    EXCLUDE = "exclude", "Leave out"
    INCLUDE = "include", "Keep nevertheless"


class OverridePattern(Identified):
    """One expression that leaves URLs out, or an exception to those. Part of its overrides."""

    overrides = models.ForeignKey(Overrides, on_delete=models.CASCADE, related_name="patterns")
    use = models.CharField(max_length=16, choices=PatternUse.choices)
    position = models.PositiveIntegerField(default=0)
    expression = models.CharField(max_length=2_048)  # RE2

    class Meta:
        db_table = "override_pattern"
        ordering = ["use", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["overrides", "use", "position"], name="override_pattern_position")
        ]

    def __str__(self) -> str:
        return self.expression


class CredentialKind(models.TextChoices):
    """How a site asks who is there."""

    BASIC = "basic", "Basic"
    DIGEST = "digest", "Digest"
    NEGOTIATE = "negotiate", "Negotiate"
    FORM = "form", "Form"
    COOKIE = "cookie", "Cookie"
    HEADER = "header", "Header"


class Credential(Curated):
    """What a crawl shows to a site that asks who is there; the secret is encrypted and never shown again."""

    overrides = models.ForeignKey(Overrides, on_delete=models.CASCADE, related_name="credentials")
    position = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=16, choices=CredentialKind.choices)
    domain = models.CharField(max_length=255, help_text="Host, or domain with all its hosts, that it is for.")
    username = models.CharField(max_length=255, blank=True)
    secret = models.TextField(blank=True, editable=False)  # encrypted: password, header value or cookies
    realm = models.CharField(max_length=255, blank=True, help_text="Realm, for basic and digest; empty means any.")
    login_url = models.CharField(max_length=2_048, blank=True, help_text="Page with the form.")
    method = models.CharField(max_length=8, blank=True, help_text="GET or POST, for a form.")
    username_field = models.CharField(max_length=255, blank=True, help_text="Name of the form's field for the name.")
    password_field = models.CharField(max_length=255, blank=True, help_text="Name of its field for the password.")
    header_name = models.CharField(max_length=255, blank=True, help_text="Name of the header.")

    class Meta:
        db_table = "credential"
        ordering = ["overrides", "position", "id"]
        base_manager_name = "everything"

    def __str__(self) -> str:
        return f"{self.kind} for {self.domain}"

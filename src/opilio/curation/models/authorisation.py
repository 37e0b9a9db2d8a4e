"""Authorisations: the right to collect (SITE), what they cover (URL_PATTERN) and who is asked (AUTHORISING_AGENT)."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified


class AuthorisingAgent(Curated):
    """Who is asked for permission; authorisations of an agency share them."""

    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="authorising_agents")
    name = models.CharField(max_length=255, help_text="Name of the person or organisation.")
    description = models.TextField(max_length=4_000, blank=True, help_text="What it is.")
    contact = models.CharField(max_length=255, blank=True, help_text="Person to address.")
    address = models.TextField(max_length=2_048, blank=True, help_text="Postal address.")
    email = models.EmailField(max_length=255, blank=True, help_text="E-mail address.")
    phone = models.CharField(max_length=64, blank=True, help_text="Telephone number.")

    class Meta:
        db_table = "authorising_agent"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["agency", "name"], name="authorising_agent_name"),
            models.Index(fields=["name", "id"], name="authorising_agent_order"),
        ]

    def __str__(self) -> str:
        return self.name


class Authorisation(Curated):
    """One right to collect, with its patterns, authorising agents and permissions."""

    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="authorisations")
    title = models.CharField(max_length=255, help_text="Name of the authorisation.")
    description = models.TextField(max_length=4_000, blank=True, help_text="What it is about.")
    order_number = models.CharField(max_length=255, blank=True, help_text="Number of an outside order.")
    notes = models.TextField(max_length=4_000, blank=True, help_text="Notes.")
    published = models.BooleanField(default=False, help_text="Whether the site is published.")
    active = models.BooleanField(default=True, help_text="Whether new seeds may be linked to its permissions.")

    class Meta:
        db_table = "authorisation"
        ordering = ["title", "id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["agency", "title"], name="authorisation_title"),
            models.Index(fields=["title", "id"], name="authorisation_order"),
        ]

    def __str__(self) -> str:
        return self.title


class AuthorisationAgent(Identified):
    """That an authorisation names an authorising agent (SITE_AUTH_AGENCY). Part of the authorisation."""

    authorisation = models.ForeignKey(Authorisation, on_delete=models.CASCADE, related_name="agent_links")
    agent = models.ForeignKey(AuthorisingAgent, on_delete=models.PROTECT, related_name="authorisation_links")

    class Meta:
        db_table = "authorisation_agent"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["authorisation", "agent"], name="authorisation_agent_unique")]

    def __str__(self) -> str:
        return f"{self.agent} for {self.authorisation}"


class UrlPattern(Curated):
    """URLs that an authorisation covers."""

    authorisation = models.ForeignKey(Authorisation, on_delete=models.CASCADE, related_name="patterns")
    pattern = models.CharField(max_length=2_048, help_text="URL; a star may begin the host or end the path.")

    class Meta:
        db_table = "url_pattern"
        ordering = ["pattern", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["authorisation", "pattern"], condition=models.Q(deleted=False), name="url_pattern_unique",
                violation_error_message="The authorisation has this pattern already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.pattern

"""Constrained lists (seed D §3.1.2) and parameters: what an installation may set for itself on a page."""

from django.db import models

from opilio.catalogue.curated import Curated


class ListEntry(Curated):
    """One value that a constrained field may take, as "collection" for the type of a group."""

    list_name = models.CharField(max_length=64, help_text="The list that the value belongs to.")
    value = models.CharField(max_length=255, help_text="What is stored.")
    label = models.CharField(max_length=255, help_text="What people see.")
    position = models.PositiveIntegerField(default=0, help_text="Place in the list, smallest first.")
    active = models.BooleanField(default=True, help_text="Whether it can be chosen; rows that have it keep it.")

    class Meta:
        db_table = "list_entry"
        ordering = ["list_name", "position", "label"]
        constraints = [
            models.UniqueConstraint(
                fields=["list_name", "value"],
                condition=models.Q(deleted=False),
                name="list_entry_unique",
                violation_error_message="The list has this value already.",
            )
        ]

    def __str__(self) -> str:
        return self.label


class Parameter(Curated):
    """A value of the installation that differs from its declared default (people/parameters.py)."""

    name = models.CharField(max_length=64)
    value = models.JSONField()

    class Meta:
        db_table = "parameter"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(deleted=False),
                name="parameter_unique",
                violation_error_message="This parameter is set already.",
            )
        ]

    def __str__(self) -> str:
        return self.name

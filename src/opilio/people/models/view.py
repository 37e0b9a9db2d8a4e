"""Saved views: a list page with its filter, order and columns, kept under a name."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.people.models.user import User


class SavedView(Curated):
    """How somebody likes to look at a list."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="views")
    page = models.CharField(max_length=64)  # name of the list
    name = models.CharField(max_length=100, help_text="Name of the view.")
    query = models.CharField(max_length=2000, blank=True)  # the list's query string
    shared = models.BooleanField(default=False, help_text="Whether everybody in the agency sees the view.")

    class Meta:
        db_table = "saved_view"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "page", "name"],
                condition=models.Q(deleted=False),
                name="saved_view_unique",
                violation_error_message="You keep a view of this name already; choose another.",
            )
        ]

    def __str__(self) -> str:
        return self.name

"""The base class of tables whose rows people edit: the six metacolumns of seed A, appendix B.1."""

from typing import Any

from django.db import models

from opilio.catalogue.identified import Identified


class LiveManager(models.Manager[Any]):
    """Gives the rows that are not deleted."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(deleted=False)


class Curated(Identified):
    """A row that people edit: it can be restored after deletion, and a save of an old version is noticed."""

    deleted = models.BooleanField(default=False, help_text="Whether the row is kept only so that it can be restored.")
    dirty = models.BooleanField(
        default=False, help_text="Whether something it depends on changed since it was derived."
    )
    created = models.DateTimeField(help_text="When the row was made.")
    updated = models.DateTimeField(help_text="When the row was last changed.")
    updated_by = models.ForeignKey(
        "people.User",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Who changed it last; empty means the system.",
    )
    version = models.PositiveIntegerField(default=1, help_text="Counts the changes; a save of an older one is refused.")

    objects = LiveManager()
    everything = models.Manager[Any]()

    class Meta:
        abstract = True
        base_manager_name = "everything"  # a reference to a deleted row still resolves


METACOLUMNS = ("deleted", "dirty", "created", "updated", "updated_by", "version")


def curated_models(registry: list[type[models.Model]]) -> list[type[Curated]]:
    """Of all models, those that people edit."""
    return [model for model in registry if issubclass(model, Curated)]

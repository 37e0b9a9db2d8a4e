"""The built-in store of records: what was loaded from documents, with its history."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.tracker.models.delivery import XmlDocument


class LoadedRecord(Identified):
    """One version of a record; of each key one at most is current, and a removed one none."""

    profile = models.CharField(max_length=32)
    kind = models.CharField(max_length=32)
    key = models.CharField(max_length=500)
    number = models.PositiveIntegerField(default=1)  # version
    current = models.BooleanField(default=True)
    removed = models.BooleanField(default=False)  # this version is the removal
    values = models.JSONField(default=dict)
    document = models.ForeignKey(XmlDocument, null=True, on_delete=models.SET_NULL, related_name="loaded")
    line = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()

    class Meta:
        db_table = "loaded_record"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["profile", "kind", "key"], condition=models.Q(current=True), name="loaded_record_current"
            )
        ]  # fmt: skip
        indexes = [models.Index(fields=["profile", "kind", "key", "number"], name="loaded_record_versions")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class UniqueValue(Identified):
    """A value that only one current record may have, by the rules of its profile."""

    record = models.ForeignKey(LoadedRecord, on_delete=models.CASCADE, related_name="unique_values")
    profile = models.CharField(max_length=32)
    kind = models.CharField(max_length=32)
    field = models.CharField(max_length=255)
    value = models.CharField(max_length=500)

    class Meta:
        db_table = "unique_value"
        ordering = ["id"]
        indexes = [models.Index(fields=["profile", "kind", "field", "value"], name="unique_value_value")]

    def __str__(self) -> str:
        return self.value

"""What was wrong, and every change of a standing."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.tracker.models.delivery import Attempt, Delivery, XmlDocument
from opilio.tracker.models.reference import FindingKind


class DeliveryFinding(Identified):
    """What went wrong with a zip file (zip_log)."""

    attempt = models.ForeignKey(Attempt, null=True, on_delete=models.CASCADE, related_name="findings")
    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="findings")
    kind = models.ForeignKey(FindingKind, on_delete=models.PROTECT, related_name="+")
    message = models.TextField(max_length=32_000)
    active = models.BooleanField(default=True)
    last_update = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "zip_log"
        ordering = ["id"]

    def __str__(self) -> str:
        return self.message[:80]


class DocumentFinding(Identified):
    """What went wrong with a document or one of its records (xml_log)."""

    document = models.ForeignKey(XmlDocument, on_delete=models.CASCADE, related_name="findings")
    kind = models.ForeignKey(FindingKind, on_delete=models.PROTECT, related_name="+")
    level = models.CharField(max_length=8, default="error")  # warn, error, fatal
    message = models.TextField(max_length=32_000)
    line = models.PositiveIntegerField(null=True)
    col = models.PositiveIntegerField(null=True)
    count = models.PositiveIntegerField(default=1)  # how many like it there are; only the first ones are kept
    record_kind = models.CharField(max_length=32, blank=True)
    record_key = models.CharField(max_length=500, blank=True)
    awaits_kind = models.CharField(max_length=32, blank=True)  # the record that would mend it
    awaits_key = models.CharField(max_length=500, blank=True)
    active = models.BooleanField(default=True)
    last_update = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "xml_log"
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["awaits_kind", "awaits_key"], condition=models.Q(active=True) & ~models.Q(awaits_kind=""),
                name="xml_log_awaits",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.message[:80]


class StandingChange(Identified):
    """A change of where something stands; never changed itself, and together the truth."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="changes")
    what = models.CharField(max_length=16)  # delivery, attempt, document
    row = models.BigIntegerField()
    from_phase = models.PositiveSmallIntegerField(null=True)
    from_status = models.PositiveSmallIntegerField(null=True)
    to_phase = models.PositiveSmallIntegerField()
    to_status = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    why = models.TextField(max_length=4_000, blank=True)

    class Meta:
        db_table = "standing_change"
        ordering = ["id"]
        indexes = [models.Index(fields=["what", "row", "id"], name="standing_change_row")]

    def __str__(self) -> str:
        return f"{self.what} {self.row}"

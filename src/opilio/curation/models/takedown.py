"""Takedowns: what readers must not see any more, by whose authority, and the proof of it; reading rooms."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.collected import AbstractTarget
from opilio.curation.models.harvest import Harvest


class TakedownLevel(models.TextChoices):
    """How far a takedown goes."""

    HIDE = "hide", "Hide"  # readers find nothing; the agency's people still do
    BLOCK = "block", "Block"  # nobody sees it; a page says so
    DESTROY = "destroy", "Destroy"  # the bytes are removed everywhere


class TakedownState(models.TextChoices):
    """Where a takedown stands."""

    PROPOSED = "proposed", "Proposed"
    IN_FORCE = "in-force", "In force"
    LIFTED = "lifted", "Lifted"
    DONE = "done", "Done"  # destroyed everywhere, with proof


class Takedown(Curated):
    """An order that something collected is hidden, blocked or destroyed."""

    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="takedowns")
    target = models.ForeignKey(
        AbstractTarget, null=True, blank=True, on_delete=models.PROTECT, related_name="takedowns",
        help_text="Only what was collected for it; empty: whatever the agency collected.",
    )  # fmt: skip
    harvest = models.ForeignKey(
        Harvest, null=True, blank=True, on_delete=models.PROTECT, related_name="takedowns",
        help_text="Only what this harvest collected; empty: every one.",
    )  # fmt: skip
    level = models.CharField(max_length=16, choices=TakedownLevel.choices)
    state = models.CharField(max_length=16, choices=TakedownState.choices, default=TakedownState.IN_FORCE)
    reach = models.CharField(max_length=16, help_text="What the value names: a URL, a host, a domain, a pattern …")
    value = models.TextField(max_length=4_000, help_text="The URL, host, domain or pattern.")
    captured_from = models.DateTimeField(null=True, blank=True, help_text="Captures from then on; empty: all.")
    captured_to = models.DateTimeField(null=True, blank=True, help_text="Captures before that time; empty: all.")
    authority = models.TextField(max_length=4_000, help_text="Who may demand it, and on which ground.")
    reason = models.TextField(max_length=4_000, help_text="Why.")
    reference = models.CharField(max_length=255, blank=True, help_text="Number of the letter, order or case.")
    review_on = models.DateField(null=True, blank=True, help_text="When it is to be looked at again.")
    ordered_at = models.DateTimeField(help_text="When it came into force.")
    ordered_by = models.ForeignKey("people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey("people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    lifted_why = models.TextField(max_length=4_000, blank=True)
    job = models.BigIntegerField(null=True, blank=True)

    class Meta:
        db_table = "takedown"
        ordering = ["-id"]
        base_manager_name = "everything"
        indexes = [
            models.Index(fields=["state", "agency"], name="takedown_state"),
            models.Index(fields=["review_on"], condition=models.Q(review_on__isnull=False), name="takedown_review"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.value[:80]}"


class TakedownProof(Identified):
    """What was done for a takedown at one place, with what was found there after; never changed."""

    takedown = models.ForeignKey(Takedown, on_delete=models.CASCADE, related_name="proofs")
    at = models.DateTimeField()
    place = models.CharField(max_length=255)  # replay, search node …, package …, replica …, harvest …
    done = models.BooleanField()
    what = models.TextField(max_length=4_000)
    details = models.JSONField(default=dict)  # records, files, digests before and after; bounded

    class Meta:
        db_table = "takedown_proof"
        ordering = ["takedown", "id"]

    def __str__(self) -> str:
        return f"{self.place} for takedown {self.takedown_id}"


class ReadingRoom(Curated):
    """Addresses from which readers are on site."""

    agency = models.ForeignKey("people.Agency", on_delete=models.CASCADE, related_name="reading_rooms")
    name = models.CharField(max_length=128, help_text="What people call it.")
    networks = models.TextField(max_length=8_000, help_text="Addresses and networks, one per line, as 192.0.2.0/24.")
    active = models.BooleanField(default=True)

    class Meta:
        db_table = "reading_room"
        ordering = ["agency", "name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["agency", "name"], condition=models.Q(deleted=False), name="reading_room_once",
                violation_error_message="The agency has a reading room of this name already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class Publication(Identified):
    """A build and publication of the public index from endorsed results."""

    begun_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    by = models.CharField(max_length=150)
    job = models.BigIntegerField(null=True)
    generation = models.CharField(max_length=80, blank=True)
    state = models.CharField(max_length=16)  # waiting, building, publishing, done, failed
    results = models.PositiveIntegerField(default=0)
    added = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0)
    details = models.JSONField(default=dict)
    failure = models.TextField(max_length=4_000, blank=True)

    class Meta:
        db_table = "publication"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"publication {self.generation}"

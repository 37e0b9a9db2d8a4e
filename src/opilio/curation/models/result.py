"""Results of harvests (HARVEST_RESULT): what a crawl captured, what was derived from it, with notes and verdicts."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.harvest import Harvest
from opilio.curation.models.target import RejectionReason


class ResultState(models.IntegerChoices):
    """Where a result stands; the numbers are the seed's."""

    UNASSESSED = 0, "Unassessed"
    ENDORSED = 1, "Endorsed"
    REJECTED = 2, "Rejected"
    INDEXING = 3, "Indexing"
    ABORTED = 4, "Aborted"
    CRAWLING = 5, "Crawling"
    MODIFYING = 6, "Modifying"


class Result(Curated):
    """One result of a harvest. The files are those of the archive; here is what people say and decide about it."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="results")
    number = models.PositiveIntegerField(help_text="Number within the harvest; 1 is what the crawl captured.")
    derived_from = models.PositiveIntegerField(
        null=True, blank=True, help_text="Number of the result it was derived from."
    )
    state = models.PositiveSmallIntegerField(choices=ResultState.choices, default=ResultState.INDEXING)
    state_since = models.DateTimeField(help_text="When it came into its state.")
    reason = models.TextField(max_length=4_000, blank=True, help_text="Why it is in its state.")
    position = models.PositiveIntegerField(default=0, help_text="Place in the list of results, from 0.")
    provenance_note = models.TextField(max_length=32_000, blank=True, help_text="Where it came from, and why.")
    made_at = models.DateTimeField(help_text="When it was made.")
    made_by = models.ForeignKey(
        "people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+",
        help_text="Who made it; empty means the system.",
    )  # fmt: skip
    decided_at = models.DateTimeField(null=True, blank=True, help_text="When it was endorsed or rejected.")
    decided_by = models.ForeignKey("people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    seconded_by = models.ForeignKey(
        "people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+",
        help_text="Who proposed the endorsement, where two people must agree.",
    )  # fmt: skip
    rejection_reason = models.ForeignKey(
        RejectionReason, null=True, blank=True, on_delete=models.PROTECT, related_name="results"
    )
    resources = models.PositiveBigIntegerField(default=0, help_text="Resources in it.")
    bytes = models.PositiveBigIntegerField(default=0, help_text="Bytes of their captures.")
    digest = models.CharField(max_length=80, blank=True, help_text="Digest of its file.")
    change = models.JSONField(default=dict, blank=True, help_text="What it was to have otherwise than its parent.")
    job = models.BigIntegerField(null=True, blank=True, help_text="Job that makes it.")
    imported = models.BooleanField(
        default=False, help_text="Whether it came from another catalogue, without its files."
    )

    class Meta:
        db_table = "result"
        ordering = ["harvest", "number"]
        base_manager_name = "everything"
        constraints = [models.UniqueConstraint(fields=["harvest", "number"], name="result_number")]
        indexes = [models.Index(fields=["state", "harvest"], name="result_state")]

    def __str__(self) -> str:
        return f"result {self.number} of harvest {self.harvest_id}"


class ModificationNote(Identified):
    """One thing that was changed in a derived result (HR_MODIFICATION_NOTE)."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="modification_notes")
    position = models.PositiveIntegerField()
    note = models.TextField(max_length=32_000)

    class Meta:
        db_table = "modification_note"
        ordering = ["result", "position"]
        constraints = [models.UniqueConstraint(fields=["result", "position"], name="modification_note_position")]

    def __str__(self) -> str:
        return self.note[:80]


class PreservationEvent(Identified):
    """Something that happened to a result as a thing to be preserved (PREMIS): never changed, never removed."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="preservation_events")
    result = models.PositiveIntegerField(default=1)  # number
    kind = models.CharField(max_length=32)  # capture, derivation, deletion, validation, ingestion, fixity check, …
    at = models.DateTimeField()
    outcome = models.CharField(max_length=32)  # success, failure, warning
    detail = models.TextField(max_length=32_000, blank=True)
    by = models.CharField(max_length=150)  # user name, or the part of the system that did it
    software = models.CharField(max_length=160, blank=True)

    class Meta:
        db_table = "preservation_event"
        ordering = ["harvest", "id"]
        indexes = [models.Index(fields=["harvest", "result", "id"], name="preservation_event_result")]

    def __str__(self) -> str:
        return f"{self.kind} of result {self.result} of harvest {self.harvest_id}"


class ImportedResource(Identified):
    """A resource of a result that came from another catalogue without its files (HARVEST_RESOURCE)."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="imported_resources")
    name = models.TextField(max_length=32_000)  # URL
    length = models.BigIntegerField(default=0)
    status = models.IntegerField(null=True)
    file = models.CharField(max_length=255, blank=True)
    offset = models.BigIntegerField(null=True)
    record_length = models.BigIntegerField(null=True)
    compressed = models.BooleanField(default=True)

    class Meta:
        db_table = "imported_resource"
        ordering = ["result", "id"]

    def __str__(self) -> str:
        return self.name[:80]


class MissingFrom(models.TextChoices):
    """How it was noticed that a URL is missing."""

    REPLAY = "replay", "Not found in replay"
    EMBED = "embed", "Embedded, not captured"
    SITEMAP = "sitemap", "In the sitemap, not captured"
    REVIEWER = "reviewer", "Named by a reviewer"
    CHECK = "check", "Failed in the replay check"


class PatchState(models.TextChoices):
    """What became of a missing URL."""

    WAITING = "waiting", "Waiting"
    TAKEN = "taken", "Being fetched"
    FETCHED = "fetched", "Fetched"
    FAILED = "failed", "Failed"


class MissingUrl(Curated):
    """A URL that a result lacks and a patch shall fetch."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="missing_urls")
    result = models.PositiveIntegerField(help_text="Number of the result that lacks it.")
    url = models.TextField(max_length=32_000)
    key = models.CharField(max_length=80, help_text="Digest of the canonical URL.")
    noticed = models.CharField(max_length=16, choices=MissingFrom.choices)
    page = models.TextField(max_length=32_000, blank=True, help_text="Page that needs it.")
    state = models.CharField(max_length=16, choices=PatchState.choices, default=PatchState.WAITING)
    outcome = models.CharField(max_length=255, blank=True, help_text="What fetching it came to.")
    patched_in = models.PositiveIntegerField(null=True, blank=True, help_text="Number of the result that has it.")

    class Meta:
        db_table = "missing_url"
        ordering = ["harvest", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["harvest", "result", "key"], condition=models.Q(deleted=False), name="missing_url_once",
                violation_error_message="The URL is on the list already.",
            )
        ]  # fmt: skip
        indexes = [models.Index(fields=["harvest", "state"], name="missing_url_state")]

    def __str__(self) -> str:
        return self.url[:80]


class Verdict(models.TextChoices):
    """What a reviewer thinks of a page."""

    GOOD = "good", "Good"
    ACCEPTABLE = "acceptable", "Acceptable"
    BAD = "bad", "Bad"


class PageVerdict(Curated):
    """What a reviewer says about a page of a result."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="page_verdicts")
    result = models.PositiveIntegerField(help_text="Number of the result.")
    url = models.TextField(max_length=32_000)
    key = models.CharField(max_length=80, help_text="Digest of the canonical URL.")
    cluster = models.CharField(max_length=80, blank=True, help_text="Cluster of similar pages it stands for.")
    verdict = models.CharField(max_length=16, choices=Verdict.choices, blank=True)
    note = models.TextField(max_length=4_000, blank=True)
    by = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="+")

    class Meta:
        db_table = "page_verdict"
        ordering = ["harvest", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["harvest", "result", "key", "by"], condition=models.Q(deleted=False), name="page_verdict_once",
                violation_error_message="There is a verdict of this user about the page already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.verdict} {self.url[:80]}"

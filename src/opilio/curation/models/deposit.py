"""Where endorsed results go: depositories, deposits with their receipts, and checks of what is kept."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.harvest import Harvest


class DepositoryKind(models.TextChoices):
    """How a depository takes packages."""

    DIRECTORY = "directory", "Folder"
    S3 = "s3", "S3 bucket"
    HTTP = "http", "Deposit by HTTP"
    COMMAND = "command", "Command"


class Depository(Curated):
    """A repository that packages are handed to."""

    name = models.CharField(max_length=255, help_text="What people call it.")
    agency = models.ForeignKey(
        "people.Agency", null=True, blank=True, on_delete=models.PROTECT, related_name="depositories",
        help_text="Agency that uses it; empty: all.",
    )  # fmt: skip
    kind = models.CharField(max_length=16, choices=DepositoryKind.choices, default=DepositoryKind.DIRECTORY)
    place = models.CharField(max_length=2_000, help_text="Folder, s3://bucket/prefix, URL, or command line.")
    username = models.CharField(max_length=255, blank=True, help_text="User name there, if it wants one.")
    secret = models.BinaryField(null=True, blank=True, editable=False)  # sealed
    form = models.CharField(max_length=8, default="bag", help_text="Form of the package: bag, wacz or ocfl.")
    self_contained = models.BooleanField(
        default=False, help_text="Whether originals that revisits refer to in other harvests are packed too."
    )
    questions = models.JSONField(
        default=list, blank=True, help_text="Fields of its deposit form: name, label, kind, required."
    )
    timeout = models.PositiveIntegerField(default=600, help_text="Seconds to wait for its answer.")
    active = models.BooleanField(default=True, help_text="Whether packages may be handed to it.")
    preferred = models.BooleanField(default=False, help_text="Whether it is proposed first.")

    class Meta:
        db_table = "depository"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(deleted=False), name="depository_once",
                violation_error_message="There is a depository of this name already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class DepositState(models.TextChoices):
    """How far a deposit has come."""

    WAITING = "waiting", "Waiting"
    PACKING = "packing", "Packing"
    SENDING = "sending", "Sending"
    CHECKING = "checking", "Checking the receipt"
    DONE = "done", "Received"
    FAILED = "failed", "Failed"


class Deposit(Curated):
    """One hand-over of a result to a depository."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="deposits")
    result = models.PositiveIntegerField(help_text="Number of the result.")
    depository = models.ForeignKey(Depository, on_delete=models.PROTECT, related_name="deposits")
    state = models.CharField(max_length=16, choices=DepositState.choices, default=DepositState.WAITING)
    answers = models.JSONField(default=dict, blank=True, help_text="What was entered in the deposit form.")
    by = models.ForeignKey("people.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    begun_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    job = models.BigIntegerField(null=True, blank=True)
    package = models.CharField(max_length=1_000, blank=True, help_text="Name of the package.")
    size = models.BigIntegerField(default=0, help_text="Bytes of the package.")
    digest = models.CharField(max_length=160, blank=True, help_text="Digest of the package or of its manifest.")
    archive_id = models.CharField(max_length=255, blank=True, help_text="What the archive calls it.")
    receipt = models.JSONField(
        default=dict, blank=True, help_text="What the archive answered, and what was read again."
    )
    failure = models.TextField(max_length=4_000, blank=True)

    class Meta:
        db_table = "deposit"
        ordering = ["-id"]
        base_manager_name = "everything"
        indexes = [models.Index(fields=["harvest", "state"], name="deposit_harvest")]

    def __str__(self) -> str:
        return f"deposit of result {self.result} of harvest {self.harvest_id}"


class FixityCheck(Identified):
    """A reading of all bytes that are kept of a harvest, compared with their digests."""

    harvest = models.ForeignKey(Harvest, on_delete=models.CASCADE, related_name="fixity_checks")
    place = models.CharField(max_length=1_000)  # the home, the archive, a replica
    begun_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    files = models.PositiveBigIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0)
    damaged = models.PositiveBigIntegerField(default=0)
    repaired = models.PositiveBigIntegerField(default=0)
    details = models.JSONField(default=list)  # each damaged file: what is wrong, what was done; bounded
    failure = models.TextField(max_length=4_000, blank=True)

    class Meta:
        db_table = "fixity_check"
        ordering = ["-id"]
        indexes = [models.Index(fields=["harvest", "ended_at"], name="fixity_check_harvest")]

    def __str__(self) -> str:
        return f"fixity check of harvest {self.harvest_id}"

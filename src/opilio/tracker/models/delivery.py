"""What came: zip files, deliveries (a zip file with its action), who offers them, attempts, XML documents."""

from django.db import models

from opilio.catalogue.identified import Identified
from opilio.tracker.models.centre import Centre, Source
from opilio.tracker.models.reference import PhaseRow, ProcessingType, StatusRow


class _Standing(Identified):
    """A row that stands in a phase, in a status; changed by `tracker.standing` alone."""

    phase = models.ForeignKey(PhaseRow, on_delete=models.PROTECT, related_name="+", default=1)
    status = models.ForeignKey(StatusRow, on_delete=models.PROTECT, related_name="+", default=1)
    last_update = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class ZipFile(Identified):
    """A delivered zip file by its name (zip_file); it stays when its centre goes."""

    file_name = models.CharField(max_length=255, unique=True)
    centre = models.ForeignKey(Centre, null=True, on_delete=models.SET_NULL, related_name="zip_files")
    created = models.DateField(null=True)  # the date in its name
    inc = models.BigIntegerField(null=True)  # the increment in its name
    size_bytes = models.BigIntegerField(null=True)
    content_md5 = models.CharField(max_length=32, blank=True)
    content_sha256 = models.CharField(max_length=64, blank=True)
    last_update = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "zip_file"
        ordering = ["file_name"]

    def __str__(self) -> str:
        return self.file_name


class Delivery(_Standing):
    """A zip file with its action, and where it stands (zip_action)."""

    zip = models.ForeignKey(ZipFile, on_delete=models.CASCADE, related_name="deliveries")
    todo = models.ForeignKey(ProcessingType, on_delete=models.PROTECT, related_name="+")
    profile = models.CharField(max_length=32)
    first_seen = models.DateTimeField()
    why = models.TextField(max_length=4_000, blank=True)  # why it stands where it does
    held = models.BooleanField(default=False)  # legal hold: nothing of it is removed
    retried = models.BooleanField(default=False)  # somebody asked for another attempt, whatever the back-off says

    class Meta:
        db_table = "zip_action"
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["zip", "todo"], name="zip_action_once")]
        indexes = [models.Index(fields=["phase", "status"], name="zip_action_standing")]

    def __str__(self) -> str:
        return f"{self.todo}/{self.zip}"

    @property
    def agency_id(self) -> int | None:
        """Whose it is, as the audit log asks: the agency of its centre."""
        return self.zip.centre.agency_id if self.zip.centre is not None else None


class Offering(Identified):
    """A source that has a delivery (file_source_has_zip)."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="offerings")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="offerings")
    num_retries = models.PositiveSmallIntegerField(default=0)  # attempts that failed since it last came
    path = models.CharField(max_length=1_000, blank=True)
    mark = models.JSONField(default=list)  # size, time and tag, as the server said
    looks = models.PositiveSmallIntegerField(default=0)  # equal looks in a row
    looked_at = models.DateTimeField(null=True)
    gone = models.BooleanField(default=False)  # no longer there
    last_update = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "file_source_has_zip"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["delivery", "source"], name="file_source_has_zip_once")]

    def __str__(self) -> str:
        return f"{self.delivery} at {self.source}"


class Attempt(_Standing):
    """One attempt to fetch and take in a delivery (zip_download); a retry is another row."""

    offering = models.ForeignKey(Offering, on_delete=models.CASCADE, related_name="attempts")
    session = models.BigIntegerField(null=True)
    revision = models.PositiveIntegerField(default=1)  # which version of the file under this name
    request = models.DateTimeField()  # when it was asked for
    received = models.DateTimeField(null=True)  # when the whole file had arrived
    downloaded_size_bytes = models.BigIntegerField(default=0)
    mark = models.JSONField(default=list)
    sha256 = models.CharField(max_length=64, blank=True)
    md5 = models.CharField(max_length=32, blank=True)
    folder = models.CharField(max_length=255, blank=True)  # below the folder of deliveries; empty: nothing is kept
    again = models.BooleanField(default=False)  # is taken in once more from what is here
    dropped = models.BooleanField(default=False)  # somebody wants it fetched anew: what is here is not used any more
    loaded = models.BooleanField(default=False)
    seconds = models.FloatField(default=0)

    class Meta:
        db_table = "zip_download"
        ordering = ["-id"]
        indexes = [models.Index(fields=["phase", "status"], name="zip_download_standing")]

    def __str__(self) -> str:
        return f"attempt {self.pk} at {self.offering}"


class XmlDocument(_Standing):
    """A document from a delivery (xml_file)."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="documents")
    number = models.PositiveIntegerField()  # in the archive, and the name of its file here
    fname = models.CharField(max_length=255)
    kind = models.CharField(max_length=32, blank=True)
    centre = models.ForeignKey(Centre, null=True, on_delete=models.SET_NULL, related_name="+")
    created = models.DateField(null=True)
    inc = models.BigIntegerField(null=True)
    size_bytes = models.BigIntegerField(default=0)
    content_md5 = models.CharField(max_length=32, blank=True)
    content_sha256 = models.CharField(max_length=64, blank=True)
    records = models.PositiveIntegerField(default=0)  # records that were loaded from it

    class Meta:
        db_table = "xml_file"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["attempt", "number"], name="xml_file_number")]
        indexes = [
            models.Index(fields=["fname"], name="xml_file_fname"),
            models.Index(fields=["created"], name="xml_file_created"),
        ]

    def __str__(self) -> str:
        return self.fname

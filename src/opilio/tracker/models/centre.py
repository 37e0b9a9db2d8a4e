"""Centres and their sources."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.tracker.models.reference import Protocol, ResourceState


class Centre(Curated):
    """A partner that produces data (centre). Better made inactive than deleted."""

    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="centres")
    profile = models.CharField(max_length=32, default="impc", help_text="Profile by which it delivers.")
    short_name = models.CharField(max_length=32, help_text="Its code, as in the names of deliveries.")
    imits_name = models.CharField(max_length=32, blank=True, help_text="Its code in the mutant registry.")
    full_name = models.CharField(max_length=128, help_text="Name in full.")
    email = models.EmailField(max_length=128, help_text="Whom to write to.")
    phone = models.CharField(max_length=14, blank=True)
    address = models.CharField(max_length=256, blank=True)
    active = models.BooleanField(default=True, help_text="Whether its sources are visited.")
    report_mail = models.BooleanField(default=False, help_text="Whether reports are mailed to it after a session.")
    report_back = models.BooleanField(default=False, help_text="Whether a report file is put on its sources.")

    class Meta:
        db_table = "centre"
        ordering = ["short_name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["short_name"], condition=models.Q(deleted=False), name="centre_once",
                violation_error_message="There is a centre with this code already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.short_name


class Source(Curated):
    """A partner's file server (file_source)."""

    centre = models.ForeignKey(Centre, on_delete=models.CASCADE, related_name="sources")
    name = models.CharField(max_length=64, help_text="What people call it.")
    protocol = models.ForeignKey(Protocol, on_delete=models.PROTECT, related_name="+")
    hostname = models.CharField(max_length=512, blank=True, help_text="Host name or address; none for a folder.")
    port = models.PositiveIntegerField(null=True, blank=True, help_text="Port; empty: the usual one.")
    username = models.CharField(max_length=128, blank=True, help_text="User name.")
    access_key = models.TextField(blank=True, editable=False)  # sealed: password, private key, passphrase
    base_path = models.CharField(max_length=256, blank=True, help_text="Folder that holds the folders of actions.")
    state = models.ForeignKey(ResourceState, on_delete=models.PROTECT, related_name="+")
    preference = models.IntegerField(default=0, help_text="Higher is asked first.")
    host_keys = models.JSONField(default=list, blank=True, help_text="Fingerprints of host keys that were enrolled.")
    authority = models.TextField(max_length=64_000, blank=True, help_text="Certificates to trust, in PEM form.")
    timeout = models.PositiveIntegerField(default=30, help_text="Seconds without a byte.")
    connections = models.PositiveSmallIntegerField(default=2, help_text="Connections at once.")
    bytes_per_second = models.PositiveBigIntegerField(null=True, blank=True, help_text="Of all connections together.")
    windows = models.JSONField(default=list, blank=True, help_text="When it may be used; empty: always.")
    record = models.JSONField(default=dict, blank=True, editable=False)  # how it did so far

    class Meta:
        db_table = "file_source"
        ordering = ["centre", "name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["centre", "name"], condition=models.Q(deleted=False), name="file_source_once",
                violation_error_message="The centre has a source of this name already.",
            )
        ]  # fmt: skip
        indexes = [models.Index(fields=["hostname"], name="file_source_hostname")]

    def __str__(self) -> str:
        return f"{self.name} of {self.centre}"

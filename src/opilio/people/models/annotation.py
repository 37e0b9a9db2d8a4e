"""Annotations on any curated row (ANNOTATIONS), with every earlier wording kept."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.people.models.user import User


class Annotation(Curated):
    """A note that somebody pinned to a row."""

    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="annotations")
    at = models.DateTimeField(help_text="When it was first written.")
    note = models.TextField(max_length=10_000, help_text="What is to be remembered.")
    subject_type = models.CharField(max_length=64)
    subject_id = models.BigIntegerField()
    alertable = models.BooleanField(default=False, help_text="Shown with a warning sign, and copied to new harvests.")

    class Meta:
        db_table = "annotation"
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["subject_type", "subject_id", "-at"], name="annotation_subject")]

    def __str__(self) -> str:
        return self.note[:60]


class AnnotationEdit(Identified):
    """What an annotation said before one of its edits."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="edits")
    note = models.TextField()
    alertable = models.BooleanField()
    replaced_at = models.DateTimeField()
    replaced_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        db_table = "annotation_edit"
        ordering = ["-replaced_at", "-id"]

    def __str__(self) -> str:
        return self.note[:60]

"""Reference tables of the tracker; their numbers are the codes, and the order of phases and statuses decides."""

from django.db import models

from opilio.catalogue.identified import Identified


class _Named(Identified):
    """A row of a reference table."""

    short_name = models.CharField(max_length=64, unique=True)
    description = models.TextField(blank=True)
    last_update = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        ordering = ["id"]

    def __str__(self) -> str:
        return self.short_name


class Protocol(_Named):
    """How a source is spoken to (source_protocol)."""

    class Meta(_Named.Meta):
        db_table = "source_protocol"


class ResourceState(_Named):
    """Whether a source is used (resource_state)."""

    class Meta(_Named.Meta):
        db_table = "resource_state"


class ProcessingType(_Named):
    """What is to be done with a delivery (processing_type): add, edit, delete, and what profiles name beside."""

    class Meta(_Named.Meta):
        db_table = "processing_type"


class PhaseRow(_Named):
    """A phase (phase); the number is its code, in the order of the pipeline."""

    class Meta(_Named.Meta):
        db_table = "phase"


class StatusRow(_Named):
    """A status (a_status); the number is its code, heavier ones higher."""

    rgba = models.CharField(max_length=8)  # colour on the pages

    class Meta(_Named.Meta):
        db_table = "a_status"


class FindingKind(_Named):
    """A kind of failure (an_exception): made when it is first met, kept while something is of it."""

    class Meta(_Named.Meta):
        db_table = "an_exception"

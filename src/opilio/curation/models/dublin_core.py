"""Descriptive metadata (DUBLIN_CORE): the seed's elements with ISBN and ISSN, plus date and rights."""

from typing import Any

from django.db import models

from opilio.catalogue.curated import Curated

_LONGEST = 4_000


def _element(sentence: str) -> "models.TextField[Any, Any]":
    return models.TextField(max_length=_LONGEST, blank=True, help_text=sentence)


class DublinCore(Curated):
    """The description of one target or group as catalogues exchange it."""

    title = _element("Name given to the site.")
    creator = _element("Who made it.")
    subject = _element("Subject headings.")
    description = _element("What it is about.")
    publisher = _element("Who publishes it.")
    contributor = _element("Who contributed to it.")
    date = _element("Date or period of the work.")
    type = models.CharField(max_length=255, blank=True, help_text="Kind of work, from the list of types.")
    format = _element("Media types or dimensions.")
    identifier = _element("Identifier in another catalogue.")
    identifier_isbn = models.CharField(max_length=255, blank=True, help_text="ISBN.")
    identifier_issn = models.CharField(max_length=255, blank=True, help_text="ISSN.")
    source = _element("Work from which it is derived.")
    language = models.CharField(max_length=255, blank=True, help_text="Languages.")
    relation = _element("Related works.")
    coverage = _element("Places and times that it covers.")
    rights = _element("Statement of rights.")

    class Meta:
        db_table = "dublin_core"
        ordering = ["id"]
        base_manager_name = "everything"

    def __str__(self) -> str:
        return self.title or f"description {self.pk}"


ELEMENTS = (
    "title", "creator", "subject", "description", "publisher", "contributor", "date", "type", "format", "identifier",
    "identifier_isbn", "identifier_issn", "source", "language", "relation", "coverage", "rights",
)  # fmt: skip

"""Holds long texts to the length that their columns declare; databases and Django check only short ones."""

from django.db import models

from opilio.people.errors import InvalidFields


def check(row: models.Model, where: str = "") -> None:
    """Refuse texts that are longer than their column says."""
    faults = {
        column.name: [f"Write at most {column.max_length:,} characters."]
        for column in row._meta.concrete_fields
        if isinstance(column, models.TextField)
        and column.max_length
        and len(getattr(row, column.attname) or "") > column.max_length
    }
    if faults:
        raise InvalidFields(faults, where=where)

"""The base class of every catalogue table: a 64-bit identifier from a reserved block, no AutoField."""

from collections.abc import Iterable
from typing import ClassVar

from django.db import DEFAULT_DB_ALIAS, models

from opilio.catalogue import identifiers


class IdentifierField(models.BigIntegerField):  # type: ignore[type-arg]  # takes no parameters at run time
    """A primary key that is taken from the block of the model's kind when a row is first saved."""

    def get_pk_value_on_save(self, instance: models.Model) -> int:
        """The next identifier of the row's kind; Django asks here for single rows and bulk inserts alike."""
        assert isinstance(instance, Identified)  # noqa: S101 - the field is used by Identified only
        return identifiers.take(type(instance).id_kind(), instance._state.db or DEFAULT_DB_ALIAS)


class Identified(models.Model):
    """A row with an identifier of its own."""

    #: The kind under which identifiers are reserved; empty means the model's own name.
    ID_KIND: ClassVar[str] = ""

    id = IdentifierField(primary_key=True, editable=False)

    class Meta:
        abstract = True

    @classmethod
    def id_kind(cls) -> str:
        """Under which name this table reserves identifiers."""
        return cls.ID_KIND or cls.__name__

    def save(
        self,
        *,
        force_insert: bool | tuple[models.base.ModelBase, ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Save; a new row without an identifier is inserted straight away, without trying to update first."""
        fresh = self._state.adding and self.pk is None and not force_update
        super().save(
            force_insert=force_insert or fresh, force_update=force_update, using=using, update_fields=update_fields
        )

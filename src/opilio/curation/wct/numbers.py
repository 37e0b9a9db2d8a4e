"""Numbers of rows: the one that a row had in the Web Curator Tool where that is free, a new one otherwise.

A number is free when no row of the same kind has it and its block can never be handed out: block 0, or blocks that
this import reserved, from the first that nobody has yet up to the one it needs (docs/decisions/0026).
"""

from collections.abc import Collection

from django.apps import apps
from django.db.models import F, Model

from opilio.catalogue import identifiers
from opilio.catalogue.identified import Identified
from opilio.catalogue.models import IdBlock
from opilio.curation.models import WctIdentity

LARGEST = 2**53 - 1  # above that, programs that read JSON carelessly would change a number
_ATTEMPTS = 100


class Numbers:
    """Gives numbers to the rows of one import."""

    def __init__(self) -> None:
        self._owned: dict[str, list[range]] = {}  # kind → blocks reserved by this import

    def give(self, model: type[Identified], wanted: Collection[int]) -> dict[int, int]:
        """For each number that rows had, the number they get."""
        kind = model.id_kind()
        keepable = {number for number in wanted if 0 < number <= LARGEST}
        if keepable:
            self.own(kind, max(keepable) // identifiers.BLOCK)
        free = {number for number in keepable if self._ours(kind, number)}
        for sharing in _sharing(kind):
            free -= set(sharing._base_manager.filter(pk__in=free).values_list("pk", flat=True))
        return {number: number if number in free else identifiers.take(kind) for number in wanted}

    def own(self, kind: str, block: int) -> None:
        """Reserve the blocks up to this one that nobody reserved yet."""
        rows = IdBlock.objects.filter(kind=kind)
        for _ in range(_ATTEMPTS):
            value = rows.values_list("value", flat=True).first()
            if value is None:
                IdBlock.objects.bulk_create([IdBlock(kind=kind)], ignore_conflicts=True)
            elif value > block:
                return
            elif rows.filter(value=value).update(value=block + 1) == 1:
                self._owned.setdefault(kind, []).append(range(value, block + 1))
                return

    def _ours(self, kind: str, number: int) -> bool:
        block = number // identifiers.BLOCK
        return block == 0 or any(block in owned for owned in self._owned.get(kind, ()))


def _sharing(kind: str) -> list[type[Model]]:
    """The tables whose rows take their numbers from this kind; of a family only the eldest."""
    return [
        model
        for model in apps.get_models()
        if issubclass(model, Identified) and model.id_kind() == kind and not model._meta.parents
    ]


class Originals:
    """For export: the number that a row had there, or its own; two rows never get the same.

    A row of ours whose number belongs to a renumbered row over there gets that row's number here, and so on.
    """

    def __init__(self, table: str) -> None:
        renumbered = WctIdentity.objects.filter(table=table).exclude(oid=F("row_id"))
        self._there = dict(renumbered.values_list("row_id", "oid"))
        self._here = {there: here for here, there in self._there.items()}

    def of(self, number: int) -> int:
        """The number to write for a row of ours."""
        if number in self._there:
            return self._there[number]
        while number in self._here:
            number = self._here[number]
        return number

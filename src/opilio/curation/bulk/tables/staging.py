"""Lines of a table before anything is made of them: each good, or with its fault."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opilio.curation.bulk.tables.raw import RawTable
from opilio.curation.bulk.tables.table import Importer, Table
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of a table: its cells, or why it cannot be used."""

    place: int
    name: str
    cells: Mapping[str, str]
    fault: str = ""


def lines(table: Table, raw: RawTable, actor: Actor) -> Iterator[Line]:
    """The lines in their order; what is wrong with one is told without trying it."""
    importer, places = table.importer(actor), dict[tuple[str, ...], int]()
    for row in raw.rows:
        name = table.named(row.cells)
        fault = row.fault or _fault(table, importer, row.cells) or _twice(table, row.cells, row.place, places)
        yield Line(place=row.place, name=name, cells=row.cells, fault=fault)


def _fault(table: Table, importer: Importer, cells: Mapping[str, str]) -> str:
    try:
        importer.check(table.given(cells))
    except InvalidFields as error:
        return "; ".join(f"{field}: {' '.join(texts)}" for field, texts in error.messages.items())
    return ""


def _twice(table: Table, cells: Mapping[str, str], place: int, places: dict[tuple[str, ...], int]) -> str:
    if "id" in table.names and not cells.get("id", "").strip():
        return ""  # each makes a new one
    names = ("id",) if "id" in table.names else _whole_key(table)
    key = tuple(cells.get(name, "").strip() for name in names)
    first = places.setdefault(key, place)
    return "" if first == place else f"the same {table.noun} stands at {first} already"


def _whole_key(table: Table) -> tuple[str, ...]:
    return tuple(dict.fromkeys(("agency", *table.key)))

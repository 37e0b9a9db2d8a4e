"""A table of one noun: how its rows are written, found again, made and changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db.models import QuerySet

from opilio.curation.bulk.arguments import Argument, Control, flag
from opilio.curation.bulk.tables.columns import TableColumn, given
from opilio.curation.bulk.verbs import Step, Subject, Verb
from opilio.kernel.errors import Conflict
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

UPDATE = Argument(
    name="update", label="Change rows that are there already", control=Control.CHOICE, required=False, read=flag,
    options=lambda actor: (("no", "No, refuse them"), ("yes", "Yes")),
)  # fmt: skip
_CHUNK = 500


class ThereAlready(Conflict):
    """A row of this name is there, and was not to be changed."""


class Importer(Protocol):
    """Brings rows of a table into the catalogue by its actions; lives for one import."""

    def check(self, values: Mapping[str, Any]) -> None:
        """Refuse names of agencies, users or profiles that are unknown."""
        ...

    def find(self, values: Mapping[str, Any]) -> Any | None:
        """The row that is meant, if it is there."""
        ...

    def make(self, values: Mapping[str, Any]) -> object:
        """Make a row."""
        ...

    def change(self, row: Any, values: Mapping[str, Any], columns: Sequence[str]) -> object:
        """Change these columns of a row."""
        ...


@dataclass(frozen=True, kw_only=True)
class Table:
    """All that differs between one table and another."""

    noun: str
    columns: tuple[TableColumn, ...]
    key: tuple[str, ...]  # the columns that name a row
    privileges: tuple[Privilege, ...]  # one of them is needed to import at all
    rows: Callable[[Actor], QuerySet[Any]]  # those that the asker may see, with what `written` reads
    written: Callable[[Any], dict[str, Any]]  # a row as texts, numbers, yes and no, lists of texts
    importer: Callable[[Actor], Importer]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(column.name for column in self.columns)

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the columns that every table needs."""
        return tuple(column.name for column in self.columns if column.required)

    def given(self, cells: Mapping[str, str]) -> dict[str, Any]:
        """The cells as they are written, or `InvalidFields`."""
        return given(self.columns, cells)

    def named(self, cells: Mapping[str, str]) -> str:
        """What a row of the table is called in reports."""
        return " · ".join(part for name in self.key if (part := cells.get(name, "").strip()))[:255]

    def exported(self, rows: QuerySet[Any]) -> Iterator[dict[str, Any]]:
        """Rows as they are written, read in portions."""
        for row in rows.iterator(chunk_size=_CHUNK):
            yield self.written(row)

    def differing(self, row: Any, values: Mapping[str, Any]) -> list[str]:
        """The columns in which the table says something else than the row."""
        now, grows = self.written(row), {column.name for column in self.columns if column.grows}
        return [
            name for name, value in values.items()
            if value is not None
            and (not set(value) <= set(now[name]) if name in grows else _plain(value) != _plain(now[name]))
        ]  # fmt: skip

    def verb(self) -> Verb:
        """The import of such a table as a verb of bulk work."""
        return Verb(
            name="import", label="Import", done="imported", icon="import", offered=False, arguments=(UPDATE,),
            privileges=self.privileges, begin=self._begin,
            warning="Each row is made, or changed, in a transaction of its own, by the actions that the pages use.",
        )  # fmt: skip

    def _begin(self, actor: Actor, arguments: Mapping[str, Any]) -> Step:
        importer, update = self.importer(actor), bool(arguments.get("update"))

        def step(subject: Subject) -> object:
            values = self.given(subject.cells)
            importer.check(values)
            row = importer.find(values)
            if row is None:
                return importer.make(values)
            columns = self.differing(row, values)
            if columns and not update:
                raise ThereAlready(
                    f"It is there already, with another {', '.join(columns)}", where=self.noun,
                    remedy="Import with changes allowed if it is to be changed.",
                )  # fmt: skip
            return importer.change(row, values, columns) if columns else None

        return step


def _plain(value: Any) -> Any:
    return "" if value is None else value.strip() if isinstance(value, str) else value


def uses(columns: Iterable[TableColumn], values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Some of the values as an action takes them; those that say nothing are left out."""
    use = {column.name: column.use for column in columns}
    return {name: use[name](values[name]) for name in names if values.get(name) is not None}

"""How a table of the Web Curator Tool is described: its columns, what each becomes, and what makes a row the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as made
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from django.db.models import Model, QuerySet

from opilio.curation.wct.values import TEXT, Kind

if TYPE_CHECKING:
    from opilio.curation.wct.drafts import Draft
    from opilio.curation.wct.taking import Taking

Cells = Mapping[str, str | None]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: what it is called there, and what carries it here."""

    name: str
    field: str = ""  # attribute of our row; empty: told in another way, by `prepare` and `show`
    kind: Kind = TEXT
    ref: str | Callable[[Cells], str] = ""  # table whose number it holds; a function where another column decides
    need: bool = False  # without it the row is refused
    blank: Any = ""  # our value for NULL
    codes: Mapping[str, Any] = made(default_factory=dict)  # words of the Web Curator Tool → ours
    show: Callable[[Any], Any] | None = None  # our row → value to write; instead of the attribute
    note: str = ""  # why a value cannot be kept, where that is so

    def table_of(self, cells: Cells) -> str:
        """The table that a number in this column refers to; empty: none."""
        ref = self.ref
        return ref if isinstance(ref, str) else ref(cells)


class Taken(Enum):
    """What is done with a row whose name, or other key, is here already."""

    JOIN = auto()  # it is the same thing
    RENAME = auto()  # it is another one: its name is made unique


@dataclass(frozen=True, kw_only=True)
class Unique:
    """Which attributes no two of our rows share."""

    fields: tuple[str, ...]  # the last one is looked up, and renamed
    taken: Taken
    folded: bool = False  # the last one without regard to case
    unless: str = ""  # attribute; where it has a value the rule does not hold


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table of the Web Curator Tool, and ours that holds it."""

    name: str
    model: type[Model]
    columns: tuple[Column, ...]
    key: str = ""  # column with the number of the row; empty: the pair in `natural` makes a row
    natural: tuple[str, ...] = ()  # our attributes that make a row the same, where it has no number
    extends: str = ""  # the table whose rows it adds columns to, by the same number
    unique: Unique | None = None
    prepare: "Callable[[Taking, Draft], None]" = lambda taking, draft: None  # fills what no column says
    numbered: "Callable[[Draft], None]" = lambda draft: None  # fills what depends on the number that it gets here
    later: str = ""  # column that refers to the same table: rows with a value there come second
    grows: bool = False  # rows are never changed, as those of the audit log
    rows: Callable[[], QuerySet[Any]] | None = None  # what is written; None: all rows
    aliases: Mapping[str, str] = made(default_factory=dict)  # other spellings of columns

    def cells(self, cells: Cells) -> dict[str, str | None]:
        """The cells under their proper names."""
        return {self.aliases.get(name, name): value for name, value in cells.items()}

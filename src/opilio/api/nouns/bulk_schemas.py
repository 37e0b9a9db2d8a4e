"""What programs send and receive of bulk work."""

import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.schemas import Answer, Body, Flag, Line

NounName = Literal["target", "seed", "group", "authorisation", "permission", "schedule", "user"]
TableName = Literal["target", "seed", "group", "permission", "schedule"]
OutcomeName = Literal["waiting", "changed", "unchanged", "refused", "unreadable"]
Name = Annotated[str, Field(min_length=1, max_length=32)]
Texts = Annotated[dict[Name, Annotated[str, Field(max_length=4_000)]], Field(max_length=20)]


class ArgumentAnswer(Answer):
    """One thing that a verb wants to be told."""

    name: str
    label: str
    required: bool
    help: str


class VerbAnswer(Answer):
    """One thing that can be done to many rows."""

    noun: str
    name: str
    label: str
    warning: str = Field(description="What follows from it.")
    arguments: list[ArgumentAnswer]
    filters: list[str] = Field(description="By what rows can be chosen.")


class Counts(Answer):
    """How many rows came to which outcome."""

    waiting: int
    changed: int
    unchanged: int
    refused: int
    unreadable: int


class RunAnswer(Answer):
    """A piece of bulk work."""

    id: Id
    noun: str
    verb: str
    arguments: dict[str, str]
    source: str
    dry_run: bool
    state: str = Field(description="draft, waiting, running, done or stopped.")
    total: int
    counts: Counts
    made_at: datetime.datetime
    finished_at: datetime.datetime | None


class ItemAnswer(Answer):
    """A row of bulk work."""

    id: Id
    place: int = Field(description="Place in the set; of an import, the line or item.")
    row: Id | None = Field(description="The row that was worked on; null for an import.")
    name: str
    outcome: str
    told: str = Field(description="What would change, or why it was refused.")


class RunNew(Body):
    """Bulk work to be done: on rows by their identifiers, or on all that fit a filter."""

    noun: NounName
    verb: Name = Field(examples=["nominate"])
    ids: list[Identifier] | None = Field(None, min_length=1, max_length=10_000)
    filter: Texts | None = Field(None, description="Filters of the noun; an empty object means all rows you may see.")
    arguments: Texts = {}
    dry_run: Flag = Field(False, description="Try every row, and take it back.")


class RunStart(Body):
    """How tried bulk work is started again."""

    dry_run: Flag = False


class ImportNew(Body):
    """A table to be imported: rows, or the text of a CSV file."""

    noun: TableName
    rows: list[dict[str, Any]] | None = Field(None, max_length=50_000, description="Objects with the table's columns.")
    csv: str | None = Field(None, description="The text of a CSV file, instead of rows.")
    name: Line = Field("", description="What the table is called in reports.")
    update: Flag = Field(False, description="Whether rows that are there already are changed.")
    dry_run: Flag = Field(False, description="Try every row, and take it back.")


class TableRow(Answer):
    """A row of a table, as it can be imported again."""

    id: Id
    cells: dict[str, Any]

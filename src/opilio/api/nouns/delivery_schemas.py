"""What the API tells of deliveries: where they stand, attempts, documents, findings, changes, records."""

import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.schemas import Answer, Body, Line, Moment
from opilio.deliveries.states import Phase, Status

PhaseName = Literal[
    "name", "settle", "download", "checksum", "unpack", "document_name", "schema", "load", "integrity", "context",
    "overview", "quality",
]  # fmt: skip
StatusName = Literal["pending", "running", "done", "cancelled", "failed"]


class _Standing(Answer):
    phase: PhaseName
    status: StatusName
    last_update: datetime.datetime


class DeliveryAnswer(_Standing):
    """A file that a partner offered, with its action, and where it stands."""

    id: Id
    file: str
    action: str
    centre: Id | None = Field(description="Centre by its name; null: none that is known.")
    centre_code: str
    profile: str
    why: str = Field(description="Why it stands where it does.")
    date: datetime.date | None = Field(description="The date in its name.")
    increment: int | None = Field(description="The number in its name.")
    size: int | None = Field(description="Bytes.")
    sha256: str
    md5: str
    first_seen: datetime.datetime
    held: bool = Field(description="Whether nothing of it may be removed.")
    retried: bool = Field(description="Whether the next session tries it again.")


class DeliveryFilters(Schema):
    """Which deliveries are listed."""

    q: Line = Field("", description="Part of the name of the file.")
    centre: Identifier | None = None
    phase: PhaseName | None = None
    status: StatusName | None = None
    action: Line = Field("", description="As add, edit, delete.")
    kind: Line = Field("", description="Kind of a document in it.")
    held: bool | None = None
    stuck: bool = Field(False, description="Only what waits for somebody.")
    since: Moment | None = Field(None, description="First seen at this time or later.")
    until: Moment | None = Field(None, description="First seen before this time.")


class AttemptAnswer(_Standing):
    """One attempt to fetch and take in a delivery."""

    id: Id
    source: str = Field(description="Name of the source and its centre.")
    session: Id | None
    revision: int = Field(description="Version of the file under this name.")
    request: datetime.datetime = Field(description="When it was asked for.")
    received: datetime.datetime | None = Field(description="When the whole file had arrived.")
    bytes: int = Field(alias="downloaded_size_bytes")
    seconds: float
    sha256: str
    md5: str
    again: bool = Field(description="Whether it was taken in from what was here.")
    documents: int = Field(alias="document_count")


class DocumentAnswer(_Standing):
    """A document from a delivery."""

    id: Id
    attempt: Id = Field(alias="attempt_id")
    name: str = Field(alias="fname")
    kind: str
    size: int = Field(alias="size_bytes")
    sha256: str = Field(alias="content_sha256")
    md5: str = Field(alias="content_md5")
    records: int = Field(description="Records that were loaded from it.")
    findings: int = Field(alias="wrong", description="Findings that count now.")

    @staticmethod
    def resolve_phase(row: Any) -> str:
        """Its name."""
        return Phase(row.phase_id).name.lower()

    @staticmethod
    def resolve_status(row: Any) -> str:
        """Its name."""
        return Status(row.status_id).name.lower()


class StandingChangeAnswer(Answer):
    """A change of where something stands."""

    id: Id
    what: str = Field(description="delivery, attempt or document.")
    row: Id
    phase: PhaseName
    status: StatusName
    at: datetime.datetime
    by: str
    why: str


class RecordAnswer(Answer):
    """A version of a record that a delivery brought."""

    id: Id
    kind: str
    key: str
    number: int = Field(description="Version.")
    current: bool
    removed: bool = Field(description="Whether this version is the removal.")
    line: int | None
    at: datetime.datetime
    values: dict[str, Any]


class DocumentFindingAnswer(Answer):
    """Something that is wrong in a document or one of its records; columns count characters."""

    id: Id
    delivery: Id
    file: str
    document: Id = Field(alias="document_id")
    document_name: str
    centre_code: str
    kind: str
    level: str = Field(description="warn, error or fatal.")
    message: str
    line: int | None
    column: int | None = Field(alias="col")
    count: int = Field(description="How many like it there are.")
    record_kind: str
    record_key: str
    active: bool = Field(description="Whether it counts now.")
    last_update: datetime.datetime

    @staticmethod
    def resolve_delivery(row: Any) -> int:
        """Of which delivery."""
        return int(row.document.attempt.offering.delivery_id)

    @staticmethod
    def resolve_file(row: Any) -> str:
        """Its name."""
        return str(row.document.attempt.offering.delivery.zip.file_name)

    @staticmethod
    def resolve_document_name(row: Any) -> str:
        """Its name."""
        return str(row.document.fname)

    @staticmethod
    def resolve_centre_code(row: Any) -> str:
        """The code of its centre."""
        centre = row.document.attempt.offering.delivery.zip.centre
        return str(centre.short_name) if centre else ""

    @staticmethod
    def resolve_kind(row: Any) -> str:
        """Its name."""
        return str(row.kind.short_name)


class FileFindingAnswer(Answer):
    """Something that is wrong with a file itself."""

    id: Id
    delivery: Id
    file: str
    centre_code: str
    kind: str
    message: str
    active: bool = Field(description="Whether it counts now.")
    last_update: datetime.datetime


class LinePlace(Schema):
    """A place in a document."""

    line: int = Field(ge=1, le=2**31 - 1)
    column: int = Field(0, ge=0, le=2**31 - 1, description="In characters; 0: none.")
    around: int = Field(2, ge=0, le=20, description="Lines before and behind it.")


class LineAnswer(Answer):
    """A line of a document, or the part of it around a column."""

    number: int
    text: str
    start: int = Field(description="Column of the first character shown.")
    more: bool = Field(description="Whether the line goes on.")


class LinesAnswer(Answer):
    """Lines of a document around a place."""

    kept: bool = Field(description="Whether the document is still here.")
    lines: list[LineAnswer]


class DeliveryDecision(Body):
    """Why it is decided."""

    reason: str = Field(min_length=1, max_length=4_000, examples=["It was sent by mistake."])


class TakenBack(Answer):
    """How many records went back."""

    count: int

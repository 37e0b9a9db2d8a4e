"""What all bodies and answers have in common."""

import datetime
import re
from typing import Annotated, Any

from ninja import Schema
from pydantic import AfterValidator, AwareDatetime, BeforeValidator, ConfigDict, Field, StrictBool, WithJsonSchema

from opilio.api.identifiers import Id

_EARLIEST = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_LATEST = datetime.datetime(9000, 1, 1, tzinfo=datetime.UTC)
_CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"


def _within_reason(moment: datetime.datetime) -> datetime.datetime:
    if not _EARLIEST <= moment <= _LATEST:
        raise ValueError("a time must lie between the years 1970 and 9000")
    return moment.astimezone(datetime.UTC)  # PostgreSQL refuses offsets beyond 16 hours


def _on_the_clock(value: object) -> object:
    if isinstance(value, datetime.time):
        return value
    if not isinstance(value, str) or not re.fullmatch(_CLOCK, value) or value.endswith("\n"):
        raise ValueError("a time of the day is written 08:30 or 08:30:00")
    return value


#: A time of the day, by the installation's clock: without zone and without fraction.
ClockTime = Annotated[
    datetime.time,
    BeforeValidator(_on_the_clock),
    WithJsonSchema({"type": "string", "pattern": _CLOCK, "examples": ["08:30:00"]}),
]
#: A time in a query or body; it must say its zone.
Moment = Annotated[
    AwareDatetime,
    AfterValidator(_within_reason),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-01-31T12:00:00Z"]}),
]
#: The version of a row that a change was made from.
Version = Annotated[int, Field(strict=True, ge=1, le=2**31 - 1, examples=[1])]
Flag = StrictBool
Line = Annotated[str, Field(max_length=255)]
Paragraph = Annotated[str, Field(max_length=1_000)]


class Body(Schema):
    """What a program sends; a field that is not known is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def changes(self, *but: str) -> dict[str, Any]:
        """The fields that were sent, without those named and without the version; null means: not sent."""
        sent = {name: getattr(self, name) for name in sorted(self.model_fields_set) if name not in ("version", *but)}
        return {name: value for name, value in sent.items() if value is not None}


class Answer(Schema):
    """What a program receives."""

    model_config = ConfigDict(frozen=True)


class Named(Answer):
    """A row that another one refers to."""

    id: Id
    name: str


class Count(Answer):
    """How many rows were changed."""

    count: int = Field(examples=[2])


class Fault(Answer):
    """What failed, on what, and what to do next."""

    code: str = Field(description="Name of the case, for programs.", examples=["not-found"])
    message: str = Field(description="What failed, for people.")
    where: str = Field(description="The place: an action, a field, a header.")
    remedy: str = Field(description="What to do next.")
    correlation: str = Field(description="Ties the answer to audit entries and log lines.")
    fields: dict[str, list[str]] | None = Field(None, description="Messages by field, where fields are at fault.")
    mine: dict[str, Any] | None = Field(None, description="What you sent, where the row was changed meanwhile.")
    theirs: dict[str, Any] | None = Field(None, description="What the row holds now, in the same case.")


class FaultAnswer(Answer):
    """Every answer that is not a success."""

    error: Fault

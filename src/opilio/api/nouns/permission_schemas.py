"""What programs send and receive about permissions."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any

from ninja import Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.curation.queries.permissions import STANDINGS

if TYPE_CHECKING:
    from opilio.curation.matching import Explanation
    from opilio.curation.models import Permission

Long = Annotated[str, Field(max_length=2_048)]
Day = Annotated[datetime.date, Field(ge=datetime.date(1900, 1, 1), le=datetime.date(9000, 1, 1))]


class PermissionAnswer(Answer):
    """A permission in a list."""

    id: Id
    name: str
    status: str = Field(examples=["Approved", "Approved (expired)"])
    authorisation: Named
    agent: Named
    agency: Named
    start_date: datetime.date
    end_date: datetime.date | None
    access_status: str
    open_access_date: datetime.date | None
    available: bool
    copyright_statement: str
    copyright_url: str
    special_requirements: str
    response: str
    notes: str
    file_reference: str
    quick_pick: bool
    display_name: str
    requested_at: datetime.datetime | None
    decided_at: datetime.datetime | None
    reminded_at: datetime.datetime | None
    reminders: int
    seed_count: int
    created: datetime.datetime
    updated: datetime.datetime
    version: int


class Exclusion(Body):
    """URLs that a permission leaves out."""

    url: Annotated[str, Field(max_length=1_024, examples=["http://example.org/private/*"])]
    reason: Annotated[str, Field(max_length=1_024)] = ""


class PermissionInFull(PermissionAnswer):
    """A permission with what it covers and leaves out."""

    patterns: list[Named] = Field(description="URL patterns, each with its text as name.")
    exclusions: list[Exclusion]


class PermissionFilters(Schema):
    """Which permissions are listed."""

    q: Line = Field("", description="Part of the authorisation's title or of the display name.")
    agency: Identifier | None = None
    authorisation: Identifier | None = None
    agent: Identifier | None = None
    status: Annotated[int | None, Field(ge=0, le=5, description="0 pending, 1 requested, 2 approved, 3 rejected, "
                                        "4 approved in future, 5 expired.")] = None  # fmt: skip
    quick_pick: bool | None = None
    expires_within: Annotated[int | None, Field(ge=0, le=36_500, description="Days until the last day.")] = None


class PermissionFields(Body):
    """Details; those left out stay as they are, or empty."""

    end_date: Day | None = None
    access_status: Line | None = None
    open_access_date: Day | None = None
    available: Flag | None = None
    copyright_statement: Long | None = None
    copyright_url: Long | None = None
    special_requirements: Long | None = None
    response: Annotated[str, Field(max_length=32_000)] | None = None
    notes: Annotated[str, Field(max_length=4_000)] | None = None
    file_reference: Line | None = None
    quick_pick: Flag | None = None
    display_name: Annotated[str, Field(max_length=32)] | None = None


class PermissionNew(PermissionFields):
    """A permission to be made."""

    authorisation: Identifier
    agent: Identifier
    patterns: list[Identifier] = Field(min_length=1, max_length=5_000)
    start_date: Day
    exclusions: list[Exclusion] = Field([], max_length=5_000)
    seek: Flag = Field(False, description="Whether to put it before those who confirm permissions.")


class PermissionChange(PermissionFields):
    """Fields to change; null for `end_date` or `open_access_date` takes the day away."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    agent: Identifier | None = None
    patterns: list[Identifier] | None = Field(None, max_length=5_000)
    start_date: Day | None = None

    def changes(self, *but: str) -> dict[str, Any]:
        """As usual, but a day that was sent as null is taken away."""
        days = {"end_date", "open_access_date"} & self.model_fields_set
        return super().changes(*but) | {name: getattr(self, name) for name in days}


class Exclusions(Body):
    """All that a permission leaves out, in order."""

    exclusions: list[Exclusion] = Field(max_length=5_000)


class Decision(Body):
    """What the authorising agent answered."""

    response: Annotated[str, Field(max_length=16_000)] = ""
    version: Version | None = None


class Request(Body):
    """By which text a permission is asked for."""

    template: Identifier


class Transfer(Body):
    """Which permission receives the seeds."""

    into: Identifier


class SaidNew(Body):
    """Something that was said."""

    channel: Annotated[str, Field(max_length=16, examples=["phone"])]
    outgoing: Flag
    subject: Line = ""
    text: Annotated[str, Field(max_length=32_000)] = ""
    address: Annotated[str, Field(max_length=320)] = ""


class SaidAnswer(Answer):
    """Something that was said."""

    id: Id
    at: datetime.datetime
    channel: str
    outgoing: bool
    subject: str
    text: str
    address: str


class LetterAnswer(Answer):
    """A request as it went out, or is to be printed."""

    printed: bool
    to: str
    subject: str
    text: str = Field(description="For letters with the address of the answer form, which is not told again.")
    html: str


class CheckAnswer(Answer):
    """One point that was looked at."""

    ground: str
    holds: bool
    sentence: str


class CandidateAnswer(Answer):
    """What one permission says about a URL."""

    permission: Named
    pattern: str | None
    matches: bool
    allows: bool
    checks: list[CheckAnswer]


class ExplanationAnswer(Answer):
    """Why a URL may be collected or not."""

    url: str
    allowed: bool
    sentence: str
    candidates: list[CandidateAnswer]
    left_out: int


class WiderAnswer(Answer):
    """A permission that covers what another asks for."""

    permission: Named
    pattern: str
    narrow: str
    status: str


def shown(row: "Permission") -> PermissionAnswer:
    """A permission as programs see it."""
    return PermissionAnswer(**_values(row))


def shown_in_full(row: "Permission") -> PermissionInFull:
    """A permission with its parts."""
    return PermissionInFull(
        **_values(row),
        patterns=[Named(id=str(link.pattern_id), name=link.pattern.pattern) for link in row.pattern_links.all()],
        exclusions=[Exclusion(url=each.url, reason=each.reason) for each in row.exclusions.all()],
    )


def explained(found: "Explanation") -> ExplanationAnswer:
    """An explanation as programs see it."""
    return ExplanationAnswer(
        url=found.url, allowed=found.allowed, sentence=found.sentence, left_out=found.left_out,
        candidates=[
            CandidateAnswer(
                permission=Named(id=str(each.permission.id), name=each.permission.name),
                pattern=str(each.pattern) if each.pattern else None, matches=each.matches, allows=each.allows,
                checks=[CheckAnswer(ground=one.ground.value, holds=one.holds, sentence=one.sentence)
                        for one in each.checks],
            )
            for each in found.answers
        ],
    )  # fmt: skip


_COMPUTED = ("id", "name", "status", "authorisation", "agent", "agency")


def _values(row: "Permission") -> dict[str, Any]:
    plain = {name: getattr(row, name) for name in PermissionAnswer.model_fields if name not in _COMPUTED}
    return {
        **plain,
        "id": str(row.id),
        "name": str(row),
        "status": STANDINGS[row.standing],  # type: ignore[attr-defined]  # worked out by the query
        "authorisation": Named(id=str(row.authorisation_id), name=row.authorisation.title),
        "agent": Named(id=str(row.agent_id), name=row.agent.name),
        "agency": Named(id=str(row.agency_id), name=row.agency.name),
    }

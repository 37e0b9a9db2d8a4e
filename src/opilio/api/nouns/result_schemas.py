"""Results as programs receive them, and what programs send to decide about them."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any

from ninja import Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.curation.words import Advice, ResultState

if TYPE_CHECKING:
    from opilio.curation.models import Result

#: The words for the states of results and for what is recommended, as programs write them.
STATES = {state: state.name.lower() for state in ResultState}
ADVICE = {advice: advice.name.lower() for advice in Advice}
_STATE = Annotated[str, Field(pattern=f"^({'|'.join(STATES.values())})$", max_length=16, examples=["unassessed"])]
_ADVICE = Annotated[str, Field(pattern=f"^({'|'.join(ADVICE.values())})$", max_length=16, examples=["look"])]
_Note = Annotated[str, Field(max_length=4_000)]


class ResultAnswer(Answer):
    """A result of a harvest."""

    id: Id
    harvest: Id
    target: Named
    agency: Named
    number: int = Field(description="Within the harvest; 1 is what the crawl captured.")
    derived_from: int | None
    state: str = Field(description=f"One of {', '.join(STATES.values())}.")
    state_since: datetime.datetime
    reason: str
    provenance_note: str
    made_at: datetime.datetime
    made_by: str = Field(description="User name; empty means the system.")
    decided_at: datetime.datetime | None
    decided_by: str
    proposed_by: str = Field(description="Who proposed the endorsement, where two people must agree.")
    rejection_reason: str
    resources: int
    bytes: int
    digest: str
    imported: bool = Field(description="Whether it came from another catalogue, without its files.")
    advice: str = Field(description="What is recommended; empty: not assessed.")
    headline: str
    version: int


class ResultDetail(ResultAnswer):
    """A result with what was changed to make it."""

    modification_notes: list[str]
    lineage: list[int] = Field(description="Numbers from the crawl's own result to this one.")


class PreservationAnswer(Answer):
    """An event of preservation; never changed."""

    id: Id
    kind: str
    at: datetime.datetime
    outcome: str
    detail: str
    by: str
    software: str


class ResultFilters(Schema):
    """Which results are listed."""

    state: _STATE | None = None
    advice: _ADVICE | None = None
    agency: Identifier | None = None
    owner: Identifier | None = None
    harvest: Identifier | None = None
    flag: Identifier | None = None
    waiting: bool = Field(False, description="Only those that nobody decided about yet.")
    q: Line = Field("", description="Part of the target's name.")


class EndorseBody(Body):
    """Why a result is good."""

    version: Version | None = Field(None, description="Version that you looked at; or send If-Match.")
    note: _Note = ""


class RejectBody(Body):
    """Why a result is not good."""

    version: Version | None = Field(None, description="Version that you looked at; or send If-Match.")
    reason: Identifier = Field(description="Rejection reason of the agency, meant for harvests.")
    note: Annotated[str, Field(max_length=3_000)] = ""


class UndoBody(Body):
    """Why a derived result is undone."""

    version: Version | None = Field(None, description="Version that you looked at; or send If-Match.")
    why: Annotated[str, Field(min_length=1, max_length=4_000)]


class ProvenanceBody(Body):
    """Where a result came from."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    note: Annotated[str, Field(max_length=32_000)]


class HarvestEndorseBody(Body):
    """Why a harvest is good."""

    note: _Note = ""


class HarvestRejectBody(Body):
    """Why a harvest is not good."""

    reason: Identifier = Field(description="Rejection reason of the agency, meant for harvests.")
    note: Annotated[str, Field(max_length=3_000)] = ""


class ReferenceBody(Body):
    """Whether later harvests are compared with this one."""

    reference: Flag = True


class ColourBody(Body):
    """The coloured flag of a harvest."""

    flag: Identifier | None = Field(description="A flag of its agency; null takes the flag off.")


class DelistBody(Body):
    """Why a target need not be harvested any more."""

    reason: Annotated[str, Field(min_length=1, max_length=4_000)]


def told(row: "Result") -> dict[str, Any]:
    """A result as programs receive it."""
    holder, assessed = row.harvest.abstract_target, getattr(row, "assessment", None)
    return {
        "id": str(row.pk), "harvest": str(row.harvest_id), "target": {"id": str(holder.pk), "name": holder.name},
        "agency": {"id": str(row.harvest.agency_id), "name": row.harvest.agency.name}, "number": row.number,
        "derived_from": row.derived_from, "state": STATES[ResultState(row.state)], "state_since": row.state_since,
        "reason": row.reason, "provenance_note": row.provenance_note, "made_at": row.made_at,
        "made_by": _name(row.made_by), "decided_at": row.decided_at, "decided_by": _name(row.decided_by),
        "proposed_by": _name(row.seconded_by), "resources": row.resources, "bytes": row.bytes, "digest": row.digest,
        "rejection_reason": row.rejection_reason.name if row.rejection_reason else "", "imported": row.imported,
        "advice": ADVICE[Advice(assessed.advice)] if assessed else "",
        "headline": assessed.headline if assessed else "", "version": row.version,
    }  # fmt: skip


def _name(user: Any) -> str:
    return user.username if user is not None else ""

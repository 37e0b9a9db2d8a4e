"""Harvests as programs receive them, and what programs send to them."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.curation.queries import harvests as query
from opilio.curation.words import HarvestState, ObjectType

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

_MOST = 10**15
Amount = Annotated[int, Field(strict=True, ge=0, le=_MOST)]
Pattern = Annotated[str, Field(min_length=1, max_length=2_000)]


class HarvestOwner(Answer):
    """Whose a harvest is."""

    id: Id
    username: str


class FiguresAnswer(Answer):
    """How a harvest goes, or went; written about every two seconds while it runs."""

    urls_down: int
    urls_failed: int
    urls_waiting: int
    data_amount: int = Field(description="Bytes.")
    elapsed: int = Field(description="Seconds.")
    average_kb: float = Field(description="kB/s.")
    average_urls: float = Field(description="URLs/s.")
    alerts: int
    status: str
    job_name: str
    updated_at: datetime.datetime


class HarvestAnswer(Answer):
    """A harvest."""

    id: Id
    target: Named = Field(description="Target or group that is harvested.")
    is_group: bool
    state: HarvestState
    state_since: datetime.datetime
    reason: str = Field(description="Why it is in its state.")
    next_step: str = Field(description="What comes next, or what a person must do.")
    late: bool = Field(description="Whether it is longer in its state than it should be.")
    expected_until: datetime.datetime | None
    scheduled_at: datetime.datetime
    started_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    priority: int = Field(description="0 high, 100 normal, 1000 low.")
    deferrals: int = Field(description="How often it was put off by a day.")
    held: bool = Field(description="Whether it waits for a person.")
    launched: bool
    flagged: bool
    colour: Named | None = Field(description="Coloured flag of its agency.")
    purged: bool
    first_of_target: bool
    display: bool
    display_note: str
    archive_id: str
    owner: HarvestOwner
    agency: Named
    agent: str = Field(description="Agent that runs it, or ran it.")
    wanted_agent: str = Field(description="Agent that it was given to; empty: any.")
    bandwidth_percent: int | None
    allocated_bandwidth: int | None = Field(description="kB/s in force.")
    figures: FiguresAnswer | None
    version: int


class EventAnswer(Answer):
    """Something that happened to a harvest; never changed."""

    id: Id
    number: int = Field(description="From 1, without a gap.")
    at: datetime.datetime
    name: str
    source: str
    target: HarvestState
    reason: str
    by: str
    agent: str
    details: dict[str, Any]


class OrderAnswer(Answer):
    """What somebody told a harvest."""

    id: Id
    what: str
    arguments: dict[str, Any]
    by: str
    at: datetime.datetime
    done_at: datetime.datetime | None = Field(description="When its agent carried it out; null: it waits.")
    refused: str = Field(description="Why it was not carried out.")


class FileAnswer(Answer):
    """A file that a harvest made."""

    id: Id
    result: int
    name: str
    compressed: bool
    size: int
    digest: str


class SnapshotAnswer(Answer):
    """What a harvest was run with; later edits never change it."""

    made_at: datetime.datetime
    digest: str
    intact: bool = Field(description="Whether the sections have this digest still.")
    fault: str
    sections: dict[str, Any]


class QueueAnswer(Answer):
    """The queue of harvests."""

    paused: bool
    counts: dict[str, int] = Field(description="Harvests by state, of those that you may see.")


class HarvestNew(Body):
    """A harvest without a schedule."""

    target: Identifier = Field(description="Target or group.")
    agent: Annotated[str, Field(max_length=64)] = Field("", description="Name of an agent; empty: any that is free.")


class LaunchBody(Body):
    """Where a harvest is to run."""

    agent: Annotated[str, Field(max_length=64)] = Field("", description="Name of an agent; empty: any that is free.")


class DecisionBody(Body):
    """Why a harvest that lost its right may go on all the same."""

    decision: Annotated[str, Field(min_length=1, max_length=4_000)] = Field(
        description="Kept in the log of the harvest."
    )


class LimitsBody(Body):
    """New limits, counted from the beginning of the harvest; 0 lifts one, null leaves it."""

    pages: Amount | None = None
    bytes: Amount | None = None
    seconds: Amount | None = None


class DelayBody(Body):
    """A new delay."""

    seconds: float = Field(ge=0, le=86_400, allow_inf_nan=False, description="Between two requests to a host.")


class ExcludeBody(Body):
    """What is to be left out from now on."""

    patterns: list[Pattern] = Field([], max_length=500, description="Expressions in RE2's syntax.")
    urls: list[Pattern] = Field([], max_length=500, description="Each matched exactly.")


class BandwidthBody(Body):
    """A share of the line."""

    percent: Annotated[int, Field(strict=True, ge=1, le=100)] | None = Field(
        description="Of the limit in force; null: an equal part of what others leave."
    )
    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")


class FlagBody(Body):
    """Whether a harvest is marked for attention."""

    flagged: Flag


class QueueBody(Body):
    """Whether no harvest begins at its time."""

    paused: Flag


class HarvestFilters(Answer):
    """Which harvests are listed."""

    q: Line = Field("", description="Part of the name of the target or group.")
    state: HarvestState | None = None
    target: Identifier | None = Field(None, description="Target or group.")
    agency: Identifier | None = None
    owner: Identifier | None = None
    flagged: bool | None = None
    held: bool | None = None


def told(row: "Harvest", *, now: datetime.datetime, paused: bool) -> HarvestAnswer:
    """A harvest as programs receive it."""
    figures = query.figures(row)
    plain = {name: getattr(row, name) for name in _PLAIN}
    return HarvestAnswer(
        **plain,
        id=str(row.pk),
        target=Named(id=str(row.abstract_target_id), name=row.abstract_target.name),
        is_group=row.abstract_target.object_type != ObjectType.TARGET,
        state=HarvestState(row.state),
        next_step=query.next_step(row, paused=paused),
        late=query.late(row, now),
        owner=HarvestOwner(id=str(row.owner_id), username=row.owner.username),
        agency=Named(id=str(row.agency_id), name=row.agency.name),
        agent=row.agent_name,
        colour=Named(id=str(row.flag_id), name=row.flag.name) if row.flag else None,
        figures=FiguresAnswer.from_orm(figures) if figures else None,
    )


_PLAIN = (
    "state_since", "reason", "expected_until", "scheduled_at", "started_at", "ended_at", "priority", "deferrals",
    "held", "launched", "flagged", "purged", "first_of_target", "display", "display_note", "archive_id",
    "wanted_agent", "bandwidth_percent", "allocated_bandwidth", "version",
)  # fmt: skip

"""What programs send and receive about targets and seeds."""

import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.groups import Long, Owner, Zone
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Version
from opilio.curation.words import AccessZone, State

StateWord = Literal["pending", "reinstated", "nominated", "rejected", "approved", "cancelled", "completed"]
STATES = {state.label.lower(): state for state in list(State)[:7]}
ZONES: dict[str, AccessZone] = {
    "public": AccessZone.PUBLIC, "on-site": AccessZone.ON_SITE, "restricted": AccessZone.RESTRICTED,
}  # fmt: skip
_ZONE_WORDS = {number: word for word, number in ZONES.items()}
Url = Annotated[str, Field(max_length=2_048)]
Note = Annotated[str, Field(max_length=1_000)]
#: A number, or empty text for none.
Limit = Annotated[int, Field(strict=True, ge=0, le=2_000_000_000)] | Literal[""]


class TargetAnswer(Answer):
    """A target."""

    id: Id
    name: str
    description: str
    reference: str
    agency: Named
    owner: Owner
    state: StateWord
    state_since: datetime.datetime
    profile: Named | None
    profile_note: str
    access_zone: Zone
    embargo_days: int | None = Field(description="From a capture, during which nobody may read it.")
    display: bool
    display_note: str
    display_change_reason: str
    run_on_approval: bool
    evaluation_note: str
    selection_date: datetime.datetime | None = Field(description="When it was first approved.")
    selection_note: str
    selection_type: str
    harvest_type: str
    rejection_reason: Named | None
    rejection_note: str
    request_to_archivists: str
    allow_early_start: bool
    follow_reference: bool = Field(description="Whether each archived harvest becomes the reference harvest.")
    prune_again: bool = Field(description="Whether what was pruned last is pruned from new harvests.")
    assigned_to: Owner | None
    assigned_due: datetime.date | None
    assigned_note: str
    created: datetime.datetime
    updated: datetime.datetime
    version: int

    @staticmethod
    def resolve_state(row: Any) -> str:
        """The word for the number."""
        return str(State(row.state).label.lower())

    @staticmethod
    def resolve_access_zone(row: Any) -> str:
        """The word for the number."""
        return _ZONE_WORDS[AccessZone(row.access_zone)]


class MoveOffer(Answer):
    """A move that people can make from the state of a target."""

    verb: str
    to: str
    privilege: str
    allowed: bool = Field(description="Whether you may make it.")
    sentence: str


class Standing(Answer):
    """Where a target stands, and what can happen next."""

    state: StateWord
    moves: list[MoveOffer]
    problems: list[str] = Field(description="What is missing before it can be approved.")
    approvals: list[datetime.datetime]


class TargetFilters(Schema):
    """Which targets are listed."""

    q: Line = Field("", description="Part of the name, the reference or the description.")
    state: StateWord | None = None
    agency: Identifier | None = None
    owner: Identifier | None = None
    assigned_to: Identifier | None = None
    group: Identifier | None = Field(None, description="Only members of this group.")
    seed: Line = Field("", description="Part of the URL of a seed.")


class TargetFields(Body):
    """Details; those left out stay as they are, or empty."""

    description: Long | None = None
    reference: Line | None = None
    profile: Identifier | Literal[""] | None = Field(None, description="A profile of its agency; empty text: none.")
    profile_note: Long | None = None
    access_zone: Zone | None = None
    embargo_days: Annotated[int, Field(strict=True, ge=0, le=183_000)] | Literal[""] | None = Field(
        None, description="Days from a capture; empty text: none."
    )
    display: Flag | None = None
    display_note: Long | None = None
    display_change_reason: Note | None = None
    run_on_approval: Flag | None = None
    evaluation_note: Long | None = None
    selection_note: Long | None = None
    selection_type: Line | None = Field(None, description="A value of the list selection-type.")
    harvest_type: Line | None = Field(None, description="A value of the list harvest-type.")
    request_to_archivists: Long | None = None
    allow_early_start: Flag | None = None
    follow_reference: Flag | None = None
    prune_again: Flag | None = None

    def values(self, *but: str) -> dict[str, Any]:
        """What was sent, by the names that the actions know."""
        sent = self.changes(*but)
        if "profile" in sent:
            sent["profile_id"] = sent.pop("profile") or None
        if sent.get("embargo_days") == "":
            sent["embargo_days"] = None
        if "access_zone" in sent:
            sent["access_zone"] = ZONES[sent["access_zone"]].value
        return sent


class TargetNew(TargetFields):
    """A target to be made."""

    name: str = Field(min_length=1, max_length=255, examples=["Harbour news"])
    agency: Identifier


class TargetChange(TargetFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    name: Line | None = None


class Rejection(Body):
    """Why a target is rejected."""

    reason: Identifier = Field(description="A rejection reason of its agency, meant for targets.")
    note: Long = ""


class TwinName(Body):
    """What the copy of a target is called."""

    name: Line = Field("", description="Empty: “Copy of …”.")


class SeedAnswer(Answer):
    """A seed."""

    id: Id
    target: Named
    url: str
    host: str
    primary: bool
    active: bool
    root: str
    depth_limit: int | None
    page_limit: int | None
    append: str
    credential: Id | None = Field(None, description="Identifier of a credential; never the secret.")
    position: int
    created: datetime.datetime
    updated: datetime.datetime
    version: int

    @staticmethod
    def resolve_credential(row: Any) -> str | None:
        """Its identifier only."""
        return str(row.credential_id) if row.credential_id is not None else None


class SeedLink(Answer):
    """A permission that a seed relies on."""

    permission: Id
    name: str
    status: str
    linked: str = Field(description="How it came to the seed.")


class SeedInFull(SeedAnswer):
    """A seed with its rights."""

    allowed: bool = Field(description="Whether it may be collected today.")
    rights: str = Field(description="Why, or why not, in a sentence.")
    links: list[SeedLink]


class SeedFilters(Schema):
    """Which seeds are listed."""

    q: Line = Field("", description="Part of the URL.")
    target: Identifier | None = None
    host: Line = ""
    active: bool | None = None


class SeedFields(Body):
    """Limits and flags; those left out stay as they are, or at their defaults."""

    primary: Flag | None = None
    active: Flag | None = None
    root: Url | None = Field(None, description="Beginning that URLs must have; empty: no such rule.")
    depth_limit: Limit | None = Field(None, description="Most links from here; empty text: no limit.")
    page_limit: Limit | None = Field(None, description="Most pages from here; 0 or empty text: no limit.")
    append: Note | None = None
    credential: Identifier | Literal[""] | None = Field(None, description="A credential of the target's overrides.")
    position: Annotated[int, Field(strict=True, ge=0, le=2_000_000_000)] | None = None

    def values(self, *but: str) -> dict[str, Any]:
        """What was sent, by the names that the actions know."""
        sent = self.changes(*but)
        if "credential" in sent:
            sent["credential_id"] = sent.pop("credential")
        nothing = {"depth_limit", "page_limit", "credential_id"}
        return {name: None if name in nothing and value == "" else value for name, value in sent.items()}


class SeedNew(SeedFields):
    """A seed to be added."""

    target: Identifier
    url: Url = Field(min_length=1, examples=["http://www.example.org/"])
    link: Literal["auto", "later", "permission"] = Field("auto", description="How it comes to its permissions.")
    permission: Identifier | None = Field(None, description="With link `permission`: which.")


class SeedChange(SeedFields):
    """Fields to change."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    url: Url | None = None


class SeedListBody(Body):
    """Seeds to be added from a list."""

    text: str = Field(max_length=1_000_000, description="One URL on each line; lines that begin with # do not count.")
    link: Literal["auto", "later", "permission"] = "auto"
    permission: Identifier | None = None
    only_good: Flag = Field(False, description="Whether good lines are added although others are bad.")


class BadLineAnswer(Answer):
    """A line that names no seed."""

    line: int
    text: str
    reason: str


class SeedListAnswer(Answer):
    """What became of a list."""

    done: bool
    good: int = Field(description="Lines that name a new seed.")
    added: list[Id]
    faults: list[BadLineAnswer]

"""The enumerations of curation that pages, API and commands show; nobody else imports its tables."""

from opilio.curation.models import (
    AccessZone,
    Advice,
    Channel,
    CredentialKind,
    DepositoryKind,
    DepositState,
    HarvestAs,
    HarvestState,
    Linked,
    MissingFrom,
    NominationState,
    ObjectType,
    PatchState,
    PatternUse,
    PermissionStatus,
    Priority,
    ProfileStatus,
    Purpose,
    ResultState,
    State,
    TakedownLevel,
    TakedownState,
    TemplateKind,
    Verdict,
)
from opilio.curation.models.dublin_core import ELEMENTS

__all__ = [
    "ELEMENTS", "AccessZone", "Advice", "Channel", "CredentialKind", "DepositState", "DepositoryKind", "HarvestAs",
    "HarvestState", "Linked", "MissingFrom", "NominationState", "ObjectType", "PatchState", "PatternUse",
    "PermissionStatus", "Priority", "ProfileStatus", "Purpose", "ResultState", "State", "TakedownLevel",
    "TakedownState", "TemplateKind", "Verdict", "result_tone_of", "tone_of",
]  # fmt: skip

_TONES = {
    State.APPROVED: "good", State.GROUP_ACTIVE: "good", State.NOMINATED: "info", State.REINSTATED: "info",
    State.REJECTED: "bad", State.CANCELLED: "bad", State.GROUP_INACTIVE: "bad",
}  # fmt: skip


def tone_of(state: int) -> str:
    """The tone of a state's badge."""
    return _TONES.get(State(state), "quiet")


_RESULT_TONES = {
    ResultState.ENDORSED: "good", ResultState.REJECTED: "bad", ResultState.ABORTED: "bad",
    ResultState.UNASSESSED: "info",
}  # fmt: skip


def result_tone_of(state: int) -> str:
    """The tone of the badge of a result's state."""
    return _RESULT_TONES.get(ResultState(state), "quiet")

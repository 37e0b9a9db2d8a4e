"""The enumerations of curation that pages, API and commands show; nobody else imports its tables."""

from opilio.curation.models import (
    AccessZone,
    Channel,
    CredentialKind,
    HarvestAs,
    HarvestState,
    Linked,
    NominationState,
    ObjectType,
    PatternUse,
    PermissionStatus,
    Priority,
    ProfileStatus,
    Purpose,
    State,
    TemplateKind,
)
from opilio.curation.models.dublin_core import ELEMENTS

__all__ = [
    "ELEMENTS", "AccessZone", "Channel", "CredentialKind", "HarvestAs", "HarvestState", "Linked", "NominationState",
    "ObjectType", "PatternUse", "PermissionStatus", "Priority", "ProfileStatus", "Purpose", "State", "TemplateKind",
    "tone_of",
]  # fmt: skip

_TONES = {
    State.APPROVED: "good", State.GROUP_ACTIVE: "good", State.NOMINATED: "info", State.REINSTATED: "info",
    State.REJECTED: "bad", State.CANCELLED: "bad", State.GROUP_INACTIVE: "bad",
}  # fmt: skip


def tone_of(state: int) -> str:
    """The tone of a state's badge."""
    return _TONES.get(State(state), "quiet")

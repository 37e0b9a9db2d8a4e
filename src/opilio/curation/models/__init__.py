"""The tables of curation."""

from opilio.curation.models.authorisation import Authorisation, AuthorisationAgent, AuthorisingAgent, UrlPattern
from opilio.curation.models.bandwidth import BandwidthRestriction, Day
from opilio.curation.models.bulk import BulkItem, BulkRun, BulkState, Outcome
from opilio.curation.models.collected import AbstractTarget, AccessZone, ObjectType, State
from opilio.curation.models.deposit import Deposit, Depository, DepositoryKind, DepositState, FixityCheck
from opilio.curation.models.dublin_core import DublinCore
from opilio.curation.models.group import Group, GroupMember, HarvestAs
from opilio.curation.models.harvest import Harvest, HarvestState, Priority
from opilio.curation.models.harvest_live import HarvestChanges, HarvestLive
from opilio.curation.models.harvest_parts import (
    AgentRule,
    AgentRuleAgency,
    HarvestEvent,
    HarvestFigures,
    HarvestFile,
    HarvestOrder,
    Snapshot,
    SnapshotPart,
)
from opilio.curation.models.overrides import Credential, CredentialKind, OverridePattern, Overrides, PatternUse
from opilio.curation.models.permission import (
    PatternMapping,
    Permission,
    PermissionExclusion,
    PermissionPattern,
    PermissionStatus,
)
from opilio.curation.models.profile import Profile, ProfileStatus, ProfileVersion
from opilio.curation.models.quality import Advice, Assessment, Flag, Indicator, IndicatorValue, ReviewPolicy
from opilio.curation.models.requests import (
    Channel,
    Communication,
    Invitation,
    Nomination,
    NominationState,
    PermissionTemplate,
    Purpose,
    TemplateKind,
)
from opilio.curation.models.result import (
    ImportedResource,
    MissingFrom,
    MissingUrl,
    ModificationNote,
    PageVerdict,
    PatchState,
    PreservationEvent,
    Result,
    ResultState,
    Verdict,
)
from opilio.curation.models.schedule import Schedule, SchedulePattern
from opilio.curation.models.seed import Linked, Seed, SeedPermission
from opilio.curation.models.takedown import (
    Publication,
    ReadingRoom,
    Takedown,
    TakedownLevel,
    TakedownProof,
    TakedownState,
)
from opilio.curation.models.target import Approval, ExcludedUrl, RejectionReason, Target
from opilio.curation.models.wct import ImportState, WctIdentity, WctImport

__all__ = [
    "AbstractTarget",
    "AccessZone",
    "Advice",
    "AgentRule",
    "AgentRuleAgency",
    "Approval",
    "Assessment",
    "Authorisation",
    "AuthorisationAgent",
    "AuthorisingAgent",
    "BandwidthRestriction",
    "BulkItem",
    "BulkRun",
    "BulkState",
    "Channel",
    "Communication",
    "Credential",
    "CredentialKind",
    "Day",
    "Deposit",
    "DepositState",
    "Depository",
    "DepositoryKind",
    "DublinCore",
    "ExcludedUrl",
    "FixityCheck",
    "Flag",
    "Group",
    "GroupMember",
    "Harvest",
    "HarvestAs",
    "HarvestChanges",
    "HarvestEvent",
    "HarvestFigures",
    "HarvestFile",
    "HarvestLive",
    "HarvestOrder",
    "HarvestState",
    "ImportState",
    "ImportedResource",
    "Indicator",
    "IndicatorValue",
    "Invitation",
    "Linked",
    "MissingFrom",
    "MissingUrl",
    "ModificationNote",
    "Nomination",
    "NominationState",
    "ObjectType",
    "Outcome",
    "OverridePattern",
    "Overrides",
    "PageVerdict",
    "PatchState",
    "PatternMapping",
    "PatternUse",
    "Permission",
    "PermissionExclusion",
    "PermissionPattern",
    "PermissionStatus",
    "PermissionTemplate",
    "PreservationEvent",
    "Priority",
    "Profile",
    "ProfileStatus",
    "ProfileVersion",
    "Publication",
    "Purpose",
    "ReadingRoom",
    "RejectionReason",
    "Result",
    "ResultState",
    "ReviewPolicy",
    "Schedule",
    "SchedulePattern",
    "Seed",
    "SeedPermission",
    "Snapshot",
    "SnapshotPart",
    "State",
    "Takedown",
    "TakedownLevel",
    "TakedownProof",
    "TakedownState",
    "Target",
    "TemplateKind",
    "UrlPattern",
    "Verdict",
    "WctIdentity",
    "WctImport",
]  # fmt: skip

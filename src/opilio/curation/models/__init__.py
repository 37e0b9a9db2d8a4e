"""The tables of curation."""

from opilio.curation.models.authorisation import Authorisation, AuthorisationAgent, AuthorisingAgent, UrlPattern
from opilio.curation.models.bandwidth import BandwidthRestriction, Day
from opilio.curation.models.bulk import BulkItem, BulkRun, BulkState, Outcome
from opilio.curation.models.collected import AbstractTarget, AccessZone, ObjectType, State
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
from opilio.curation.models.schedule import Schedule, SchedulePattern
from opilio.curation.models.seed import Linked, Seed, SeedPermission
from opilio.curation.models.target import Approval, ExcludedUrl, RejectionReason, Target
from opilio.curation.models.wct import ImportState, WctIdentity, WctImport

__all__ = [
    "AbstractTarget",
    "AccessZone",
    "AgentRule",
    "AgentRuleAgency",
    "Approval",
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
    "DublinCore",
    "ExcludedUrl",
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
    "Invitation",
    "Linked",
    "Nomination",
    "NominationState",
    "ObjectType",
    "Outcome",
    "OverridePattern",
    "Overrides",
    "PatternMapping",
    "PatternUse",
    "Permission",
    "PermissionExclusion",
    "PermissionPattern",
    "PermissionStatus",
    "PermissionTemplate",
    "Priority",
    "Profile",
    "ProfileStatus",
    "ProfileVersion",
    "Purpose",
    "RejectionReason",
    "Schedule",
    "SchedulePattern",
    "Seed",
    "SeedPermission",
    "Snapshot",
    "SnapshotPart",
    "State",
    "Target",
    "TemplateKind",
    "UrlPattern",
    "WctIdentity",
    "WctImport",
]  # fmt: skip

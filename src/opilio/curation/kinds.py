"""The kinds of curation's rows, for what works on any curated row: delete, restore, annotate, audit."""

from typing import Any

from opilio.curation import keeping
from opilio.curation.models import (
    AgentRule,
    Authorisation,
    AuthorisingAgent,
    BandwidthRestriction,
    Credential,
    Deposit,
    Depository,
    DublinCore,
    ExcludedUrl,
    Flag,
    Group,
    Harvest,
    Indicator,
    MissingUrl,
    Nomination,
    ObjectType,
    Overrides,
    PageVerdict,
    Permission,
    PermissionExclusion,
    PermissionTemplate,
    Profile,
    ReadingRoom,
    RejectionReason,
    Result,
    ReviewPolicy,
    Schedule,
    SchedulePattern,
    Seed,
    Takedown,
    Target,
    UrlPattern,
)
from opilio.people.kinds import Kind, Ruled, register
from opilio.people.privileges import SYSTEM_WIDE, Privilege, Subject

_GROUP = ObjectType.GROUP


def _owned(row: Any) -> Subject:
    return Subject(agency=row.agency_id, owner=row.owner_id)


def _of_agency(row: Any) -> Subject:
    return Subject(agency=row.agency_id)


def _of_target(row: Any) -> Subject:
    return _owned(row.target)


def _of_overrides(row: Any) -> Subject:
    """Overrides belong to the target, group or harvest that has them."""
    holder = getattr(row, "target", None) or getattr(row, "harvest", None)
    return _owned(holder) if holder is not None else SYSTEM_WIDE


def _of_harvest(row: Any) -> Subject:
    return _owned(row.harvest)


TARGET = register(Kind(
    name="target", label="Target", plural="Targets", model=Target, privilege=Privilege.DELETE_TARGET, subject=_owned,
    agency_path="agency_id", owner_path="owner_id", owner_may=False, noted=Privilege.MODIFY_TARGET,
    needed=keeping.target_needed, follow=keeping.target_followed,
))  # fmt: skip
GROUP = register(Kind(
    name="group", label="Group", plural="Groups", model=Group, privilege=Privilege.MANAGE_GROUP, subject=_owned,
    agency_path="agency_id", owner_path="owner_id", owner_may=False,
    needed=keeping.group_needed, follow=keeping.group_followed,
))  # fmt: skip
SEED = register(Kind(
    name="seed", label="Seed", plural="Seeds", model=Seed, privilege=Privilege.MODIFY_TARGET, subject=_of_target,
    agency_path="target__agency_id", owner_path="target__owner_id", owner_may=False, annotated=False,
    needed=keeping.seed_needed, follow=keeping.seed_followed,
))  # fmt: skip
EXCLUDED_URL = register(Kind(
    name="excluded-url", label="Excluded URL", plural="Excluded URLs", model=ExcludedUrl,
    privilege=Privilege.MODIFY_TARGET, subject=_of_target, agency_path="target__agency_id",
    owner_path="target__owner_id", owner_may=False, annotated=False, follow=keeping.excluded_url_followed,
))  # fmt: skip
DUBLIN_CORE = register(Kind(
    name="dublin-core", label="Description", plural="Descriptions", model=DublinCore,
    privilege=Privilege.MODIFY_TARGET, subject=_of_overrides, agency_path="target__agency_id",
    owner_path="target__owner_id", owner_may=False, annotated=False,
    needed=lambda row: "it is part of its target or group.",
))  # fmt: skip
REJECTION_REASON = register(Kind(
    name="rejection-reason", label="Rejection reason", plural="Rejection reasons", model=RejectionReason,
    privilege=Privilege.MANAGE_REASONS, subject=_of_agency, agency_path="agency_id", annotated=False,
))  # fmt: skip
NOMINATION = register(Kind(
    name="nomination", label="Nomination", plural="Nominations", model=Nomination, privilege=Privilege.APPROVE_TARGET,
    subject=_of_agency, agency_path="agency_id", noted=Privilege.CREATE_TARGET,
))  # fmt: skip
AUTHORISATION = register(Kind(
    name="authorisation", label="Authorisation", plural="Authorisations", model=Authorisation,
    privilege=Privilege.MODIFY_SITE, subject=_of_agency, agency_path="agency_id",
    needed=keeping.authorisation_needed, follow=keeping.authorisation_followed,
))  # fmt: skip
AUTHORISING_AGENT = register(Kind(
    name="authorising-agent", label="Authorising agent", plural="Authorising agents", model=AuthorisingAgent,
    privilege=Privilege.MODIFY_SITE, subject=_of_agency, agency_path="agency_id", needed=keeping.agent_needed,
))  # fmt: skip
URL_PATTERN = register(Kind(
    name="url-pattern", label="URL pattern", plural="URL patterns", model=UrlPattern, privilege=Privilege.MODIFY_SITE,
    subject=lambda row: _of_agency(row.authorisation), agency_path="authorisation__agency_id", annotated=False,
    needed=keeping.pattern_needed,
))  # fmt: skip
PERMISSION = register(Kind(
    name="permission", label="Permission", plural="Permissions", model=Permission,
    privilege=Privilege.MODIFY_PERMISSION, subject=_of_agency, agency_path="agency_id",
    needed=keeping.permission_needed, follow=keeping.permission_followed,
))  # fmt: skip
PERMISSION_EXCLUSION = register(Kind(
    name="permission-exclusion", label="Exclusion", plural="Exclusions", model=PermissionExclusion,
    privilege=Privilege.MODIFY_PERMISSION, subject=lambda row: _of_agency(row.permission),
    agency_path="permission__agency_id", annotated=False,
))  # fmt: skip
PERMISSION_TEMPLATE = register(Kind(
    name="permission-template", label="Permission template", plural="Permission templates", model=PermissionTemplate,
    privilege=Privilege.PERMISSION_REQUEST_TEMPLATE, subject=_of_agency, agency_path="agency_id", annotated=False,
))  # fmt: skip
PROFILE = register(Kind(
    name="profile", label="Profile", plural="Profiles", model=Profile, privilege=Privilege.MANAGE_PROFILES,
    subject=_of_agency, agency_path="agency_id", needed=keeping.profile_needed,
))  # fmt: skip
OVERRIDES = register(Kind(
    name="overrides", label="Overrides", plural="Overrides", model=Overrides, privilege=Privilege.MODIFY_TARGET,
    subject=_of_overrides, agency_path="target__agency_id", owner_path="target__owner_id", owner_may=False,
    annotated=False, needed=lambda row: "they are part of their target, group or harvest.",
))  # fmt: skip
CREDENTIAL = register(Kind(
    name="credential", label="Credential", plural="Credentials", model=Credential, privilege=Privilege.MODIFY_TARGET,
    subject=lambda row: _of_overrides(row.overrides), agency_path="overrides__target__agency_id",
    owner_path="overrides__target__owner_id", owner_may=False, annotated=False, needed=keeping.credential_needed,
    ruled=(Ruled(privilege=Privilege.MANAGE_GROUP_OVERRIDES, where={"overrides__target__object_type": _GROUP}),),
))  # fmt: skip
SCHEDULE_PATTERN = register(Kind(
    name="schedule-pattern", label="Schedule pattern", plural="Schedule patterns", model=SchedulePattern,
    privilege=Privilege.CONFIGURE_PARAMETERS, subject=lambda row: SYSTEM_WIDE, annotated=False,
))  # fmt: skip
SCHEDULE = register(Kind(
    name="schedule", label="Schedule", plural="Schedules", model=Schedule, privilege=Privilege.ADD_SCHEDULE_TO_TARGET,
    subject=lambda row: _owned(row.abstract_target), agency_path="abstract_target__agency_id",
    owner_path="abstract_target__owner_id", owner_may=False, annotated=False, follow=keeping.schedule_followed,
    ruled=(Ruled(privilege=Privilege.MANAGE_GROUP_SCHEDULE, where={"abstract_target__object_type": _GROUP}),),
))  # fmt: skip
HARVEST = register(Kind(
    name="harvest", label="Harvest", plural="Harvests", model=Harvest, privilege=Privilege.MANAGE_TARGET_INSTANCES,
    subject=_owned, agency_path="agency_id", owner_path="owner_id", owner_may=False, needed=keeping.harvest_needed,
    follow=keeping.harvest_followed,
))  # fmt: skip
AGENT_RULE = register(Kind(
    name="agent-rule", label="Rule of an agent", plural="Rules of agents", model=AgentRule,
    privilege=Privilege.MANAGE_WEB_HARVESTER, subject=lambda row: SYSTEM_WIDE, annotated=False,
))  # fmt: skip
BANDWIDTH_RESTRICTION = register(Kind(
    name="bandwidth-restriction", label="Bandwidth restriction", plural="Bandwidth restrictions",
    model=BandwidthRestriction, privilege=Privilege.MANAGE_WEB_HARVESTER, subject=lambda row: SYSTEM_WIDE,
    annotated=False,
))  # fmt: skip
RESULT = register(Kind(
    name="result", label="Result", plural="Results", model=Result, privilege=Privilege.ENDORSE_HARVEST,
    subject=_of_harvest, agency_path="harvest__agency_id", owner_path="harvest__owner_id", owner_may=False,
    needed=lambda row: "it is part of its harvest; undo or reject it instead.",
))  # fmt: skip
MISSING_URL = register(Kind(
    name="missing-url", label="Missing URL", plural="Missing URLs", model=MissingUrl,
    privilege=Privilege.ENDORSE_HARVEST, subject=_of_harvest, agency_path="harvest__agency_id",
    owner_path="harvest__owner_id", owner_may=False, annotated=False,
))  # fmt: skip
PAGE_VERDICT = register(Kind(
    name="page-verdict", label="Verdict", plural="Verdicts", model=PageVerdict, privilege=Privilege.ENDORSE_HARVEST,
    subject=_of_harvest, agency_path="harvest__agency_id", owner_path="harvest__owner_id", owner_may=False,
    annotated=False,
))  # fmt: skip
INDICATOR = register(Kind(
    name="indicator", label="Indicator", plural="Indicators", model=Indicator, privilege=Privilege.MANAGE_INDICATORS,
    subject=_of_agency, agency_path="agency_id", annotated=False,
))  # fmt: skip
REVIEW_POLICY = register(Kind(
    name="review-policy", label="Review policy", plural="Review policies", model=ReviewPolicy,
    privilege=Privilege.MANAGE_INDICATORS, subject=_of_agency, agency_path="agency_id", annotated=False,
    needed=lambda row: "it is part of its agency; switch its rules off instead.",
))  # fmt: skip
FLAG = register(Kind(
    name="flag", label="Flag", plural="Flags", model=Flag, privilege=Privilege.MANAGE_FLAGS, subject=_of_agency,
    agency_path="agency_id", annotated=False,
))  # fmt: skip
DEPOSITORY = register(Kind(
    name="depository", label="Depository", plural="Depositories", model=Depository,
    privilege=Privilege.CONFIGURE_PARAMETERS, subject=lambda row: SYSTEM_WIDE,
))  # fmt: skip
DEPOSIT = register(Kind(
    name="deposit", label="Deposit", plural="Deposits", model=Deposit, privilege=Privilege.ARCHIVE_HARVEST,
    subject=_of_harvest, agency_path="harvest__agency_id", owner_path="harvest__owner_id", owner_may=False,
    annotated=False, needed=lambda row: "it tells what was handed over, and stays.",
))  # fmt: skip
TAKEDOWN = register(Kind(
    name="takedown", label="Takedown", plural="Takedowns", model=Takedown, privilege=Privilege.TAKEDOWN,
    subject=_of_agency, agency_path="agency_id", needed=lambda row: "it is a legal record; lift it instead.",
))  # fmt: skip
READING_ROOM = register(Kind(
    name="reading-room", label="Reading room", plural="Reading rooms", model=ReadingRoom,
    privilege=Privilege.MANAGE_AGENCIES, subject=_of_agency, agency_path="agency_id", annotated=False,
))  # fmt: skip

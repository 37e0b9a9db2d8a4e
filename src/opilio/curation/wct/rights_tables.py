"""Authorisations, patterns, authorising agents, permissions and letters (seed D §3.2.3, §3.2.6)."""

import datetime
from typing import Any

from opilio.curation.models import (
    Authorisation,
    AuthorisationAgent,
    AuthorisingAgent,
    Linked,
    PatternMapping,
    Permission,
    PermissionExclusion,
    PermissionPattern,
    PermissionStatus,
    PermissionTemplate,
    SeedPermission,
    TemplateKind,
    UrlPattern,
)
from opilio.curation.pattern_reading import BadPattern, parse_pattern
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.tables import Column, Table, Taken, Unique
from opilio.curation.wct.taking import Taking
from opilio.curation.wct.values import DAY, FLAG, MOMENT, NUMBER
from opilio.people.foreign_tables import Agency


def _agencies_of_agents(taking: Taking) -> dict[str, str]:
    """For each authorising agent of the dump, the agency of the first authorisation that names it."""
    if "agents" not in taking.memory:
        owners = {row.cells.get("ST_OID"): row.cells.get("ST_OWNING_AGENCY_ID") for row in taking.spool.rows("SITE")}
        found: dict[str, str] = {}
        for row in taking.spool.rows("SITE_AUTH_AGENCY"):
            agent, agency = row.cells.get("SA_AGENT_ID"), owners.get(row.cells.get("SA_SITE_ID"))
            if agent and agency:
                found.setdefault(agent, agency)
        for row in taking.spool.rows("PERMISSION"):
            agent, agency = row.cells.get("PE_AUTH_AGENT_ID"), row.cells.get("PE_OWNING_AGENCY_ID")
            if agent and agency:
                found.setdefault(agent, agency)
        taking.memory["agents"] = found
    agents: dict[str, str] = taking.memory["agents"]
    return agents


def _agent(taking: Taking, draft: Draft) -> None:
    found = _agencies_of_agents(taking).get(draft.cells.get("AA_OID") or "")
    agency = taking.memory["agency places"].get(found) if found else None
    if agency is None:
        agency = Agency._base_manager.filter(deleted=False).order_by("id").values_list("id", flat=True).first()
        taking.note(draft, "no authorisation names it; it came to the first agency")
    if agency is None:
        raise Refused("there is no agency that it could belong to")
    draft.values["agency_id"] = agency


def _pattern(taking: Taking, draft: Draft) -> None:
    try:
        parse_pattern(draft.values["pattern"])
    except BadPattern as error:
        raise Refused(f"the pattern cannot be used: {error.what}", column="UP_PATTERN") from error


def _permission(taking: Taking, draft: Draft) -> None:
    values = draft.values
    if values["agency_id"] is None:
        values["agency_id"] = Authorisation._base_manager.values_list("agency_id", flat=True).get(
            pk=values["authorisation_id"]
        )
        taking.note(draft, "it belongs to the agency of its authorisation", "PE_OWNING_AGENCY_ID")
    if values["start_date"] is None:
        day = values["created"] or taking.at
        values["start_date"] = day.astimezone(taking.zone).date()
        taking.note(draft, "it holds from the day on which it was made", "PE_START_DATE")
    if values["end_date"] is not None and values["end_date"] < values["start_date"]:
        raise Refused("it ends before it begins", column="PE_END_DATE")
    for name in ("PE_START_DATE", "PE_END_DATE", "PE_OPEN_ACCESS_DATE"):
        _whole_day(taking, draft, name)
    met(taking, "access-status", values["access_status"])


def _whole_day(taking: Taking, draft: Draft, name: str) -> None:
    text = draft.cells.get(name)
    moment = MOMENT.read(text, taking.zone) if text else None
    if moment is not None and moment.astimezone(taking.zone).time() != datetime.time():
        taking.note(draft, "the time of day was dropped; a permission holds for whole days", name)


def met(taking: Taking, list_name: str, value: Any) -> None:
    """Note a value of a constrained list, so that the list offers it afterwards."""
    if value:
        taking.listed.setdefault(list_name, set()).add(str(value))


def _mapped(taking: Taking, draft: Draft) -> None:
    domain = _domains(taking)[draft.values["pattern_id"]]
    if not domain:
        raise Refused("its authorisation is not active; the look-up is made when it is")
    if domain != draft.values["domain"]:
        taking.note(draft, f"the domain is derived from the pattern: {domain}", "UPM_DOMAIN")
    draft.values["domain"] = domain


def _domains(taking: Taking) -> dict[int, str]:
    """For every pattern its key in the look-up; empty where its authorisation is not active."""
    if "domains" not in taking.memory:
        rows = UrlPattern._base_manager.values_list("id", "pattern", "authorisation__active").iterator()
        taking.memory["domains"] = {pk: parse_pattern(text).domain if active else "" for pk, text, active in rows}
    found: dict[int, str] = taking.memory["domains"]
    return found


def _linked(taking: Taking, draft: Draft) -> None:
    draft.values |= {"linked": Linked.IMPORT, "at": taking.at, "by_id": taking.by}


SITE = Table(
    name="SITE", model=Authorisation, key="ST_OID", rows=Authorisation.objects.all,
    columns=(
        Column(name="ST_TITLE", field="title", need=True), Column(name="ST_DESC", field="description"),
        Column(name="ST_LIBRARY_ORDER_NO", field="order_number"), Column(name="ST_NOTES", field="notes"),
        Column(name="ST_PUBLISHED", field="published", kind=FLAG, blank=False),
        Column(name="ST_ACTIVE", field="active", kind=FLAG, blank=True),
        Column(name="ST_OWNING_AGENCY_ID", field="agency_id", ref="AGENCY", need=True),
    ),
)  # fmt: skip
URL_PATTERN = Table(
    name="URL_PATTERN", model=UrlPattern, key="UP_OID", prepare=_pattern, rows=UrlPattern.objects.all,
    unique=Unique(fields=("authorisation_id", "pattern"), taken=Taken.JOIN),
    columns=(
        Column(name="UP_PATTERN", field="pattern", need=True),
        Column(name="UP_SITE_ID", field="authorisation_id", ref="SITE", need=True),
    ),
)  # fmt: skip
AUTHORISING_AGENT = Table(
    name="AUTHORISING_AGENT", model=AuthorisingAgent, key="AA_OID", prepare=_agent, rows=AuthorisingAgent.objects.all,
    aliases={"AA_ADDRESS": "AA_ADRESS"},
    columns=(
        Column(name="AA_NAME", field="name", need=True), Column(name="AA_ADRESS", field="address"),
        Column(name="AA_CONTACT", field="contact"), Column(name="AA_EMAIL", field="email"),
        Column(name="AA_PHONE_NUMBER", field="phone"), Column(name="AA_DESC", field="description"),
    ),
)  # fmt: skip
SITE_AUTH_AGENCY = Table(
    name="SITE_AUTH_AGENCY", model=AuthorisationAgent, natural=("authorisation_id", "agent_id"),
    rows=lambda: AuthorisationAgent.objects.filter(authorisation__deleted=False, agent__deleted=False),
    columns=(
        Column(name="SA_SITE_ID", field="authorisation_id", ref="SITE", need=True),
        Column(name="SA_AGENT_ID", field="agent_id", ref="AUTHORISING_AGENT", need=True),
    ),
)  # fmt: skip
PERMISSION = Table(
    name="PERMISSION", model=Permission, key="PE_OID", prepare=_permission, rows=Permission.objects.all,
    columns=(
        Column(name="PE_ACCESS_STATUS", field="access_status"),
        Column(name="PE_APPROVED_YN", field="approved_flag", kind=FLAG, blank=False),
        Column(name="PE_AVAILABLE_YN", field="available", kind=FLAG, blank=False),
        Column(name="PE_COPYRIGHT_STATEMENT", field="copyright_statement"),
        Column(name="PE_COPYRIGHT_URL", field="copyright_url"),
        Column(name="PE_CREATION_DATE", field="created", kind=MOMENT, blank=None),
        Column(name="PE_END_DATE", field="end_date", kind=DAY, blank=None), Column(name="PE_NOTES", field="notes"),
        Column(name="PE_OPEN_ACCESS_DATE", field="open_access_date", kind=DAY, blank=None),
        Column(name="PE_PERMISSION_GRANTED_DATE", field="decided_at", kind=MOMENT, blank=None),
        Column(name="PE_PERMISSION_REQUESTED_DATE", field="requested_at", kind=MOMENT, blank=None),
        Column(name="PE_SPECIAL_REQUIREMENTS", field="special_requirements"),
        Column(name="PE_START_DATE", field="start_date", kind=DAY, blank=None),
        Column(name="PE_STATUS", field="status", kind=NUMBER, blank=PermissionStatus.PENDING,
               codes={str(one.value): one.value for one in PermissionStatus}),
        Column(name="PE_AUTH_AGENT_ID", field="agent_id", ref="AUTHORISING_AGENT", need=True),
        Column(name="PE_SITE_ID", field="authorisation_id", ref="SITE", need=True),
        Column(name="PE_QUICK_PICK", field="quick_pick", kind=FLAG, blank=False),
        Column(name="PE_DISPLAY_NAME", field="display_name"),
        Column(name="PE_OWNING_AGENCY_ID", field="agency_id", ref="AGENCY"),
        Column(name="PE_FILE_REFERENCE", field="file_reference"),
    ),
)  # fmt: skip
PERMISSION_URLPATTERN = Table(
    name="PERMISSION_URLPATTERN", model=PermissionPattern, natural=("permission_id", "pattern_id"),
    rows=lambda: PermissionPattern.objects.filter(permission__deleted=False, pattern__deleted=False),
    columns=(
        Column(name="PU_URLPATTERN_ID", field="pattern_id", ref="URL_PATTERN", need=True),
        Column(name="PU_PERMISSION_ID", field="permission_id", ref="PERMISSION", need=True),
    ),
)  # fmt: skip
PERMISSION_EXCLUSION = Table(
    name="PERMISSION_EXCLUSION", model=PermissionExclusion, key="PEX_OID", rows=PermissionExclusion.objects.all,
    columns=(
        Column(name="PEX_REASON", field="reason"), Column(name="PEX_URL", field="url", need=True),
        Column(name="PEX_PERMISSION_OID", field="permission_id", ref="PERMISSION", need=True),
        Column(name="PEX_INDEX", field="position", kind=NUMBER, blank=0),
    ),
)  # fmt: skip
SEED_PERMISSION = Table(
    name="SEED_PERMISSION", model=SeedPermission, natural=("seed_id", "permission_id"), prepare=_linked,
    rows=lambda: SeedPermission.objects.filter(seed__deleted=False, permission__deleted=False),
    columns=(
        Column(name="SP_SEED_ID", field="seed_id", ref="SEED", need=True),
        Column(name="SP_PERMISSION_ID", field="permission_id", ref="PERMISSION", need=True),
    ),
)  # fmt: skip
URL_PERMISSION_MAPPING = Table(
    name="URL_PERMISSION_MAPPING", model=PatternMapping, key="UPM_OID", prepare=_mapped,
    unique=Unique(fields=("permission_id", "pattern_id"), taken=Taken.JOIN),
    columns=(
        Column(name="UPM_PERMISSION_ID", field="permission_id", ref="PERMISSION", need=True),
        Column(name="UPM_URL_PATTERN_ID", field="pattern_id", ref="URL_PATTERN", need=True),
        Column(name="UPM_DOMAIN", field="domain"),
    ),
)  # fmt: skip
PERMISSION_TEMPLATE = Table(
    name="PERMISSION_TEMPLATE", model=PermissionTemplate, key="PRT_OID", rows=PermissionTemplate.objects.all,
    unique=Unique(fields=("agency_id", "name"), taken=Taken.RENAME),
    columns=(
        Column(name="PRT_AGC_OID", field="agency_id", ref="AGENCY", need=True),
        Column(name="PRT_TEMPLATE_TEXT", field="text"), Column(name="PRT_TEMPLATE_NAME", field="name", need=True),
        Column(name="PRT_TEMPLATE_TYPE", field="kind", blank=TemplateKind.EMAIL,
               codes={one.value: one.value for one in TemplateKind}),
        Column(name="PRT_TEMPLATE_DESC", field="description"),
    ),
)  # fmt: skip

"""Profiles, overrides and credentials (seed D §3.2.4)."""

import re
from typing import Any

import re2

from opilio.curation import credentials
from opilio.curation.models import (
    Credential,
    CredentialKind,
    OverridePattern,
    Overrides,
    PatternUse,
    Profile,
    ProfileStatus,
)
from opilio.curation.models.overrides import RobotsChoice
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.tables import Column, Table, Taken, Unique
from opilio.curation.wct.taking import Taking
from opilio.curation.wct.values import FLAG, NUMBER

SECRETS = "PC_PASSWORD"  # the column that is written only when asked for
_LIMITS = {
    "max_bytes": "PO_MAX_BYTES", "max_documents": "PO_MAX_DOCS", "max_hops": "PO_MAX_HOPS",
    "max_path_depth": "PO_MAX_PATH_DEPTH", "max_seconds": "PO_MAX_TIME_SEC",
}  # fmt: skip
_LARGEST_SMALL = 2**31 - 1
_HTTP = (CredentialKind.BASIC, CredentialKind.DIGEST, CredentialKind.NEGOTIATE)
_ROBOTS_BACK = {RobotsChoice.OBEY.value: "classic", RobotsChoice.IGNORE.value: "ignore"}


def _profile(taking: Taking, draft: Draft) -> None:
    values = draft.values
    values["settings"] = {}
    if not 1 <= values["level"] <= 3:
        taking.note(draft, f"the level {values['level']} became {min(max(values['level'], 1), 3)}", "P_PROFILE_LEVEL")
        values["level"] = min(max(values["level"], 1), 3)
    if values["version"] < 1:
        values["version"] = 1
    if values["foreign_document"]:
        reason = "the Heritrix profile is kept, but does not steer our crawls: they start from the defaults"
        taking.note(draft, reason, "P_PROFILE_STRING")
    if values["is_default"] and not _first_default(taking, draft):
        values["is_default"] = False
        taking.note(draft, "its agency has a default profile already", "P_DEFAULT")


def _first_default(taking: Taking, draft: Draft) -> bool:
    """Whether the agency has no other default profile, of the dump or from before."""
    agency = draft.values["agency_id"]
    chosen: dict[int, int | None] = taking.memory.setdefault("defaults", {})
    others = Profile.objects.filter(agency_id=agency, is_default=True).exclude(pk=draft.identifier or 0)
    if agency not in chosen and not others.exists():
        chosen[agency] = draft.number
    return chosen.get(agency) == draft.number


def _overrides(taking: Taking, draft: Draft) -> None:
    values = draft.values
    for name, column in _LIMITS.items():
        number = values[name]
        if number is not None and number <= 0:
            taking.note(draft, f"{number} means no limit; left empty", column)
            values[name] = None
        elif number is not None and name in ("max_hops", "max_path_depth") and number > _LARGEST_SMALL:
            taking.note(draft, f"{number} is more than can be counted; left empty", column)
            values[name] = None
    lines = "\n".join(part for part in re.split(r"[,;\s]+", values["excluded_mime_types"]) if part)
    if lines != values["excluded_mime_types"]:
        taking.note(draft, "put on lines of their own", "PO_EXCL_MIME_TYPES")
    values["excluded_mime_types"] = lines


def _expression(use: PatternUse) -> Any:
    def prepare(taking: Taking, draft: Draft) -> None:
        options = re2.Options()
        options.log_errors = False
        try:
            re2.compile(draft.values["expression"], options=options)
        except re2.error as error:
            reason = f"the expression is none that we can use: {str(error)[:200]}"
            raise Refused(reason, column="PEU_FILTER") from error
        draft.values["use"] = use.value

    return prepare


def _credential(taking: Taking, draft: Draft) -> None:
    if draft.identifier is None:
        draft.values["kind"] = CredentialKind.BASIC  # until the table of forms says otherwise


def _seal(draft: Draft) -> None:
    """A secret is bound to the row that holds it."""
    secret = draft.cells.get(SECRETS) or ""
    if draft.identifier is not None:
        draft.values["secret"] = credentials.sealed(draft.identifier, secret) if secret else ""


def _form(taking: Taking, draft: Draft) -> None:
    draft.values["kind"] = CredentialKind.FORM
    draft.values["method"] = draft.values["method"].upper()


PROFILE = Table(
    name="PROFILE", model=Profile, key="P_OID", prepare=_profile, later="P_ORIG_OID", rows=Profile.objects.all,
    unique=Unique(fields=("agency_id", "name"), taken=Taken.RENAME, unless="original_id"),
    columns=(
        Column(name="P_VERSION", field="version", kind=NUMBER, blank=1), Column(name="P_DESC", field="description"),
        Column(name="P_NAME", field="name", need=True), Column(name="P_PROFILE_STRING", field="foreign_document"),
        Column(name="P_PROFILE_LEVEL", field="level", kind=NUMBER, blank=1),
        Column(name="P_STATUS", field="status", kind=NUMBER, blank=ProfileStatus.ACTIVE,
               codes={str(one.value): one.value for one in ProfileStatus}),
        Column(name="P_DEFAULT", field="is_default", kind=FLAG, blank=False),
        Column(name="P_AGENCY_OID", field="agency_id", ref="AGENCY", need=True),
        Column(name="P_ORIG_OID", field="original_id", ref="PROFILE"),
    ),
)  # fmt: skip
PROFILE_OVERRIDES = Table(
    name="PROFILE_OVERRIDES", model=Overrides, key="PO_OID", prepare=_overrides, rows=Overrides.objects.all,
    aliases={"PO_MAX_BYES": "PO_MAX_BYTES", "PO_OR_MAX_BYES": "PO_OR_MAX_BYTES"},
    columns=(
        Column(name="PO_EXCL_MIME_TYPES", field="excluded_mime_types"),
        *(Column(name=name, field=field, kind=NUMBER, blank=None) for field, name in _LIMITS.items()),
        Column(name="PO_ROBOTS_POLICY", field="robots_policy", blank=RobotsChoice.OBEY,
               codes={"classic": RobotsChoice.OBEY, "ignore": RobotsChoice.IGNORE},
               show=lambda row: _ROBOTS_BACK[row.robots_policy]),
        Column(name="PO_OR_CREDENTIALS", field="overrides_credentials", kind=FLAG, blank=False),
        Column(name="PO_OR_EXCL_MIME_TYPES", field="overrides_excluded_mime_types", kind=FLAG, blank=False),
        Column(name="PO_OR_EXCLUSION_URI", field="overrides_exclusions", kind=FLAG, blank=False),
        Column(name="PO_OR_INCLUSION_URI", field="overrides_inclusions", kind=FLAG, blank=False),
        Column(name="PO_OR_MAX_BYTES", field="overrides_max_bytes", kind=FLAG, blank=False),
        Column(name="PO_OR_MAX_DOCS", field="overrides_max_documents", kind=FLAG, blank=False),
        Column(name="PO_OR_MAX_HOPS", field="overrides_max_hops", kind=FLAG, blank=False),
        Column(name="PO_OR_MAX_PATH_DEPTH", field="overrides_max_path_depth", kind=FLAG, blank=False),
        Column(name="PO_OR_MAX_TIME_SEC", field="overrides_max_seconds", kind=FLAG, blank=False),
        Column(name="PO_OR_ROBOTS_POLICY", field="overrides_robots_policy", kind=FLAG, blank=False),
    ),
)  # fmt: skip


def _expressions(name: str, use: PatternUse) -> Table:
    return Table(
        name=name, model=OverridePattern, natural=("overrides_id", "use", "position"), prepare=_expression(use),
        rows=lambda: OverridePattern.objects.filter(use=use, overrides__deleted=False),
        columns=(
            Column(name="PEU_IX", field="position", kind=NUMBER, need=True),
            Column(name="PEU_PROF_OVER_OID", field="overrides_id", ref="PROFILE_OVERRIDES", need=True),
            Column(name="PEU_FILTER", field="expression", need=True),
        ),
    )  # fmt: skip


PO_EXCLUSION_URI = _expressions("PO_EXCLUSION_URI", PatternUse.EXCLUDE)
PO_INCLUSION_URI = _expressions("PO_INCLUSION_URI", PatternUse.INCLUDE)
PROFILE_CREDENTIALS = Table(
    name="PROFILE_CREDENTIALS", model=Credential, key="PC_OID", prepare=_credential, numbered=_seal,
    aliases={"PC_PROFILE_OVERIDE_OID": "PC_PROFILE_OVERRIDE_OID"},
    rows=lambda: Credential.objects.filter(kind__in=[*_HTTP, CredentialKind.FORM]),
    columns=(
        Column(name="PC_DOMAIN", field="domain", need=True),
        Column(name=SECRETS, show=lambda row: credentials.opened(row) if row.secret else ""),
        Column(name="PC_USERNAME", field="username"),
        Column(name="PC_PROFILE_OVERRIDE_OID", field="overrides_id", ref="PROFILE_OVERRIDES", need=True),
        Column(name="PC_INDEX", field="position", kind=NUMBER, blank=0),
    ),
)  # fmt: skip
PROFILE_BASIC_CREDENTIALS = Table(
    name="PROFILE_BASIC_CREDENTIALS", model=Credential, key="PBC_PC_OID", extends="PROFILE_CREDENTIALS",
    rows=lambda: Credential.objects.filter(kind__in=_HTTP),
    columns=(
        Column(name="PBC_PC_OID", ref="PROFILE_CREDENTIALS", need=True, show=lambda row: row.pk),
        Column(name="PBC_REALM", field="realm"),
    ),
)  # fmt: skip
PROFILE_FORM_CREDENTIALS = Table(
    name="PROFILE_FORM_CREDENTIALS", model=Credential, key="PRC_PC_OID", extends="PROFILE_CREDENTIALS", prepare=_form,
    rows=lambda: Credential.objects.filter(kind=CredentialKind.FORM), aliases={"PFC_PC_OID": "PRC_PC_OID"},
    columns=(
        Column(name="PRC_PC_OID", ref="PROFILE_CREDENTIALS", need=True, show=lambda row: row.pk),
        Column(name="PFC_METHOD", field="method"), Column(name="PFC_LOGIN_URI", field="login_url"),
        Column(name="PFC_PASSWORD_FIELD", field="password_field"),
        Column(name="PFC_USERNAME_FIELD", field="username_field"),
    ),
)  # fmt: skip

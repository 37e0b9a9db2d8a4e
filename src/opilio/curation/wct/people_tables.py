"""Agencies, roles, users, the audit trail, sign-ins, tasks, annotations and notifications (seed D §3.2.5 to §3.2.7)."""

import datetime
from typing import Any

from django.contrib.auth.hashers import make_password

from opilio.curation.wct.classes import kind_of, name_of, table_from
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.tables import Column, Table, Taken, Unique
from opilio.curation.wct.taking import Taking
from opilio.curation.wct.values import FLAG, MOMENT, NUMBER
from opilio.people.foreign_tables import (
    Agency,
    Annotation,
    AuditEntry,
    Category,
    Ended,
    Notification,
    Role,
    RolePrivilege,
    SignInSession,
    Task,
    User,
    UserRole,
)
from opilio.people.privilege_list import BY_PRIVILEGE
from opilio.people.privileges import Privilege, Scope

ACTION_PREFIX = "wct."
NOTIFICATION_KIND = "imported"
MESSAGES = {
    "requestApproval": "request-approval", "approveTarget": "approve-target", "endorseHarvest": "endorse-harvest",
    "archiveHarvest": "archive-harvest",
}  # fmt: skip
_MESSAGES_BACK = {ours: theirs for theirs, ours in MESSAGES.items()}
_NO_PASSWORD = "passwords are never taken over; the user must be given a new one"  # noqa: S105 - no password


def agencies_of_users(taking: Taking) -> dict[int, int]:
    """The home agency of every user, asked for once users are taken over."""
    if "agencies" not in taking.memory:
        taking.memory["agencies"] = dict(User._base_manager.values_list("id", "agency_id"))
    found: dict[int, int] = taking.memory["agencies"]
    return found


def _agency(taking: Taking, draft: Draft) -> None:
    draft.values["time_zone"] = taking.zone.key


def _user(taking: Taking, draft: Draft) -> None:
    external = draft.values["external_auth"]
    if not draft.values["force_password_change"] and not external:
        taking.note(draft, "a new password must be chosen at the first sign-in", "USR_FORCE_PWD_CHANGE")
    draft.values |= {
        "password": make_password(None), "force_password_change": not external, "dirty": True, "grants": [],
        "username": draft.values["username"].strip(),
    }  # fmt: skip
    taking.memory.pop("agencies", None)


def _privilege(taking: Taking, draft: Draft) -> None:
    code, scope = draft.values["code"].strip(), draft.values["scope"]
    if code not in {one.value for one in Privilege}:
        raise Refused(f"there is no privilege {code[:64]!r} here", column="PRV_CODE")
    allowed = BY_PRIVILEGE[Privilege(code)].scopes
    if scope not in [one.value for one in allowed]:
        narrower = [one.value for one in allowed if one.value >= scope]
        draft.values["scope"] = min(narrower) if narrower else allowed[-1].value
        became = Scope(draft.values["scope"]).name.lower()
        taking.note(draft, f"the scope {scope} is not offered for {code}; it became {became}", "PRV_SCOPE")
    draft.values["code"] = code


def _audited(taking: Taking, draft: Draft) -> None:
    values = draft.values
    values["action"] = f"{ACTION_PREFIX}{values['action']}"[:64]
    values["subject_type"] = kind_of(values["subject_type"])
    number = draft.cells.get("AUD_SUBJECT_OID")
    values["subject_name"] = f"{values['subject_type']} {number}"[:255] if number else ""
    values["via"] = "system"
    values["agency_name"] = _agency_names(taking).get(values["agency_id"], "")


def _agency_names(taking: Taking) -> dict[int | None, str]:
    if "agency names" not in taking.memory:
        taking.memory["agency names"] = dict(Agency._base_manager.values_list("id", "name"))
    found: dict[int | None, str] = taking.memory["agency names"]
    return found


def _signed_in(taking: Taking, draft: Draft) -> None:
    values = draft.values
    began, ended = values["signed_in_at"], values["signed_out_at"]
    lasted = datetime.timedelta(seconds=min(values["duration_seconds"] or 0, 10**9))
    values["last_seen_at"] = ended or began + lasted
    values["ended"] = Ended.SIGNED_OUT if ended else Ended.EXPIRED
    values["method"] = "password"
    values["session_key"] = values["session_key"] or f"wct-{draft.number}"


def _task(taking: Taking, draft: Draft) -> None:
    values = draft.values
    values["kind"] = MESSAGES.get(values["kind"], values["kind"])
    values["resource_type"] = kind_of(values["resource_type"])
    values["claimed_at"] = values["sent_at"] if values["claimed_by_id"] else None


def _annotation(taking: Taking, draft: Draft) -> None:
    draft.values["subject_type"] = kind_of(draft.values["subject_type"])
    if draft.values["subject_id"] is None:
        raise Refused("it is pinned to nothing that was taken over", column="AN_OBJ_OID")


def _notification(taking: Taking, draft: Draft) -> None:
    draft.values |= {"kind": NOTIFICATION_KIND, "category": Category.GENERAL, "read_at": taking.at}


def _action(row: Any) -> str:
    return str(row.action).removeprefix(ACTION_PREFIX)


AGENCY = Table(
    name="AGENCY", model=Agency, key="AGC_OID", prepare=_agency, unique=Unique(fields=("name",), taken=Taken.JOIN),
    rows=Agency.objects.all,
    columns=(
        Column(name="AGC_NAME", field="name", need=True), Column(name="AGC_ADDRESS", field="address"),
        Column(name="AGC_LOGO_URL", field="logo_url"), Column(name="AGC_URL", field="url"),
        Column(name="AGC_EMAIL", field="email"), Column(name="AGC_FAX", field="fax"),
        Column(name="AGC_PHONE", field="phone"),
    ),
)  # fmt: skip
USER = Table(
    name="WCTUSER", model=User, key="USR_OID", prepare=_user, rows=User.objects.all,
    unique=Unique(fields=("username",), taken=Taken.JOIN, folded=True),
    aliases={"USR_NOTIFIY_ON_GENERAL": "USR_NOTIFY_ON_GENERAL"},
    columns=(
        Column(name="USR_ACTIVE", field="is_active", kind=FLAG, blank=True),
        Column(name="USR_ADDRESS", field="address"), Column(name="USR_EMAIL", field="email"),
        Column(name="USR_EXTERNAL_AUTH", field="external_auth", kind=FLAG, blank=False),
        Column(name="USR_FIRSTNAME", field="first_name"),
        Column(name="USR_FORCE_PWD_CHANGE", field="force_password_change", kind=FLAG, blank=False),
        Column(name="USR_LASTNAME", field="last_name"),
        Column(name="USR_PASSWORD", show=lambda row: None, note=_NO_PASSWORD),
        Column(name="USR_PHONE", field="phone"), Column(name="USR_TITLE", field="title"),
        Column(name="USR_USERNAME", field="username", need=True),
        Column(name="USR_AGC_OID", field="agency_id", ref="AGENCY", need=True),
        Column(name="USR_DEACTIVATE_DATE", field="deactivated_at", kind=MOMENT, blank=None),
        Column(name="USR_NOTIFICATIONS_BY_EMAIL", field="notifications_by_email", kind=FLAG, blank=False),
        Column(name="USR_TASKS_BY_EMAIL", field="tasks_by_email", kind=FLAG, blank=False),
        Column(name="USR_NOTIFY_ON_GENERAL", field="notify_on_general", kind=FLAG, blank=True),
        Column(name="USR_NOTIFY_ON_WARNINGS", field="notify_on_warnings", kind=FLAG, blank=False),
    ),
)  # fmt: skip
ROLE = Table(
    name="WCTROLE", model=Role, key="ROL_OID", rows=Role.objects.all,
    unique=Unique(fields=("agency_id", "name"), taken=Taken.RENAME),
    columns=(
        Column(name="ROL_DESCRIPTION", field="description"), Column(name="ROL_NAME", field="name", need=True),
        Column(name="ROL_AGENCY_OID", field="agency_id", ref="AGENCY", need=True),
    ),
)  # fmt: skip
ROLE_PRIVILEGE = Table(
    name="ROLE_PRIVILEGE", model=RolePrivilege, key="PRV_OID", prepare=_privilege,
    unique=Unique(fields=("role_id", "code"), taken=Taken.JOIN),
    rows=lambda: RolePrivilege.objects.filter(role__deleted=False),
    columns=(
        Column(name="PRV_CODE", field="code", need=True),
        Column(name="PRV_ROLE_OID", field="role_id", ref="WCTROLE", need=True),
        Column(name="PRV_SCOPE", field="scope", kind=NUMBER, need=True),
    ),
)  # fmt: skip
USER_ROLE = Table(
    name="USER_ROLE", model=UserRole, natural=("user_id", "role_id"),
    rows=lambda: UserRole.objects.filter(user__deleted=False, role__deleted=False),
    columns=(
        Column(name="URO_USR_OID", field="user_id", ref="WCTUSER", need=True),
        Column(name="URO_ROL_OID", field="role_id", ref="WCTROLE", need=True),
    ),
)  # fmt: skip
AUDIT = Table(
    name="WCTAUDIT", model=AuditEntry, key="AUD_OID", prepare=_audited, grows=True,
    columns=(
        Column(name="AUD_ACTION", field="action", need=True, show=_action),
        Column(name="AUD_DATE", field="at", kind=MOMENT, need=True),
        Column(name="AUD_FIRSTNAME", field="first_name"), Column(name="AUD_LASTNAME", field="last_name"),
        Column(name="AUD_MESSAGE", field="message"),
        Column(name="AUD_SUBJECT_TYPE", field="subject_type", show=lambda row: name_of(row.subject_type)),
        Column(name="AUD_USERNAME", field="username"),
        Column(name="AUD_USER_OID", field="user_id", ref="WCTUSER"),
        Column(name="AUD_SUBJECT_OID", field="subject_id", ref=table_from("AUD_SUBJECT_TYPE")),
        Column(name="AUD_AGENCY_OID", field="agency_id", ref="AGENCY"),
    ),
)  # fmt: skip
LOGON = Table(
    name="WCT_LOGON_DURATION", model=SignInSession, key="LOGDUR_OID", prepare=_signed_in,
    unique=Unique(fields=("session_key",), taken=Taken.RENAME), rows=lambda: SignInSession.objects.exclude(ended=""),
    columns=(
        Column(name="LOGDUR_DURATION", field="duration_seconds", kind=NUMBER, blank=None),
        Column(name="LOGDUR_LOGON_TIME", field="signed_in_at", kind=MOMENT, need=True),
        Column(name="LOGDUR_LOGOUT_TIME", field="signed_out_at", kind=MOMENT, blank=None),
        Column(name="LOGDUR_USERNAME", field="username"),
        Column(name="LOGDUR_USER_OID", field="user_id", ref="WCTUSER"),
        Column(name="LOGDUR_USER_REALNAME", field="real_name"),
        Column(name="LOGDUR_SESSION_ID", field="session_key"),
    ),
)  # fmt: skip
TASK = Table(
    name="TASK", model=Task, key="TSK_OID", prepare=_task,
    columns=(
        Column(name="TSK_USR_OID", field="claimed_by_id", ref="WCTUSER"),
        Column(name="TSK_MESSAGE", field="message"), Column(name="TSK_SENDER", field="sender"),
        Column(name="TSK_SENT_DATE", field="sent_at", kind=MOMENT, need=True),
        Column(name="TSK_SUBJECT", field="subject"), Column(name="TSK_PRIVILEGE", field="privilege"),
        Column(name="TSK_AGC_OID", field="agency_id", ref="AGENCY", need=True),
        Column(name="TSK_MSG_TYPE", field="kind", show=lambda row: _MESSAGES_BACK.get(row.kind, row.kind)),
        Column(name="TSK_RESOURCE_OID", field="resource_id", ref=table_from("TSK_RESOURCE_TYPE")),
        Column(name="TSK_RESOURCE_TYPE", field="resource_type", show=lambda row: name_of(row.resource_type)),
    ),
)  # fmt: skip
ANNOTATIONS = Table(
    name="ANNOTATIONS", model=Annotation, key="AN_OID", prepare=_annotation, rows=Annotation.objects.all,
    columns=(
        Column(name="AN_DATE", field="at", kind=MOMENT, need=True), Column(name="AN_NOTE", field="note"),
        Column(name="AN_USER_OID", field="author_id", ref="WCTUSER", need=True),
        Column(name="AN_OBJ_OID", field="subject_id", ref=table_from("AN_OBJ_TYPE")),
        Column(name="AN_OBJ_TYPE", field="subject_type", need=True, show=lambda row: name_of(row.subject_type)),
    ),
)  # fmt: skip
NOTIFICATION = Table(
    name="NOTIFICATION", model=Notification, key="NOT_OID", prepare=_notification,
    columns=(
        Column(name="NOT_MESSAGE", field="message"),
        Column(name="NOT_USR_OID", field="user_id", ref="WCTUSER", need=True),
        Column(name="NOT_SENDER", field="sender"),
        Column(name="NOT_SENT_DATE", field="sent_at", kind=MOMENT, need=True),
        Column(name="NOT_SUBJECT", field="subject"),
    ),
)  # fmt: skip

"""Targets, groups, seeds, schedules, harvests and their Dublin Core (seed D §3.2.1, §3.2.2, §3.2.7)."""

from collections.abc import Mapping
from typing import Any

from opilio.curation.cron.errors import BadCron
from opilio.curation.cron.parsing import parse
from opilio.curation.models import (
    AbstractTarget,
    AccessZone,
    DublinCore,
    Group,
    GroupMember,
    Harvest,
    HarvestAs,
    HarvestState,
    ObjectType,
    Priority,
    Schedule,
    Seed,
    State,
    Target,
)
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.people_tables import agencies_of_users
from opilio.curation.wct.rights_tables import met
from opilio.curation.wct.tables import Column, Table, Taken, Unique
from opilio.curation.wct.taking import Taking
from opilio.curation.wct.values import DAY, FLAG, MOMENT, NUMBER
from opilio.curation.wct.writing import CHILD
from opilio.kernel.errors import BadUrl
from opilio.kernel.hosts import host_key

_TARGET_STATES = frozenset(range(State.PENDING, State.COMPLETED + 1))
_GROUP_STATES = frozenset(range(State.GROUP_PENDING, State.GROUP_INACTIVE + 1))
DISPLAY_ORDER: Mapping[str, int] = {
    HarvestState.RUNNING: 1, HarvestState.STOPPING: 10, HarvestState.PAUSED: 20, HarvestState.QUEUED: 30,
    HarvestState.SCHEDULED: 40, HarvestState.HARVESTED: 50, HarvestState.ENDORSED: 60, HarvestState.ABORTED: 70,
    HarvestState.REJECTED: 80, HarvestState.ARCHIVING: 89, HarvestState.ARCHIVED: 90, HarvestState.PATCHING: 100,
}  # fmt: skip
#: What was under way over there cannot go on here.
_SETTLED: Mapping[str, str] = {
    HarvestState.QUEUED: HarvestState.SCHEDULED, HarvestState.RUNNING: HarvestState.ABORTED,
    HarvestState.PAUSED: HarvestState.ABORTED, HarvestState.STOPPING: HarvestState.ABORTED,
    HarvestState.ARCHIVING: HarvestState.ENDORSED, HarvestState.PATCHING: HarvestState.HARVESTED,
}  # fmt: skip
_ELEMENTS = (
    "contributor", "coverage", "creator", "description", "format", "identifier", "identifier_isbn", "identifier_issn",
    "language", "publisher", "relation", "source", "subject", "title", "type",
)  # fmt: skip


def _collected(taking: Taking, draft: Draft) -> None:
    values = draft.values
    group = values["object_type"] == ObjectType.GROUP
    allowed = _GROUP_STATES if group else _TARGET_STATES
    if values["state"] not in allowed:
        raise Refused(f"the state {values['state']} is none of a {'group' if group else 'target'}", column="AT_STATE")
    values["agency_id"] = agencies_of_users(taking)[values["owner_id"]]
    values["created"] = values["created"] or taking.at
    values["state_since"] = values["created"]
    values[CHILD] = Group if group else Target
    _only_once(taking, draft, "overrides_id", "AT_PROF_OVERRIDE_OID")
    _only_once(taking, draft, "dublin_core_id", "AT_DUBLIN_CORE_OID")


def _only_once(taking: Taking, draft: Draft, attribute: str, column: str) -> None:
    """One set of overrides, one description belongs to one row."""
    value = draft.values[attribute]
    if value is None:
        return
    holders: dict[tuple[str, int], int | None] = taking.memory.setdefault("holders", {})
    if holders.setdefault((attribute, value), draft.number) != draft.number:
        taking.note(draft, "another row has it already; left empty", column)
        draft.values[attribute] = None


def _target(taking: Taking, draft: Draft) -> None:
    met(taking, "selection-type", draft.values["selection_type"])
    met(taking, "harvest-type", draft.values["harvest_type"])


def _group(taking: Taking, draft: Draft) -> None:
    met(taking, "group-type", draft.values["group_type"])


def _described(taking: Taking, draft: Draft) -> None:
    met(taking, "dublin-core-type", draft.values["type"])


def _seed(taking: Taking, draft: Draft) -> None:
    try:
        draft.values["host"] = host_key(draft.values["url"]).partition(":")[0][:255]
    except BadUrl as error:
        draft.values["host"] = ""
        taking.note(draft, f"the URL cannot be harvested: {error.what}", "S_SEED")
    positions: dict[int, int] = taking.memory.setdefault("seeds", {})
    target = draft.values["target_id"]
    draft.values["position"] = positions.get(target, 0)
    positions[target] = positions.get(target, 0) + 1


def _member(taking: Taking, draft: Draft) -> None:
    parent, child = draft.values["parent_id"], draft.values["child_id"]
    groups: dict[int, set[int]] = taking.memory.setdefault("groups", {})
    if "members" not in taking.memory:
        taking.memory["members"] = True
        for above, below in GroupMember.objects.values_list("parent_id", "child_id"):
            groups.setdefault(above, set()).add(below)
    if parent == child or parent in _below(groups, child):
        raise Refused("the group would contain itself", column="GM_CHILD_ID")
    groups.setdefault(parent, set()).add(child)
    draft.values |= {"at": taking.at, "by_id": taking.by}


def _below(groups: Mapping[int, set[int]], start: int) -> set[int]:
    found: set[int] = set()
    waiting = [start]
    while waiting:
        for child in groups.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _schedule(taking: Taking, draft: Draft) -> None:
    values = draft.values
    try:
        parse(values["cron"])
    except BadCron as error:
        raise Refused(f"the cron expression cannot be used: {error.what}", column="S_CRON") from error
    if values["end"] is not None and values["end"] < values["start"]:
        raise Refused("it ends before it begins", column="S_END")
    values["time_zone"] = taking.zone.key


def _harvest(taking: Taking, draft: Draft) -> None:
    values = draft.values
    settled = _SETTLED.get(values["state"])
    if settled is not None:
        taking.note(draft, f"it was {values['state']} over there; here it is {settled}", "TI_STATE")
        values["state"] = settled
    if (draft.cells.get("TI_REFERENCE") or "") not in ("", values["archive_id"]):
        taking.note(draft, "it differs from TI_ARCHIVE_ID, which is kept", "TI_REFERENCE")
    if values["version"] < 1:
        values["version"] = 1
    values["agency_id"] = agencies_of_users(taking)[values["owner_id"]]
    values["state_since"] = values["started_at"] or values["scheduled_at"]
    values["planned_for"] = values["scheduled_at"] if values["schedule_id"] else None
    _only_once(taking, draft, "overrides_id", "TI_PROF_OVERRIDE_OID")


def _state_word(row: Any) -> str:
    return HarvestState(row.state).label


ABSTRACT_TARGET = Table(
    name="ABSTRACT_TARGET", model=AbstractTarget, key="AT_OID", prepare=_collected, rows=AbstractTarget.objects.all,
    unique=Unique(fields=("object_type", "agency_id", "name"), taken=Taken.RENAME),
    columns=(
        Column(name="AT_DESC", field="description"), Column(name="AT_NAME", field="name", need=True),
        Column(name="AT_OWNER_ID", field="owner_id", ref="WCTUSER", need=True),
        Column(name="AT_PROF_OVERRIDE_OID", field="overrides_id", ref="PROFILE_OVERRIDES"),
        Column(name="AT_STATE", field="state", kind=NUMBER, need=True),
        Column(name="AT_PROFILE_ID", field="profile_id", ref="PROFILE"),
        Column(name="AT_OBJECT_TYPE", field="object_type", kind=NUMBER, need=True,
               codes={str(one.value): one.value for one in ObjectType}),
        Column(name="AT_CREATION_DATE", field="created", kind=MOMENT, blank=None),
        Column(name="AT_REFERENCE", field="reference"), Column(name="AT_PROFILE_NOTE", field="profile_note"),
        Column(name="AT_DUBLIN_CORE_OID", field="dublin_core_id", ref="DUBLIN_CORE"),
        Column(name="AT_ACCESS_ZONE", field="access_zone", kind=NUMBER, blank=AccessZone.PUBLIC,
               codes={str(one.value): one.value for one in AccessZone}),
        Column(name="AT_DISPLAY_TARGET", field="display", kind=FLAG, blank=True),
        Column(name="AT_DISPLAY_NOTE", field="display_note"),
    ),
)  # fmt: skip
TARGET = Table(
    name="TARGET", model=Target, key="T_AT_OID", extends="ABSTRACT_TARGET", prepare=_target, rows=Target.objects.all,
    columns=(
        Column(name="T_AT_OID", ref="ABSTRACT_TARGET", need=True, show=lambda row: row.pk),
        Column(name="T_RUN_ON_APPROVAL", field="run_on_approval", kind=FLAG, blank=False),
        Column(name="T_EVALUATION_NOTE", field="evaluation_note"),
        Column(name="T_SELECTION_DATE", field="selection_date", kind=MOMENT, blank=None),
        Column(name="T_SELECTION_NOTE", field="selection_note"),
        Column(name="T_SELECTION_TYPE", field="selection_type"), Column(name="T_HARVEST_TYPE", field="harvest_type"),
    ),
)  # fmt: skip
TARGET_GROUP = Table(
    name="TARGET_GROUP", model=Group, key="TG_AT_OID", extends="ABSTRACT_TARGET", prepare=_group,
    rows=Group.objects.all,
    columns=(
        Column(name="TG_AT_OID", ref="ABSTRACT_TARGET", need=True, show=lambda row: row.pk),
        Column(name="TG_SIP_TYPE", field="harvest_as", kind=NUMBER, blank=HarvestAs.SEPARATE,
               codes={"1": HarvestAs.COMBINED.value, "2": HarvestAs.SEPARATE.value, "0": HarvestAs.SEPARATE.value}),
        Column(name="TG_START_DATE", field="start_date", kind=DAY, blank=None),
        Column(name="TG_END_DATE", field="end_date", kind=DAY, blank=None),
        Column(name="TG_OWNERSHIP_METADATA", field="ownership_metadata"), Column(name="TG_TYPE", field="group_type"),
    ),
)  # fmt: skip
SEED = Table(
    name="SEED", model=Seed, key="S_OID", prepare=_seed, rows=Seed.objects.all,
    unique=Unique(fields=("target_id", "url"), taken=Taken.JOIN),
    columns=(
        Column(name="S_SEED", field="url", need=True),
        Column(name="S_TARGET_ID", field="target_id", ref="TARGET", need=True),
        Column(name="S_PRIMARY", field="primary", kind=FLAG, blank=False),
    ),
)  # fmt: skip
GROUP_MEMBER = Table(
    name="GROUP_MEMBER", model=GroupMember, key="AT_OID", prepare=_member,
    unique=Unique(fields=("parent_id", "child_id"), taken=Taken.JOIN),
    rows=lambda: GroupMember.objects.filter(parent__deleted=False, child__deleted=False),
    columns=(
        Column(name="GM_CHILD_ID", field="child_id", ref="ABSTRACT_TARGET", need=True),
        Column(name="GM_PARENT_ID", field="parent_id", ref="TARGET_GROUP", need=True),
    ),
)  # fmt: skip
SCHEDULE = Table(
    name="SCHEDULE", model=Schedule, key="S_OID", prepare=_schedule, rows=Schedule.objects.all,
    aliases={"S_ABSTRACT_TARGET_ID_2": "S_ABSTRACT_TARGET_ID"},  # listed twice in the seed, one column in a database
    columns=(
        Column(name="S_CRON", field="cron", need=True), Column(name="S_START", field="start", kind=MOMENT, need=True),
        Column(name="S_END", field="end", kind=MOMENT, blank=None),
        Column(name="S_ABSTRACT_TARGET_ID", field="abstract_target_id", ref="ABSTRACT_TARGET", need=True),
        Column(name="S_TYPE", field="pattern", kind=NUMBER, blank=0),
        Column(name="S_OWNER_OID", field="owner_id", ref="WCTUSER", need=True),
        Column(name="S_NEXT_SCHEDULE_TIME", field="next_time", kind=MOMENT, blank=None),
    ),
)  # fmt: skip
TARGET_INSTANCE = Table(
    name="TARGET_INSTANCE", model=Harvest, key="TI_OID", prepare=_harvest, rows=Harvest.objects.all,
    columns=(
        Column(name="TI_VERSION", field="version", kind=NUMBER, blank=1),
        Column(name="TI_SCHEDULE_ID", field="schedule_id", ref="SCHEDULE"),
        Column(name="TI_TARGET_ID", field="abstract_target_id", ref="ABSTRACT_TARGET", need=True),
        Column(name="TI_PRIORITY", field="priority", kind=NUMBER, blank=Priority.NORMAL,
               codes={str(one.value): one.value for one in Priority}),
        Column(name="TI_SCHEDULED_TIME", field="scheduled_at", kind=MOMENT, need=True),
        Column(name="TI_STATE", field="state", need=True, show=_state_word,
               codes={one.label: one.value for one in HarvestState} | {one.value: one.value for one in HarvestState}),
        Column(name="TI_BANDWIDTH_PERCENT", field="bandwidth_percent", kind=NUMBER, blank=None),
        Column(name="TI_ALLOCATED_BANDWIDTH", field="allocated_bandwidth", kind=NUMBER, blank=None),
        Column(name="TI_START_TIME", field="started_at", kind=MOMENT, blank=None),
        Column(name="TI_OWNER_ID", field="owner_id", ref="WCTUSER", need=True),
        Column(name="TI_DISPLAY_ORDER", kind=NUMBER, show=lambda row: DISPLAY_ORDER[row.state]),
        Column(name="TI_PROF_OVERRIDE_OID", field="overrides_id", ref="PROFILE_OVERRIDES"),
        Column(name="TI_PURGED", field="purged", kind=FLAG, blank=False),
        Column(name="TI_ARCHIVE_ID", field="archive_id"),
        Column(name="TI_REFERENCE", show=lambda row: row.archive_id),
        Column(name="TI_HARVEST_SERVER", field="agent_name"),
        Column(name="TI_DISPLAY_TARGET_INSTANCE", field="display", kind=FLAG, blank=True),
        Column(name="TI_DISPLAY_NOTE", field="display_note"),
        Column(name="TI_FLAGGED", field="flagged", kind=FLAG, blank=False),
        Column(name="TI_PROFILE_ID", field="profile_id", ref="PROFILE"),
    ),
)  # fmt: skip
DUBLIN_CORE = Table(
    name="DUBLIN_CORE", model=DublinCore, key="DC_OID", prepare=_described, rows=DublinCore.objects.all,
    columns=tuple(Column(name=f"DC_{name.upper()}", field=name) for name in _ELEMENTS),
)  # fmt: skip

"""Schedules for reports: those of agencies on which the asker may report."""

from django.db.models import Count, Q, QuerySet

from opilio.curation.models import ObjectType, Schedule, SchedulePattern, State
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import visible

KINDS = {"target": ObjectType.TARGET, "group": ObjectType.GROUP}
_IN_FORCE = Q(abstract_target__object_type=ObjectType.TARGET, abstract_target__state=State.APPROVED) | Q(
    abstract_target__object_type=ObjectType.GROUP, abstract_target__state=State.GROUP_ACTIVE
)


def schedules(actor: Actor, *, agency: int | None = None, user: str = "", kind: str = "") -> QuerySet[Schedule]:
    """Schedules of approved targets and active groups."""
    rows = Schedule.objects.filter(_IN_FORCE, abstract_target__deleted=False)
    rows = visible(rows, actor, Privilege.SYSTEM_REPORT_LEVEL_1, agency_path="abstract_target__agency_id")
    rows = rows.filter(abstract_target__agency_id=agency) if agency is not None else rows
    rows = rows.filter(owner__username__iexact=user) if user else rows
    rows = rows.filter(abstract_target__object_type=KINDS[kind]) if kind in KINDS else rows
    return rows.select_related("abstract_target__agency", "owner").order_by("abstract_target__name", "id")


def schedules_by_pattern(actor: Actor, *, agency: int | None = None) -> list[tuple[int, int, int, int]]:
    """For each pattern: its number, how many schedules of targets and of groups have it, how many are paused."""
    rows = schedules(actor, agency=agency).order_by().values("pattern")
    counted = rows.annotate(
        targets=Count("id", filter=Q(abstract_target__object_type=ObjectType.TARGET)),
        groups=Count("id", filter=Q(abstract_target__object_type=ObjectType.GROUP)),
        stopped=Count("id", filter=Q(paused=True)),
    )
    return sorted((row["pattern"], row["targets"], row["groups"], row["stopped"]) for row in counted)


def pattern_names() -> dict[int, str]:
    """The names of the patterns of this installation."""
    return dict(SchedulePattern.objects.values_list("number", "name"))

"""What the end of a harvest tells about its site: changes are written down, troubles become in-tray tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from opilio.curation import harvest_log
from opilio.curation.last_good import GOOD
from opilio.curation.models import AbstractTarget, Harvest, HarvestChanges, HarvestEvent, ObjectType
from opilio.curation.site_health import ADVICE, DEAD_AFTER, SUBJECTS, Finding, Trouble
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, close_tasks, notify, send_task, waits
from opilio.people.privileges import Privilege
from opilio.works.change_history import Tally

HEALTH_EVENT = "health"


@dataclass(frozen=True, kw_only=True)
class Looked:
    """Which target or group a harvest looked at, and when."""

    target: int
    at: datetime


def looked_at(harvest_id: int) -> Looked:
    """For the agent that runs it."""
    row = Harvest.everything.get(pk=harvest_id)
    return Looked(target=row.abstract_target_id, at=row.started_at or row.scheduled_at)


def keep_changes(harvest_id: int, tally: Tally) -> None:
    """Write down what a harvest found changed; not audited, for it can be counted anew at any time."""
    values = {name: getattr(tally, name) for name in ("days", "not_modified", "same", "changed", "new", "gone")}
    known = Harvest.objects.filter(pk=tally.since).exists() if tally.since is not None else False
    HarvestChanges.objects.update_or_create(
        harvest_id=harvest_id, defaults={**values, "since_id": tally.since if known else None}
    )


def report(act: Act, harvest: Harvest, findings: Sequence[Finding]) -> None:
    """Troubles are told in the log and as tasks; those that are over take their task away."""
    if findings:
        told = {one.trouble.value: list(one.evidence) for one in findings}
        harvest_log.noted(act, harvest, HEALTH_EVENT, reason=_reason(findings), details=told)
    found = {one.trouble: one for one in findings}
    if Trouble.DEAD in found and _in_a_row(harvest, Trouble.DEAD) < DEAD_AFTER:
        del found[Trouble.DEAD]
    for trouble in Trouble:
        if trouble in found:
            _open(act, harvest.abstract_target, found[trouble])
        else:
            close_tasks(kind=trouble.value, resource=resource_of(harvest.abstract_target))


def resource_of(row: AbstractTarget) -> Resource:
    """The target or group that a task is about."""
    return Resource(kind="target" if row.object_type == ObjectType.TARGET else "group", id=row.pk)


def _open(act: Act, row: AbstractTarget, finding: Finding) -> None:
    """Ask once; a task that waits already is left as it is."""
    kind, resource = finding.trouble.value, resource_of(row)
    if waits(kind=kind, resource=resource):
        return
    subject = SUBJECTS[finding.trouble].format(row.name)
    evidence = "\n".join(f"- {one}" for one in finding.evidence)
    message = f"{ADVICE[finding.trouble]}\n\nWhat was found:\n{evidence}"[:10_000]
    send_task(
        act.actor, kind=kind, subject=subject, message=message, privilege=Privilege.MODIFY_TARGET,
        agency=row.agency_id, resource=resource,
    )  # fmt: skip
    notify(
        [row.owner_id], kind=kind, category=Category.GENERAL, now=act.clock.now(), sender=act.actor.username,
        subject=subject, message=message, resource=resource,
    )  # fmt: skip


def _in_a_row(harvest: Harvest, trouble: Trouble) -> int:
    """In how many harvests in a row, this one being the last, the trouble was found."""
    rows = Harvest.objects.filter(abstract_target_id=harvest.abstract_target_id, state__in=GOOD).exclude(pk=harvest.pk)
    earlier = list(rows.order_by("-started_at", "-id").values_list("pk", flat=True)[: DEAD_AFTER - 1])
    events = HarvestEvent.objects.filter(harvest_id__in=earlier, name=HEALTH_EVENT)
    told = {event.harvest_id for event in events if trouble.value in event.details}
    return 1 + next((number for number, one in enumerate(earlier) if one not in told), len(earlier))


def _reason(findings: Sequence[Finding]) -> str:
    return " ".join(one for finding in findings for one in finding.evidence[:3])

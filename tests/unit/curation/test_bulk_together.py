"""Rows of bulk work that share a transaction come out as if each had been done alone."""

import pytest

from opilio.curation import grouping
from opilio.curation.actions.target_moves import approve_target
from opilio.curation.bulk import actions as bulk
from opilio.curation.bulk.performing import counts
from opilio.curation.models import (
    Approval,
    BulkState,
    Group,
    Harvest,
    HarvestAs,
    Outcome,
    Permission,
    PermissionStatus,
    Schedule,
    State,
)
from opilio.kernel.errors import Conflict
from opilio.people.actions.webhooks import create_webhook
from opilio.people.models import AuditEntry, Notification, Task, WebhookDelivery


def approved(town, rows):
    run = bulk.prepare_rows(town.system, noun="target", verb="approve", ids=[row.pk for row in rows])
    return bulk.run_now(town.system, bulk.start(town.system, run_id=run.id))


def _told(target):
    """Everything that an approval leaves behind."""
    entries = AuditEntry.objects.filter(action="target.approve").order_by("id")
    schedules = Schedule.objects.filter(abstract_target_id=target.pk)
    target.refresh_from_db()
    return (
        target.state, target.version, target.selection_date is not None,
        Approval.objects.filter(target=target).count(),
        [(entry.subject_type, entry.message.replace(target.name, "it"), entry.agency_name, sorted(entry.after))
         for entry in entries if entry.subject_id in {target.pk, *schedules.values_list("pk", flat=True)}],
        [*Harvest.objects.filter(abstract_target_id=target.pk).order_by("planned_for")
         .values_list("planned_for", "owner_id", "agency_id", "state", "allow_early_start")],
        [*schedules.order_by("id").values_list("next_time", "planned_until")],
        [(told.user_id, told.subject.replace(target.name, "it"), told.message)
         for told in Notification.objects.filter(resource_id=target.pk)],
        Task.objects.filter(resource_id=target.pk).count(),
    )  # fmt: skip


def _nominated(desk, name="One", **columns):
    target = desk.approvable(state=State.NOMINATED, name=name, **columns)
    desk.schedule(target)
    Task(
        kind="approve-target", subject="Approve", sent_at=desk.now, privilege="APPROVE_TARGET", agency=target.agency,
        resource_type="target", resource_id=target.pk,
    ).save()  # fmt: skip
    return target


def test_an_approval_in_bulk_leaves_what_one_by_hand_leaves(desk, town):
    """State, approval, audit entries, harvests, schedules, notifications and tasks."""
    owner = town.user()
    alone, first, second = (_nominated(desk, f"Target {number}", owner=owner) for number in range(3))
    approve_target(town.system, target_id=alone.pk)
    assert counts(approved(town, [first, second]))["changed"] == 2
    wanted = _told(alone)
    assert len(wanted[5]) == 13
    assert wanted[-1] == 0
    assert _told(first) == wanted
    assert _told(second) == wanted


def test_a_refused_row_leaves_nothing_between_others(desk, town):
    """It is refused for its rights; no entry, plan or notification of it is written, those of the others are."""
    good, bad, last = (_nominated(desk, f"Target {number}") for number in range(3))
    Permission.objects.filter(links__seed__target_id=bad.pk).update(status=PermissionStatus.REJECTED)
    run = approved(town, [good, bad, last])
    assert [item.outcome for item in run.items.order_by("position")] == [
        Outcome.CHANGED, Outcome.REFUSED, Outcome.CHANGED,
    ]  # fmt: skip
    assert not Harvest.objects.filter(abstract_target_id=bad.pk).exists()
    assert not AuditEntry.objects.filter(action="target.approve", subject_id=bad.pk).exists()
    assert Task.objects.get().resource_id == bad.pk
    assert Harvest.objects.count() == 26


def test_a_row_costs_few_statements(desk, town, django_assert_max_num_queries):
    """Seven for each: two savepoints, the row in its two tables, and its task."""
    owner = town.user()
    rows = [_nominated(desk, f"Target {number}", owner=owner) for number in range(22)]
    desk.group(*rows, state=State.GROUP_ACTIVE)
    approved(town, rows[:2])  # identifiers are reserved
    run = bulk.prepare_rows(town.system, noun="target", verb="approve", ids=[row.pk for row in rows[2:]])
    started = bulk.start(town.system, run_id=run.id)
    with django_assert_max_num_queries(20 * 7 + 40):
        bulk.run_now(town.system, started)


@pytest.mark.parametrize("state", [State.GROUP_INACTIVE, State.GROUP_ACTIVE])
def test_members_of_a_group_with_a_schedule_are_all_planned(desk, town, state):
    """Each is harvested by itself with the schedule of the group, which their approval may have made active."""
    rows = [_nominated(desk, f"Target {number}", agency=town.library) for number in range(3)]
    group = desk.group(*rows, state=state, harvest_as=HarvestAs.SEPARATE)
    schedule = desk.schedule(group)
    approved(town, rows)
    assert Group.objects.get(pk=group.pk).state == State.GROUP_ACTIVE
    planned = Harvest.objects.filter(schedule=schedule)
    assert set(planned.values_list("abstract_target_id", flat=True)) == {row.pk for row in rows}
    assert Harvest.objects.filter(schedule__abstract_target_id__in=[row.pk for row in rows]).count() == 39


def test_a_group_is_told_of_once(desk, town):
    """However many of its members were approved together."""
    rows = [_nominated(desk, f"Target {number}") for number in range(3)]
    group = desk.group(*rows, state=State.GROUP_INACTIVE)
    approved(town, rows)
    assert AuditEntry.objects.filter(subject_type="group", subject_id=group.pk).count() == 1


def test_webhooks_hear_of_each_row(desk, town):
    """Those of its agency, and those of all."""
    for agency in (town.library.id, town.museum.id):
        create_webhook(
            town.system, agency_id=agency, name=f"Of {agency}", url="https://hooks.example/", events=["target.approved"]
        )
    rows = [_nominated(desk, f"Target {number}", agency=town.library) for number in range(2)]
    approved(town, rows)
    assert sorted(WebhookDelivery.objects.values_list("subject_id", flat=True)) == sorted(row.pk for row in rows)


def test_what_is_refused_at_the_end_is_done_row_by_row(desk, town, monkeypatch):
    """A fault of what is written together is the fault of the row that it comes from; the others are done."""
    rows = [_nominated(desk, f"Target {number}") for number in range(3)]
    group = desk.group(rows[1], state=State.GROUP_INACTIVE)
    usual = grouping.recompute

    def refuse(act, found):
        if found.pk == group.pk:
            raise Conflict("The group is broken", where="group", remedy="Mend it.")
        return usual(act, found)

    monkeypatch.setattr(grouping, "recompute", refuse)
    run = approved(town, rows)
    assert run.state == BulkState.DONE
    assert counts(run) | {"changed": 2, "refused": 1} == counts(run)
    assert "broken" in run.items.get(outcome=Outcome.REFUSED).told
    assert not Harvest.objects.filter(abstract_target_id=rows[1].pk).exists()

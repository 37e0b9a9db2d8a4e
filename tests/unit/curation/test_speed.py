"""What makes curation quick keeps to its rules: short questions answer as the long ones, bulk rows are like any row."""

import datetime
import itertools

import pytest
from django.db import connection

from opilio.catalogue import identifiers
from opilio.catalogue.sqlite.cache import roomy_cache
from opilio.curation import harvest_rows, rights_of
from opilio.curation.actions.target_moves import approve_target
from opilio.curation.ancestry import above
from opilio.curation.harvest_rows import Planned
from opilio.curation.models import Group, GroupMember, Harvest, PermissionStatus, Schedule, State
from opilio.curation.rights import against_approval
from opilio.people.models import AuditEntry

NOW = datetime.datetime(2026, 1, 1, 12, 30, tzinfo=datetime.UTC)
TIMES = tuple(NOW + number * datetime.timedelta(days=1, microseconds=1) for number in range(5))
_LINKS = [*itertools.product(PermissionStatus, (False, True)), None]


@pytest.mark.parametrize("first", _LINKS, ids=str)
@pytest.mark.parametrize("second", _LINKS, ids=str)
def test_the_short_question_about_rights_answers_as_the_rule(desk, first, second):
    """Two seeds, each with a permission of any status, a deleted one or none; an inactive seed says nothing."""
    target = desk.target(seeds=["http://a.example/", "http://b.example/"])
    desk.seed(target, "http://c.example/", active=False)
    for seed, link in zip(target.seeds.order_by("id"), (first, second), strict=False):
        if link is not None:
            desk.link(seed, desk.permission("http://*.example/*", status=link[0], deleted=link[1]))
    told = tuple(reason.sentence for reason in against_approval(rights_of.seeds_of(target.pk)))
    assert rights_of.approval_problems(target.pk) == told
    assert rights_of._plainly_approvable(target.pk) == (not told)


def test_an_approval_asks_little(desk, town, django_assert_max_num_queries):
    """A target in a group, with a schedule: 1,000 of them are approved while somebody waits."""
    target = desk.approvable(state=State.NOMINATED)
    desk.group(target, state=State.GROUP_ACTIVE)
    desk.schedule(target)
    approve_target(town.system, target_id=desk.approvable().pk)  # identifiers are reserved
    with django_assert_max_num_queries(26):
        approve_target(town.system, target_id=target.pk)
    assert Harvest.objects.filter(abstract_target_id=target.pk).count() == 13
    entries = AuditEntry.objects.filter(action="target.approve", agency_id=town.library.id)
    assert set(entries.values_list("agency_name", flat=True)) == {town.library.name}


def test_all_groups_above_are_found(desk):
    """Over several levels and ways; a deleted group leads no further, and a circle ends."""
    target, other = desk.target(), desk.target()
    low = desk.group(target)
    middle, gone = desk.group(low), desk.group(low, deleted=True)
    top = desk.group(middle, other)
    desk.group(gone)
    GroupMember(parent=low, child_id=top.pk, at=desk.now).save()
    found = {row.pk for row in Group.everything.filter(pk__in=above([target.pk]))}
    assert found == {low.pk, middle.pk, top.pk}
    assert not Group.everything.filter(pk__in=above([])).exists()


def test_planned_rows_are_like_rows_that_were_saved(desk, town):
    """Every column has what a model object would have stored, to the microsecond; identifiers follow each other."""
    target = desk.target(state=State.APPROVED)
    schedule = desk.schedule(target)
    row = Planned(target.pk, schedule.pk, target.owner_id, target.agency_id, True, TIMES)
    assert harvest_rows.store([row], now=NOW, user=None) == 5
    made = list(Harvest.objects.filter(schedule=schedule).order_by("scheduled_at"))
    assert [harvest.id for harvest in made] == list(range(made[0].id, made[0].id + 5))
    for harvest, at in zip(made, TIMES, strict=True):
        saved = Harvest(
            abstract_target_id=target.pk, schedule=schedule, planned_for=at, scheduled_at=at, state_since=NOW,
            owner_id=target.owner_id, agency_id=target.agency_id, allow_early_start=True, created=NOW, updated=NOW,
        )  # fmt: skip
        differing = [
            field.name for field in Harvest._meta.concrete_fields
            if field.name != "id" and getattr(saved, field.attname) != getattr(harvest, field.attname)
        ]  # fmt: skip
        assert differing == []
    assert Harvest.objects.filter(planned_for=TIMES[2], scheduled_at__lte=TIMES[2], deleted=False).count() == 1


@pytest.mark.parametrize("many", [1, 1_000])
def test_what_is_planned_already_is_left(desk, town, monkeypatch, many):
    """A second store of the same times changes nothing, beside new ones that come in; also where many are stored."""
    monkeypatch.setattr(harvest_rows, "_MANY", many)
    target = desk.target(state=State.APPROVED)
    schedule = desk.schedule(target)
    row = Planned(target.pk, schedule.pk, target.owner_id, target.agency_id, False, TIMES[:3])
    harvest_rows.store([row], now=NOW, user=None)
    before = set(Harvest.objects.values_list("id", flat=True))
    harvest_rows.store([row._replace(times=TIMES)], now=NOW, user=None)
    assert before < set(Harvest.objects.values_list("id", flat=True))
    assert Harvest.objects.count() == 5
    assert harvest_rows.store([row._replace(times=())], now=NOW, user=None) == 0


def test_rows_go_over_the_end_of_a_block(desk):
    """However many times there are, each harvest has an identifier of its own."""
    target = desk.target(state=State.APPROVED)
    schedule = desk.schedule(target)
    identifiers.forget()
    left = identifiers.run(Harvest.id_kind(), identifiers.BLOCK - 2)
    row = Planned(target.pk, schedule.pk, target.owner_id, target.agency_id, False, TIMES)
    harvest_rows.store([row], now=NOW, user=None)
    numbers = sorted(Harvest.objects.values_list("id", flat=True))
    assert len(numbers) == 5
    assert numbers[0] == left.stop
    assert numbers[2] % identifiers.BLOCK == 0


def test_schedules_remember_together(desk):
    """Each has its own times, or none."""
    target = desk.target(state=State.APPROVED)
    one, two = desk.schedule(target), desk.schedule(target, next_time=NOW)
    harvest_rows.remember([(one, TIMES[1], TIMES[0]), (two, None, None)])
    found = {row.pk: (row.next_time, row.planned_until) for row in Schedule.objects.all()}
    assert found == {one.pk: (TIMES[1], TIMES[0]), two.pk: (None, None)}


def test_the_cache_is_large_only_for_a_while(db):
    """SQLite has its usual one afterwards, also after an error; PostgreSQL is left alone."""
    sizes = []
    with pytest.raises(ValueError, match="enough"):
        _note(sizes)
    if connection.vendor == "sqlite":
        assert sizes[0] < -100_000
        assert _cache() != sizes[0]


def _note(sizes):
    with roomy_cache():
        if connection.vendor == "sqlite":
            sizes.append(_cache())
        raise ValueError("enough")


def _cache():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA cache_size")
        return cursor.fetchone()[0]

"""Lists of very many rows are read in their order, and words in them are found by an index, as the plans show."""

import pytest
from django.db import connection

from opilio.curation import trigrams
from opilio.curation.models import (
    AbstractTarget,
    Authorisation,
    AuthorisingAgent,
    Harvest,
    HarvestState,
    Permission,
    Schedule,
    Seed,
)
from opilio.web.lists.containing import contain

_ORDERS = (
    (Authorisation, ("title", "id"), "authorisation_order"),
    (AuthorisingAgent, ("name", "id"), "authorising_agent_order"),
    (AbstractTarget, ("name", "id"), "abstract_target_by_name"),
)
_SEARCHES = (
    (AbstractTarget, ("name", "reference", "description"), {"abstract_target_trigrams"}),
    (Seed, ("url",), {"seed_trigrams"}),
    (Authorisation, ("title", "order_number", "description"), {"authorisation_trigrams"}),
    (AuthorisingAgent, ("name", "contact", "email"), {"authorising_agent_trigrams"}),
    (Permission, ("authorisation__title", "agent__name", "display_name", "file_reference"),
     {"authorisation_trigrams", "authorising_agent_trigrams", "permission_trigrams"}),
    (Schedule, ("abstract_target__name", "cron"), {"abstract_target_trigrams", "schedule_trigrams"}),
)  # fmt: skip


def _plan(rows, *without):
    """How the database would answer; of tables with next to nothing in them PostgreSQL prefers to read all."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for way in ("seqscan", *without):
                cursor.execute(f"SET LOCAL enable_{way} = off")
    return rows.explain()


@pytest.mark.parametrize(("model", "order", "index"), _ORDERS)
def test_a_list_is_read_in_its_order(db, model, order, index):
    assert index in _plan(model._base_manager.order_by(*order)[:50], "sort")


def test_what_a_schedule_planned_is_found_by_the_rule_that_it_is_planned_once(db):
    """So that it needs no index of its own."""
    assert "harvest_planned_once" in _plan(Harvest.objects.filter(schedule_id__in=[1, 2]).order_by())


def test_what_may_be_purged_is_found_by_an_index_that_plans_are_not_in(db):
    """Harvests that were neither archived nor rejected cost it nothing."""
    rows = Harvest.objects.filter(state=HarvestState.ARCHIVED, archived_at__lt="2026-01-01T00:00Z")
    assert "harvest_archived" in _plan(rows.order_by("archived_at"), "sort")


@pytest.mark.only_on("postgres")
@pytest.mark.parametrize(("model", "columns", "indexes"), _SEARCHES)
def test_a_word_is_found_by_its_trigrams(db, model, columns, indexes):
    plan = _plan(model._base_manager.filter(contain(model, columns, "river")), "indexscan", "indexonlyscan")
    assert {name for name in indexes if name in plan} == indexes


@pytest.mark.only_on("postgres")
def test_without_the_extension_there_are_no_such_indexes_and_nothing_fails(db, capsys):
    assert not trigrams.ensure(connection, "CREATE EXTENSION opilio_has_no_such_extension")
    assert trigrams.ensure(connection)


def test_words_of_other_tables_are_found_with_ones_own(desk):
    one = desk.permission("http://a.example/*", file_reference="F42")
    two = desk.permission("http://b.example/*", agent=desk.agent(name="River Press"))
    three = desk.permission("http://c.example/*", display_name="A river")
    desk.permission("http://d.example/*")
    columns = ("authorisation__title", "agent__name", "display_name", "file_reference")
    assert _found(columns, "RIVER") == {two.pk, three.pk}
    assert _found(columns, "f42") == {one.pk}
    assert _found(("agent__name",), "river") == {two.pk}
    assert _found(("display_name",), "river") == {three.pk}


def _found(columns, word):
    return set(Permission.objects.filter(contain(Permission, columns, word)).values_list("pk", flat=True))

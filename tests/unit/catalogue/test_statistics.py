"""Figures of tables, by which the database chooses indexes."""

import pytest
from django.db import connection

from opilio.agents.chores import CHORES
from opilio.catalogue import statistics
from tests.people import Town

pytestmark = pytest.mark.django_db


def test_sqlite_is_told_how_its_tables_have_grown():
    """PostgreSQL looks by itself; SQLite has figures of the tables that have rows."""
    Town()
    assert statistics.refresh() == (connection.vendor == "sqlite")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT tbl FROM sqlite_stat1")
            assert "agency" in {name for (name,) in cursor.fetchall()}


def test_agents_do_it_now_and_then():
    """So that it is not forgotten."""
    assert "count_tables" in {chore.name for chore in CHORES}

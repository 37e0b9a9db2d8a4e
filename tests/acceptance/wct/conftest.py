"""Whoever imports: people who sign in by the page, agencies that are there already, and a dump to change."""

import pytest

from opilio.curation.actions.wct_import import import_dump
from tests import wct_dump
from tests.acceptance.pages.conftest import Visitor, administrator, enter, ready_roles, town, visitor

__all__ = ["Visitor", "administrator", "enter", "ready_roles", "town", "visitor"]


@pytest.fixture
def found():
    """A dump that may be changed."""
    return wct_dump.tables()


@pytest.fixture
def take(town, tmp_path):
    """Imports tables; the clock goes on between imports."""
    folders = iter(range(1_000))

    def take(found, **more):
        town.clock.advance(60)
        folder = tmp_path / f"dump{next(folders)}"
        files = wct_dump.as_csv({name: rows for name, rows in found.items() if rows})
        return import_dump(town.system, path=wct_dump.write_folder(folder, files), **more)

    return take

"""People, browsers, API callers and commands for rights."""

import pytest

from tests.acceptance.api.conftest import error, office, ready_roles
from tests.acceptance.pages.conftest import Visitor, enter, town, visitor
from tests.curation import Desk
from tests.unit.cli.conftest import inline, quiet_logs
from tests.unit.curation.rights_desk import everything

__all__ = ["Visitor", "enter", "error", "inline", "office", "quiet_logs", "ready_roles", "town", "visitor"]


@pytest.fixture
def desk(town):
    """Rows in the town of the pages."""
    return Desk(town)


@pytest.fixture
def archivist(enter):
    """A browser of somebody who may do everything with rights."""
    return enter("archivist", privileges=everything())


@pytest.fixture
def caller(office):
    """A program that may do everything with rights."""
    return office.caller(privileges=everything())

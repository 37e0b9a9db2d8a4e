"""People, browsers, API callers and commands for profiles and overrides."""

import pytest

from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import error, office, ready_roles
from tests.acceptance.pages.conftest import enter, town
from tests.curation import Desk
from tests.unit.cli.conftest import inline, quiet_logs

__all__ = ["enter", "error", "inline", "office", "quiet_logs", "ready_roles", "town"]

MANAGER = {
    Privilege.MANAGE_PROFILES: Scope.AGENCY, Privilege.VIEW_PROFILES: Scope.AGENCY,
    Privilege.MODIFY_TARGET: Scope.AGENCY, Privilege.APPROVE_TARGET: Scope.AGENCY,
}  # fmt: skip


@pytest.fixture
def desk(town):
    """Rows in the town of the pages."""
    return Desk(town)


@pytest.fixture
def manager(enter):
    """A browser of somebody who looks after profiles."""
    return enter("manager", privileges=MANAGER)


@pytest.fixture
def caller(office):
    """A program that looks after profiles."""
    return office.caller(privileges=MANAGER)

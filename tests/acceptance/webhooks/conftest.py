"""People, browsers, API callers and commands for webhooks."""

import datetime

import pytest

from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import error, office, ready_roles
from tests.acceptance.pages.conftest import enter, town
from tests.post_office import PostOffice
from tests.unit.cli.conftest import inline, quiet_logs

__all__ = ["enter", "error", "inline", "office", "quiet_logs", "ready_roles", "town"]

MINUTE = datetime.timedelta(minutes=1)
MANAGER = {Privilege.MANAGE_WEBHOOKS: Scope.AGENCY}


def ahead():
    """A clock by which everything that pages and API write now is due."""
    return ManualClock(at=SYSTEM.now() + MINUTE)


@pytest.fixture
def post(town, settings):
    """Webhooks of the town of the pages, and an agent that sends, a minute ahead of the pages' clock."""
    return PostOffice(town, settings, clock=ahead())


@pytest.fixture
def keeper(enter):
    """A browser of somebody who looks after the webhooks of the library."""
    return enter("keeper", privileges=MANAGER)

"""People who archive by the page or call the API, and endorsed harvests."""

import pytest

from opilio.curation.models import HarvestState, ResultState
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import Office, fault
from tests.acceptance.pages.conftest import Visitor, enter, ready_roles, town, visitor
from tests.deposit_desk import DepositDesk
from tests.review_desk import at_home

__all__ = ["Visitor", "enter", "fault", "ready_roles", "town", "visitor"]
ARCHIVE = {Privilege.ARCHIVE_HARVEST: Scope.AGENCY, Privilege.CONFIGURE_PARAMETERS: Scope.NONE,
           Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY}  # fmt: skip
ASKED = [
    {"name": "series", "label": "Series", "required": True},
    {"name": "kind", "label": "Kind", "kind": "choice", "choices": ["web", "blog"]},
    {"name": "day", "label": "Day", "kind": "date"}, {"name": "open", "label": "Open", "kind": "yes-no"},
    {"name": "note", "label": "Note", "kind": "long"},
]  # fmt: skip


class _Endorsed(DepositDesk):
    """Endorsed harvests in rows only: what agents do has tests of its own."""

    def rows(self, name="Owls", **fields):
        """An endorsed harvest and its result."""
        made = self.harvested(self.ready(name=name, **fields), results=0, state=HarvestState.ENDORSED)
        return made, self.result(made, state=ResultState.ENDORSED)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def desk(town, home):
    return _Endorsed(town)


@pytest.fixture
def archivist(enter):
    """Archives harvests of the library and looks after depositories."""
    return enter("archivist", privileges=ARCHIVE)


@pytest.fixture
def office(db, home, settings):
    """Two agencies with callers of the API."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Office()


@pytest.fixture
def yard(office):
    """Endorsed harvests in the office of the API."""
    return _Endorsed(office.town)


@pytest.fixture
def bench(db, home):
    """Endorsed harvests for commands."""
    return _Endorsed()

"""People at the pages, the API and the desk."""

import pytest

from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import (  # noqa: F401 - fixtures
    fault,
    office,
    stranger,
    system_administrator,
)
from tests.acceptance.pages.conftest import administrator, enter, ready_roles, visitor  # noqa: F401 - fixtures
from tests.acceptance.pages.conftest import town as _town  # noqa: F401 - fixture
from tests.curation import Desk

CURATES = {
    Privilege.CREATE_TARGET: Scope.AGENCY,
    Privilege.MODIFY_TARGET: Scope.AGENCY,
    Privilege.APPROVE_TARGET: Scope.AGENCY,
}


@pytest.fixture
def town(_town):  # noqa: F811 - the same town under its usual name
    return _town


@pytest.fixture
def desk(town):
    """Makes rows of curation."""
    return Desk(town)

"""A hub for tests of delivery sessions, and people who follow deliveries by pages and by the API."""

import pytest

from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import Office, fault, stranger
from tests.acceptance.pages.conftest import Visitor, enter, ready_roles, town, visitor
from tests.hub import Hub
from tests.partner_servers import PartnerHub, Servers
from tests.review_desk import at_home
from tests.servers import sshd

__all__ = ["Visitor", "enter", "fault", "ready_roles", "stranger", "town", "visitor"]
ALL = {
    Privilege.VIEW_DELIVERIES: Scope.ALL, Privilege.MANAGE_DELIVERIES: Scope.ALL, Privilege.MANAGE_SOURCES: Scope.ALL,
    Privilege.RUN_SESSION: Scope.ALL,
}  # fmt: skip
PARTNER = {Privilege.VIEW_DELIVERIES: Scope.AGENCY}
HOSTILE = "<script>alert(1)</script> \u202eabc 🦉"


@pytest.fixture
def hub(db, tmp_path):
    """Two centres, one source."""
    return Hub(tmp_path)


@pytest.fixture
def yard(town, settings, tmp_path):
    """The same with pages: J belongs to the library, H to the museum; each has a source."""
    at_home(settings, tmp_path)
    made = Hub(tmp_path, town)
    made.centres["H"].agency = town.museum
    made.centres["H"].save()
    made.source("H", "mirror")
    return made


@pytest.fixture
def coordinator(yard, enter):
    """Sees and manages everything about deliveries."""
    return enter("coordinator", privileges=ALL)


@pytest.fixture
def partner(yard, enter):
    """A user of the library, whose centre is J."""
    return enter("partner", privileges=PARTNER)


@pytest.fixture
def office(yard, settings):
    """Callers of the API in the same town."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    made = Office.__new__(Office)
    made.town, made.library, made.museum = yard.town, yard.town.library, yard.town.museum
    return made


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    """Real servers of partners."""
    made = Servers(tmp_path_factory.mktemp("partners"))
    yield made
    made.close()


@pytest.fixture
def partners(db, tmp_path, servers):
    """Two centres, J on an SFTP server and H on an FTP server."""
    if not sshd.is_installed():
        pytest.skip(sshd.MISSING)
    return PartnerHub(tmp_path, servers)

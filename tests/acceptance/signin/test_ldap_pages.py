"""Signing in on the page with a password that a real OpenLDAP server keeps."""

from dataclasses import replace

import pytest

from opilio.people.models import AuditEntry, SignInSession, SignInThrottle
from tests.people import PASSWORD, Town
from tests.servers.slapd import BASE, CURATOR, password, running_slapd

pytestmark = pytest.mark.program("slapd")


@pytest.fixture(scope="module")
def server():
    with running_slapd() as running:
        yield running


@pytest.fixture
def town(db):
    return Town()


@pytest.fixture
def use(server, settings):
    """Points the installation at the directory."""

    def choose(**changes):
        usual = {"ldap_url": server.ldaps, "ldap_ca_file": str(server.ca_file), "ldap_user_base": BASE}
        settings.OPILIO = replace(settings.OPILIO, **(usual | changes))

    return choose


def sign_in(client, username, secret):
    return client.post("/sign-in", {"username": username, "password": secret})


def test_the_directory_s_password_opens_the_pages(client, town, use):
    """The session is remembered as one by LDAP; a user with a password here needs no directory."""
    town.user(CURATOR, external_auth=True)
    town.user("archivist")
    use()
    assert sign_in(client, CURATOR, password(CURATOR)).status_code == 302
    assert client.get("/account").status_code == 200
    assert SignInSession.objects.get().method == "ldap"
    assert sign_in(type(client)(), "archivist", PASSWORD).status_code == 302


def test_a_wrong_password_is_counted_like_any_other(client, town, use):
    """The directory's no is a failure of the user and the address."""
    town.user(CURATOR, external_auth=True)
    use()
    answer = sign_in(client, CURATOR, PASSWORD)
    assert answer.status_code == 401
    assert "User name or password is wrong" in answer.content.decode()
    assert SignInThrottle.objects.count() == 2


def test_a_directory_entry_without_an_account_lets_nobody_in(client, town, use):
    """Nobody is made on the fly."""
    use()
    assert sign_in(client, CURATOR, password(CURATOR)).status_code == 401
    assert AuditEntry.objects.filter(action="signin.failure_no_user").exists()


def test_an_unreachable_directory_is_told_apart(client, town, use):
    """The page says that it does not answer, and nobody has to wait for it."""
    town.user(CURATOR, external_auth=True)
    use(ldap_ca_file="")  # its certificate is not trusted then
    answer = sign_in(client, CURATOR, password(CURATOR))
    assert "directory does not answer" in answer.content.decode()
    assert not SignInThrottle.objects.exists()


def test_a_setting_that_cannot_work_is_named(client, town, use):
    """The error page names the setting and the remedy."""
    use(ldap_user_base="")
    answer = sign_in(client, CURATOR, "anything")
    assert answer.status_code == 422
    assert "ldap_user_base" in answer.content.decode()

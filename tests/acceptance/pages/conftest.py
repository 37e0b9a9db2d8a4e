"""People who sign in by the sign-in page, each with a browser of their own."""

import pytest
from django.test import Client

from opilio.people.actions import installation
from opilio.people.actor import system
from tests.people import PASSWORD, POLICY, Town


class Visitor(Client):
    """A browser that keeps cookies, asks as pages do, and checks the form token."""

    def __init__(self) -> None:
        super().__init__(enforce_csrf_checks=True)

    def sign_in(self, username, password=PASSWORD, **more):
        """Sign in by the page."""
        self.get("/sign-in")
        return self.send("/sign-in", {"username": username, "password": password, **more})

    def send(self, path, data=None, **more):
        """Post a form with the token of a page."""
        if "opilio-csrf" not in self.cookies:
            self.get("/in-tray")
        token = self.cookies["opilio-csrf"].value if "opilio-csrf" in self.cookies else ""
        return self.post(path, {"csrfmiddlewaretoken": token, **(data or {})}, **more)

    def see(self, path, **query):
        """The text of a page that must be there."""
        response = self.get(path, query)
        assert response.status_code == 200, (path, response.status_code, response.content[:2000])
        return response.content.decode()


@pytest.fixture
def ready_roles():
    """Whether the agencies have the ready roles; modules that need them say so."""
    return False


@pytest.fixture
def town(db, ready_roles):
    """Two agencies, library and museum, and filled lists."""
    town = Town(with_roles=ready_roles)
    installation.prepare(system(clock=town.clock))
    return town


@pytest.fixture
def visitor():
    """A browser in which nobody has signed in."""
    return Visitor()


@pytest.fixture
def enter(town):
    """Signs somebody in, by the page: `enter("curator", privileges={…})` or `enter(user)`."""

    def enter(who="curator", **made):
        user = town.user(who, **made) if isinstance(who, str) else who
        browser = Visitor()
        response = browser.sign_in(user.username)
        assert response.status_code == 302, response.content
        browser.user = user
        return browser

    return enter


@pytest.fixture
def administrator(town, enter):
    """A browser of the system administrator, who may do everything."""
    user = installation.create_first_user(
        town.system, agency_name="Library", username="administrator", password=PASSWORD, policy=POLICY
    )
    return enter(user)

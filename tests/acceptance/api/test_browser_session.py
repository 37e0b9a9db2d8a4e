"""A browser that is signed in may use the API too, if it proves that a change is its own."""

import json

import pytest
from django.test import Client

from opilio.people.privileges import Privilege, Scope
from tests.people import PASSWORD


@pytest.fixture
def browser(office):
    """A browser in which the curator has signed in."""
    office.user("curator", privileges={Privilege.VIEW_AUDIT: Scope.AGENCY})
    return signed_in("curator")


def signed_in(username):
    client = Client(enforce_csrf_checks=True)
    client.get("/sign-in")
    form = {"username": username, "password": PASSWORD, "csrfmiddlewaretoken": form_token(client)}
    assert client.post("/sign-in", form).status_code == 302
    client.get("/sign-in")
    return client


def form_token(client):
    return client.cookies["opilio-csrf"].value


def change(client, **headers):
    version = client.get("/api/v1/me").json()["version"]
    body = json.dumps({"version": version, "phone": "12"})
    return client.patch("/api/v1/me", body, "application/json", headers=headers)


def test_read(browser):
    """The session is enough to read; the audit log says that the API was used."""
    assert browser.get("/api/v1/me").json()["username"] == "curator"


def test_change_with_form_token(browser):
    """A change with the form token of the page is done, and told as done through the API."""
    assert change(browser, **{"X-CSRFToken": form_token(browser)}).status_code == 200
    (entry,) = browser.get("/api/v1/audit", {"action": "account.update"}).json()["items"]
    assert entry["via"] == "api"


@pytest.mark.parametrize("headers", [{}, {"X-CSRFToken": "x" * 32}, {"Origin": "https://elsewhere.example"}])
def test_change_without_form_token(browser, fault, headers):
    """A change that another site could have asked for is refused in the one error shape."""
    assert fault(change(browser, **headers), 403)["code"] == "forged-request"
    assert browser.get("/api/v1/me").json()["phone"] == ""


def test_a_bad_token_is_not_helped_by_the_session(browser, fault):
    """Who sends a token is judged by the token alone."""
    fault(browser.get("/api/v1/me", headers={"Authorization": "Bearer opilio_x_y"}), 401)
    fault(browser.get("/api/v1/me", headers={"Authorization": "Basic x"}), 401)


def test_forced_password_change(office, fault):
    """Who must choose a new password first can do nothing else, here as on the pages."""
    office.user("newcomer", force_password_change=True)
    assert "new password" in fault(signed_in("newcomer").get("/api/v1/me"), 403)["message"]

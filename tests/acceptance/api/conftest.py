"""Callers of the API: a client with a token, for people of two agencies."""

import pytest

from tests.acceptance.api.office import Caller, Office, administrator


@pytest.fixture
def ready_roles():
    """Whether the agencies have the ready roles; modules that need them say so."""
    return False


@pytest.fixture
def office(db, settings, ready_roles):
    """Two agencies; passwords are hashed quickly, as what is tested here is not their strength."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Office(with_roles=ready_roles)


@pytest.fixture
def system_administrator(office):
    """Holds every privilege over everything."""
    return administrator(office)


@pytest.fixture
def stranger(db):
    """Calls without any token."""
    return Caller()


def error(response, status):
    """The error of an answer, whose shape and headers are checked on the way."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/json"
    found = response.json()["error"]
    assert {"code", "message", "where", "remedy", "correlation"} <= set(found)
    assert found["correlation"] == response.headers["X-Request-ID"]
    return found


@pytest.fixture
def fault():
    """Checks that an answer is an error of our shape, and gives the error."""
    return error

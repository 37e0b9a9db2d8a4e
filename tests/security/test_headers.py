"""The open pages are bound too, and the check of headers would notice what is missing."""

import pytest
from django.test import Client

from tests.people import PASSWORD, Town
from tests.security.headers import require_headers


@pytest.mark.parametrize("path", ["/sign-in", "/find", "/nothing-here", "/api/v1/targets", "/health/live"])
def test_open_addresses_are_bound(db, path):
    """Whoever asks, whatever the answer."""
    require_headers(Client().get(path))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Frame-Options", "SAMEORIGIN"),
        ("Content-Security-Policy", "default-src 'self'; script-src 'self' 'unsafe-inline'"),
        ("Cache-Control", "public"),
    ],
)
def test_a_loose_answer_is_noticed(db, name, value):
    """The check fails when one header is weaker."""
    answer = Client().get("/sign-in")
    answer[name] = value
    with pytest.raises(AssertionError):
        require_headers(answer)


def test_the_cookie_of_a_session_is_for_us_alone(db):
    """Scripts cannot read it, other sites cannot send it, and it is another one than before signing in."""
    Town().user("cora")
    browser = Client()
    browser.cookies["opilio"] = "planted"
    answer = browser.post("/sign-in", {"username": "cora", "password": PASSWORD})
    assert answer.status_code == 302
    cookie = answer.cookies["opilio"]
    assert cookie.value not in ("", "planted")
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")
    require_headers(answer)

"""One address cannot take the server for itself: API, search and forms of strangers have limits."""

import dataclasses
import json

import pytest
from django.test import Client

from opilio.api.schemas import FaultAnswer
from opilio.kernel.settings import Settings
from opilio.web import rate_limits
from opilio.web.rate_limits import Limiter, allowed_per_minute, kind_of


class _Clock:
    def __init__(self):
        self.seconds = 100.0

    def monotonic(self):
        return self.seconds


def test_a_burst_passes_and_then_the_rate_holds():
    """Sixty in a minute: thirty at once, then one a second."""
    clock = _Clock()
    limiter = Limiter(clock=clock)
    assert [limiter.wait("api", "a", 60) for _ in range(30)] == [0.0] * 30
    assert limiter.wait("api", "a", 60) == pytest.approx(1.0)
    clock.seconds += 1.0
    assert limiter.wait("api", "a", 60) == 0.0
    assert limiter.wait("api", "a", 60) > 0


def test_addresses_and_kinds_are_apart():
    """Nobody waits for another, and memory does not grow."""
    limiter = Limiter(clock=_Clock(), most=3)
    assert limiter.wait("api", "a", 1) == 0.0
    assert limiter.wait("api", "a", 1) > 0
    assert limiter.wait("search", "a", 1) == limiter.wait("api", "b", 1) == 0.0
    for number in range(10):
        limiter.wait("api", str(number), 1)
    assert len(limiter._buckets) == 3


@pytest.mark.parametrize(
    ("path", "method", "signed_in", "kind"),
    [
        ("/api/v1/targets", "GET", True, "api"),
        ("/api/v1/search", "GET", True, "search"),
        ("/find", "GET", False, "search"),
        ("/search/pages", "GET", True, "search"),
        ("/sign-in", "POST", False, "form"),
        ("/sign-in", "GET", False, ""),
        ("/targets/new", "POST", True, ""),
        ("/health/live", "GET", False, ""),
    ],
)
def test_what_is_limited(path, method, signed_in, kind):
    """Pages of people who are signed in are not."""
    assert kind_of(path=path, method=method, signed_in=signed_in) == kind


def test_every_kind_has_a_setting_and_limits_by_default():
    """0 switches a limit off."""
    assert all(allowed_per_minute(Settings(), kind) > 0 for kind in ("api", "search", "form"))
    assert allowed_per_minute(Settings(), "") == 0


@pytest.fixture
def strict(settings, monkeypatch):
    """One request a minute of each kind."""
    monkeypatch.setattr(rate_limits, "LIMITER", Limiter())
    settings.OPILIO = dataclasses.replace(
        settings.OPILIO, limit_api_per_minute=1, limit_search_per_minute=1, limit_forms_per_minute=1
    )


def test_the_api_says_so_in_its_own_shape(db, strict):
    """429 with the seconds to wait, and the one shape of errors."""
    client = Client()
    assert client.get("/api/v1/targets").status_code == 401
    answer = client.get("/api/v1/targets")
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    error = json.loads(answer.content)["error"]
    FaultAnswer.model_validate_json(answer.content)
    assert error["code"] == "too-many-requests"
    assert "limit_api_per_minute" in error["remedy"]


def test_strangers_forms_are_limited(db, strict):
    """Sign-in, answers and nominations by whoever; the page says when to come back."""
    client = Client()
    first = client.post("/sign-in", {"username": "a", "password": "b"})
    assert first.status_code != 429
    answer = client.post("/sign-in", {"username": "a", "password": "b"})
    assert answer.status_code == 429
    assert "Try again in" in answer.content.decode()


def test_search_is_limited(db, strict):
    """For readers too."""
    client = Client()
    client.get("/find?q=owl")
    assert client.get("/find?q=owl").status_code == 429

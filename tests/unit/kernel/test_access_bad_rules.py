"""Rules of access that cannot be meant are refused, with what is wrong with them."""

from datetime import datetime

import pytest

from opilio.kernel.access import (
    BadRule,
    Reach,
    Rule,
    Rules,
    Says,
    Statement,
    Where,
)
from tests.unit.kernel.access_rules import CAPTURED, NOW, ROOMS, about, rule

BAD = [
    {"id": ""},
    {"id": 5},
    {"id": "x" * 201},
    {"id": "a\x00b"},
    {"says": "everything"},
    {"says": None},
    {"seats": 3},
    {"says": "limited-readers"},
    {"says": "limited-readers", "seats": -1},
    {"says": "limited-readers", "seats": float("nan")},
    {"says": "limited-readers", "seats": True},
    {"says": "limited-readers", "seats": 10**9},
    {"days": 5},
    {"says": "embargoed", "days": 1.5},
    {"says": "embargoed", "days": -1},
    {"says": "embargoed", "days": 10**9},
    {"rooms": ["main"]},
    {"users": ["3"]},
    {"says": "restricted-by-person", "users": "3"},
    {"says": "restricted-by-person", "users": [3]},
    {"says": "restricted-by-person", "users": [""]},
    {"says": "restricted-by-person", "users": [str(n) for n in range(10_001)]},
    {"says": "takedown-hide", "overrides": True},
    {"says": "takedown-destroy", "ends": NOW},
    {"overrides": 1},
    {"where": "everywhere"},
    {"ends": "2026-01-01"},
    {"ends": datetime(2026, 1, 1)},  # noqa: DTZ001 - meant
    {"starts": NOW, "ends": NOW},
    {"captured_from": NOW, "captured_to": CAPTURED},
    {"reason": "x" * 8_001},
    {"reason": "\ud800"},
    {"agency": 5},
]


@pytest.mark.parametrize("fields", BAD, ids=str)
def test_bad_rules(fields):
    """A rule that cannot be meant is refused with a remedy."""
    with pytest.raises(BadRule) as caught:
        Rule(**{"id": "1", "says": "open", **fields})
    assert caught.value.remedy


@pytest.mark.parametrize(
    "fields",
    [
        {"reach": "host"},
        {"reach": "all", "value": "x"},
        {"reach": "planet", "value": "x"},
        {"reach": "host", "value": "http://example.org/"},
        {"reach": "host", "value": "a b"},
        {"reach": "domain", "value": "example.org:80801"},
        {"reach": "domain", "value": "example.org:8080"},
        {"reach": "url", "value": "mailto:x@y.z"},
        {"reach": "prefix", "value": "/news"},
        {"reach": "pattern", "value": "("},
        {"reach": "pattern", "value": "x" * 1_001},
        {"reach": "pattern", "value": "((((a{100}){100}){100}){100})"},
        {"reach": "url", "value": "http://e.org/", "within": "e.org"},
        {"reach": "url", "value": 5},
    ],
    ids=str,
)
def test_bad_reach(fields):
    """A reach that cannot be meant is refused with a remedy."""
    with pytest.raises(BadRule) as caught:
        Where(**fields)
    assert caught.value.remedy


def test_bad_statement():
    """A link that is no web address is no link for a banner."""
    with pytest.raises(BadRule):
        Statement(link="javascript:alert(1)")


@pytest.mark.parametrize(
    "rooms", [{"": []}, {"a": "192.0.2.0/24"}, {"a": ["192.0.2.1/24"]}, {"a": ["all"]}, {"a": [None]}, {"a": 5}]
)
def test_bad_rooms(rooms):
    """Networks that cannot be read are refused."""
    with pytest.raises(BadRule):
        Rules(rooms=rooms)


def test_unknown_room():
    """A rule about a room that has no networks is refused, because nobody could ever enter."""
    with pytest.raises(BadRule):
        Rules([rule(Says.ROOMS, rooms=frozenset({"attic"}))], rooms=ROOMS)


def test_same_id_twice():
    """Two rules of one id are refused: a decision could not name the one that decided."""
    with pytest.raises(BadRule):
        Rules([rule(Says.OPEN), rule(Says.OPEN)])


def test_too_many_patterns():
    """Patterns that are tried on every URL are few; those within a domain may be many."""
    many = [rule(Says.EXCLUDED, about(Reach.PATTERN, "x", within="e.org"), id=str(n)) for n in range(1_001)]
    assert len(Rules(many)) == 1_001
    with pytest.raises(BadRule):
        Rules(rule(Says.EXCLUDED, about(Reach.PATTERN, "x"), id=str(n)) for n in range(1_001))

"""Payload classes: what may be declared, and what goes into JSON and comes out."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.jobs.errors import BadPayload
from opilio.jobs.payload import LARGEST, declared, from_json, job, spec_of, to_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@job(kind="test.everything", max_attempts=3)
@dataclass(frozen=True, kw_only=True)
class Everything:
    text: str
    whole: int
    number: float
    flag: bool
    at: datetime
    colour: Colour
    maybe: int | None = None
    several: tuple[str, ...] = ()


GOOD = Everything(text="ä", whole=2**62, number=0.5, flag=True, at=datetime(2026, 1, 2, tzinfo=UTC), colour=Colour.RED)


def document(**changes):
    return to_json(GOOD) | changes


@given(
    st.builds(
        Everything,
        text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
        whole=st.integers(-(2**63) + 1, 2**63 - 1),
        number=st.floats(allow_nan=False, allow_infinity=False),
        flag=st.booleans(),
        at=st.datetimes(timezones=st.just(UTC)),
        colour=st.sampled_from(Colour),
        maybe=st.none() | st.integers(-5, 5),
        several=st.lists(st.sampled_from(["a", "é"])).map(tuple),
    )
)
def test_round_trip(payload):
    """What goes into JSON comes out equal."""
    assert from_json("test.everything", json.loads(json.dumps(to_json(payload)))) == payload


def test_defaults_may_be_left_out():
    """A document stored before a field with a default was added can still be read."""
    stored = {name: value for name, value in document().items() if name not in ("maybe", "several")}
    assert from_json("test.everything", stored) == GOOD


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"surplus": 1}, "surplus"),
        ({"text": 5}, "text"),
        ({"text": "a\x00b"}, "text"),
        ({"text": "\ud800"}, "text"),
        ({"text": None}, "text"),
        ({"whole": "5"}, "whole"),
        ({"whole": True}, "whole"),
        ({"whole": 2**63}, "whole"),
        ({"number": "x"}, "number"),
        ({"number": float("nan")}, "number"),
        ({"number": 10**400}, "number"),
        ({"flag": 1}, "flag"),
        ({"at": "yesterday"}, "at"),
        ({"at": "2026-01-01T00:00:00"}, "at"),
        ({"at": 5}, "at"),
        ({"colour": "green"}, "colour"),
        ({"maybe": "x"}, "maybe"),
        ({"several": "abc"}, "several"),
        ({"several": ["a", 5]}, "several"),
    ],
)
def test_wrong_field_is_named(changes, named):
    """A field that is unknown or has the wrong type is refused by name."""
    with pytest.raises(BadPayload) as caught:
        from_json("test.everything", document(**changes))
    assert f"'{named}'" in str(caught.value)
    assert "test.everything" in str(caught.value)


def test_missing_field_is_named():
    """A field without a default must be there."""
    stored = document()
    del stored["whole"]
    with pytest.raises(BadPayload) as caught:
        from_json("test.everything", stored)
    assert "'whole' is missing" in str(caught.value)


@pytest.mark.parametrize("stored", [None, [], "x", 5])
def test_no_object(stored):
    """Only a JSON object is a payload."""
    with pytest.raises(BadPayload):
        from_json("test.everything", stored)


def test_unknown_kind():
    """A kind that this version does not have is refused."""
    with pytest.raises(BadPayload) as caught:
        from_json("test.from_the_future", {})
    assert "test.from_the_future" in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [("text", 5), ("several", ["a"]), ("at", datetime(2026, 1, 1)), ("at", "2026"), ("colour", "red"), ("flag", 0)],  # noqa: DTZ001 - a naive time is the point
)
def test_wrong_value_is_not_enqueued(field, value):
    """A payload whose values do not keep to their types is refused when it is written."""
    values = {name: getattr(GOOD, name) for name in GOOD.__dataclass_fields__}
    with pytest.raises(BadPayload) as caught:
        to_json(Everything(**(values | {field: value})))
    assert f"'{field}'" in str(caught.value)


def test_contents_do_not_belong_in_a_payload():
    """A payload that is too large is refused with the remedy."""
    values = {name: getattr(GOOD, name) for name in GOOD.__dataclass_fields__}
    with pytest.raises(BadPayload) as caught:
        to_json(Everything(**(values | {"text": "x" * LARGEST})))
    assert "identifier" in str(caught.value)


def test_undeclared_class():
    """Only declared classes can be enqueued."""
    with pytest.raises(BadPayload):
        spec_of(object())


def test_declared_classes_are_listed():
    """Every declared class is found with its kind."""
    assert declared()[Everything].kind == "test.everything"
    assert declared()[Everything].max_attempts == 3


@pytest.mark.parametrize("kind", ["", "Test.x", "test", "test.", "test. x", "test." + "x" * 200])
def test_bad_kind(kind):
    """A kind is a package and what it does."""
    with pytest.raises(BadPayload):
        job(kind=kind)(Everything)


@pytest.mark.parametrize("attempts", [0, -1, 1_001])
def test_bad_attempts(attempts):
    """A job is tried at least once."""
    with pytest.raises(BadPayload):
        job(kind="test.attempts", max_attempts=attempts)(Everything)


def test_kind_twice():
    """Two classes cannot share a kind; the same class may be declared again."""

    @dataclass(frozen=True)
    class Other:
        pass

    with pytest.raises(BadPayload) as caught:
        job(kind="test.everything")(Other)
    assert "declared twice" in str(caught.value)
    assert job(kind="test.everything", max_attempts=3)(Everything) is Everything


def test_unfrozen_class():
    """A payload cannot be changed after it was made."""

    @dataclass
    class Loose:
        number: int

    for payload in (Loose, int):
        with pytest.raises(BadPayload):
            job(kind="test.loose")(payload)


@pytest.mark.parametrize("hint", [dict, list[str], tuple[int, str], int | str, object, "list[int] | None", bytes])
def test_type_that_cannot_be_carried(hint):
    """A field of another type is refused when the class is declared, by name."""
    payload = dataclass(frozen=True)(type("Odd", (), {"__annotations__": {"cargo": hint}}))
    with pytest.raises(BadPayload) as caught:
        job(kind="test.odd")(payload)
    assert "'cargo'" in str(caught.value)

"""A capture that cannot be true is not made."""

import dataclasses
from datetime import UTC, datetime, timedelta, timezone

import pytest

from opilio.kernel.capture import Capture, Hop, Inexactness, MemorySink, Provenance, TlsSummary, Truncated
from opilio.kernel.digests import digest_of
from opilio.kernel.errors import InvalidInput

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
GOOD = Capture(
    url="https://example.com/a",
    request=b"GET /a HTTP/1.1\r\n\r\n",
    head=b"HTTP/1.1 200 OK\r\n\r\n",
    body=b"hello",
    started=START,
    finished=START + timedelta(seconds=2),
    address="2001:db8::1",
    status=200,
    http_version="1.1",
    tls=TlsSummary(version="TLSv1.3", cipher="TLS_AES_128_GCM_SHA256"),
    payload_digest=digest_of(b"hello"),
    truncated=Truncated.TIME,
    provenance=Provenance(seed="https://example.com/", via="https://example.com/", hops=Hop.LINK + Hop.EMBED),
    notes=(Inexactness.UNFOLDED_HEADERS,),
)


def test_what_a_capture_tells():
    """Duration and size follow from what was exchanged."""
    assert GOOD.duration == timedelta(seconds=2)
    assert GOOD.size == len(GOOD.request) + len(GOOD.head) + len(GOOD.body)
    assert GOOD.provenance.hops == "LE"


def test_a_capture_never_changes():
    """Fields cannot be set afterwards."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        GOOD.status = 404


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("url", "ftp://example.com/", "not an http or https URL"),
        ("url", "http://example.com/#part", "has a fragment"),
        ("method", "", "not a method"),
        ("method", "GET /", "not a method"),
        ("status", 0, "not a status"),
        ("status", 1000, "not a status"),
        ("http_version", "HTTP/1.1", "not a version"),
        ("body", "text", "body must be bytes"),
        ("head", bytearray(b"x"), "head must be bytes"),
        ("started", datetime(2026, 1, 1), "started must be an aware time in UTC"),  # noqa: DTZ001 - the case
        (
            "finished",
            datetime(2027, 1, 1, tzinfo=timezone(timedelta(hours=1))),
            "finished must be an aware time in UTC",
        ),
        ("finished", START - timedelta(seconds=1), "finished before it started"),
        ("address", "example.com", "not an IP address"),
    ],
)
def test_impossible_captures(field, value, message):
    """A wrong field is refused by name."""
    with pytest.raises(InvalidInput, match=message):
        dataclasses.replace(GOOD, **{field: value})


def test_unknown_hops_are_refused():
    """The hop path knows its letters only."""
    with pytest.raises(InvalidInput, match="hop path"):
        Provenance(seed="http://example.com/", hops="LQ")


def test_the_memory_sink_gives_its_captures_back():
    """What was written can be looked at, in order, and what was cut is gone."""
    sink = MemorySink()
    second = dataclasses.replace(GOOD, url="https://example.com/b", address=None)
    sink.append(GOOD)
    committed = sink.sync()
    sink.append(second)
    assert sink.captures == [GOOD, second]
    sink.cut_back(committed)
    assert sink.captures == [GOOD]

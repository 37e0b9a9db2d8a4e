"""Which bodies are kept already, and what is asked of a server that sent a page before."""

from datetime import UTC, datetime, timedelta

import pytest

from opilio.crawl.earlier import EarlierPage, is_whole
from opilio.crawl.errors import BadPlan
from opilio.crawl.exchange_to_capture import capture_of, payload_of
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.fetch.exchange import Answer, Ask
from opilio.crawl.frontier.rows import Page
from opilio.crawl.frontier.values import Kept
from opilio.crawl.judging import Judgement
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Warc
from opilio.crawl.revisits import Revisits
from opilio.kernel.capture import Capture, MemorySink, Position, Provenance, Revisit, Truncated
from opilio.kernel.digests import Algorithm, digest_of

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
BODY = b"x" * 2_000
FETCHED = Judgement(outcome=Outcome.FETCHED)


class Exchanges:
    """Lets answers come in one after the other, and tells what was written."""

    def __init__(self, **options):
        self.revisits = Revisits(Warc(**options), remembered=2)
        self.sink = MemorySink()
        self.at = NOW

    def came(self, url, body=BODY, *, judgement=FETCHED, earlier=None, status=200, truncated=None):
        self.at += timedelta(seconds=1)
        answer = Answer(
            status=status, version="1.1", request=b"", head=b"HTTP/1.1 200 OK\r\n\r\n", body=body, started=self.at,
            finished=self.at, first_byte=0.0, seconds=0.0, address=None, truncated=truncated,
        )  # fmt: skip
        payload = payload_of(answer, Algorithm.SHA1, Limits(size=10_000, ratio=100))
        same = self.revisits.compare(judgement, answer, payload, earlier)
        capture = capture_of(Ask(url=url), answer, payload, Provenance(seed=url))
        outcome = same.judgement.outcome if same else judgement.outcome
        self.revisits.write(self.sink, capture, outcome, same)
        return outcome.value, type(self.sink.records[-1])


def earlier(**fields):
    given = {
        "number": 1,
        "asked": "http://a.example/",
        "kept": Kept(1.0, "http://a.example/"),
        "digest": digest_of(BODY),
    }
    return EarlierPage(**{**given, **fields})


def test_the_second_of_two_equal_bodies_is_a_duplicate_of_the_first():
    """And the third refers to the first as well."""
    exchanges = Exchanges()
    assert exchanges.came("http://a.example/1") == ("fetched", Capture)
    first = exchanges.at
    for number in (2, 3):
        assert exchanges.came(f"http://a.example/{number}") == ("duplicate", Revisit)
        original = exchanges.sink.records[-1].original
        assert (original.url, original.captured) == ("http://a.example/1", first)


@pytest.mark.parametrize(
    "case",
    [
        {"judgement": Judgement(outcome=Outcome.SOFT_404)},
        {"judgement": Judgement(outcome=Outcome.GONE), "status": 404},
        {"judgement": Judgement(outcome=Outcome.BLOCKED)},
        {"truncated": Truncated.LENGTH},
        {"status": 206},
    ],
)
def test_what_is_no_whole_page_is_neither_original_nor_duplicate(case):
    """An error page repeats for other reasons."""
    exchanges = Exchanges()
    exchanges.came("http://a.example/1", **case)
    assert exchanges.came("http://a.example/2")[1] is Capture
    assert exchanges.came("http://a.example/3", **case)[1] is Capture


def test_the_oldest_are_forgotten_first():
    """Memory does not grow with the crawl; a forgotten body is kept again."""
    exchanges = Exchanges()
    for letter in (b"a", b"b", b"c"):
        exchanges.came(f"http://a.example/{letter.decode()}", letter * 2_000)
    assert exchanges.came("http://a.example/b2", b"b" * 2_000)[0] == "duplicate"
    assert exchanges.came("http://a.example/a2", b"a" * 2_000)[0] == "fetched"
    exchanges.revisits.forget()
    assert exchanges.came("http://a.example/c2", b"c" * 2_000)[0] == "fetched"


def test_an_unchanged_body_is_an_original_for_others():
    """They refer to the capture of the earlier crawl, whatever algorithm its digest has."""
    exchanges = Exchanges()
    assert exchanges.came("http://a.example/", earlier=earlier()) == ("unchanged", Revisit)
    assert exchanges.came("http://a.example/2") == ("duplicate", Revisit)
    assert exchanges.sink.records[-1].original.captured == datetime.fromtimestamp(1.0, UTC)
    assert exchanges.came("http://a.example/3", b"other" * 500, earlier=earlier())[0] == "fetched"


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"etag": '"a"', "last_modified": "Sat, 31 Jan 2026 12:00:00 GMT"}, ["If-None-Match", "If-Modified-Since"]),
        ({"etag": 'W/"a b"'}, ["If-None-Match"]),
        ({}, []),
        ({"etag": '"a"\r\nX: y'}, []),
        ({"etag": "\N{LATIN SMALL LETTER E WITH ACUTE}", "last_modified": "yesterday\x00"}, []),
        ({"etag": "x" * 5_000}, []),
        ({"etag": " "}, []),
    ],
)
def test_only_values_that_can_stand_in_a_header_are_sent_back(fields, names):
    """A server chose them."""
    assert [name for name, _ in earlier(**fields).conditions] == names


@pytest.mark.parametrize(
    ("fields", "whole"),
    [
        ({}, True),
        ({"outcome": Outcome.UNCHANGED, "status": 304}, True),
        ({"outcome": Outcome.SOFT_404}, False),
        ({"status": 206}, False),
        ({"place": None}, False),
        ({"digest": ""}, False),
        ({"reason": "cut off: length"}, False),
        ({"outcome": None}, False),
    ],
)
def test_only_whole_pages_can_be_unchanged(fields, whole):
    """Else a part of a page would stand for all of it."""
    given = {
        "id": 0, "host": 0, "hash64": 0, "url": "http://a.example/", "seed": 0, "outcome": Outcome.FETCHED,
        "reason": "", "status": 200, "type": "html", "extension": "html", "size": 1, "digest": "sha1:x", "title": "",
        "meta": "", "last_modified": "", "etag": "", "depth": 0, "hops": 0, "parent_key": None, "path": "",
        "place": Position(file="f", offset=0, length=1), "epoch": 1, "ms": 1, "tries": 1, "robots": "", "at": 1.0,
        "counted": True,
    }  # fmt: skip
    assert is_whole(Page(**{**given, **fields})) is whole


def test_a_negative_size_is_refused():
    """By name."""
    with pytest.raises(BadPlan, match="duplicate_size"):
        Warc(duplicate_size=-1)

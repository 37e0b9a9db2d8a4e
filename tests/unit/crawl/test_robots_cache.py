"""What answers for robots.txt mean, how long they hold, and what pages themselves ask for."""

from datetime import UTC, datetime

import pytest

from opilio.crawl.plan import RobotsPolicy
from opilio.crawl.robots import MOST_BYTES
from opilio.crawl.robots_cache import (
    DAY,
    Found,
    RobotsAnswer,
    RobotsRecord,
    RobotsTerms,
    decide,
    from_store,
    judge,
    redirect,
    robots_url,
)
from opilio.crawl.robots_tags import page_directives
from opilio.extract.robots_tags import directives, header_directives

NOW = 1_767_225_600.0
TERMS = RobotsTerms()
BODY = b"User-agent: *\nDisallow: /x\n"
URL = "http://example.com/x"


def answer(status, **changes):
    return RobotsAnswer(status=status, **changes)


@pytest.mark.parametrize(
    ("status", "found", "open_"),
    [
        (200, Found.RULES, False),
        (204, Found.RULES, True),
        (301, Found.UNAVAILABLE, True),
        (400, Found.UNAVAILABLE, True),
        (401, Found.UNAVAILABLE, True),
        (403, Found.UNAVAILABLE, True),
        (404, Found.UNAVAILABLE, True),
        (410, Found.UNAVAILABLE, True),
        (429, Found.UNREACHABLE, False),
        (500, Found.UNREACHABLE, False),
        (503, Found.UNREACHABLE, False),
        (999, Found.UNREACHABLE, False),
        (101, Found.UNREACHABLE, False),
        (None, Found.UNREACHABLE, False),
    ],
)
def test_what_a_status_means(status, found, open_):
    """A file is read, its absence allows all, and a server in trouble is left alone."""
    record = judge(answer(status, body=BODY if status == 200 else b""), TERMS, NOW)
    assert record.found is found
    assert decide(record, URL, "opilio").allowed is open_
    assert str(status) in record.sentence or status is None


@pytest.mark.parametrize("status", [401, 403])
def test_forbidden_may_mean_no(status):
    """By option a robots.txt behind a lock keeps the crawl out."""
    record = judge(answer(status), RobotsTerms(forbidden_deny=True), NOW)
    assert record.found is Found.FORBIDDEN
    assert not decide(record, URL, "opilio")


def test_answers_hold_for_a_day_and_trouble_is_retried_sooner():
    """A server's Retry-After is obeyed, up to the day after which any answer is asked for again."""
    good, bad = judge(answer(200), TERMS, NOW), judge(answer(503), TERMS, NOW)
    assert good.fresh(NOW + DAY - 1)
    assert not good.fresh(NOW + DAY)
    assert bad.expires == NOW + TERMS.retry
    assert judge(answer(503, retry_after=3600), TERMS, NOW).expires == NOW + 3600
    assert judge(answer(503, retry_after=1e12), TERMS, NOW).expires == NOW + DAY
    assert judge(answer(429, retry_after=0), TERMS, NOW).expires == NOW + TERMS.retry


def test_a_record_from_the_future_does_not_hold():
    """After the clock went back by more than clocks differ, the file is fetched again."""
    record = judge(answer(200), TERMS, NOW)
    assert record.fresh(NOW - 60)
    assert not record.fresh(NOW - 3600)


def test_after_thirty_days_the_file_may_count_as_absent():
    """Only by option, and only when every answer in between failed."""
    terms = RobotsTerms(give_up=30 * DAY)
    first = judge(answer(None), terms, NOW)
    later = judge(answer(500), terms, NOW + 29 * DAY, first)
    last = judge(answer(503), terms, NOW + 30 * DAY, later)
    assert [record.found for record in (first, later, last)] == [
        Found.UNREACHABLE,
        Found.UNREACHABLE,
        Found.UNAVAILABLE,
    ]
    assert judge(answer(503), TERMS, NOW + 365 * DAY, later).found is Found.UNREACHABLE
    healed = judge(answer(404), terms, NOW + DAY, first)
    assert judge(answer(503), terms, NOW + 40 * DAY, healed).found is Found.UNREACHABLE


def test_the_last_file_may_stand_in_while_it_cannot_be_reached():
    """By option; otherwise nothing is allowed."""
    before = judge(answer(200, body=BODY), TERMS, NOW)
    strict = judge(answer(503), TERMS, NOW + DAY, before)
    stale = judge(answer(503), RobotsTerms(keep_stale=True), NOW + DAY, before)
    other = "http://example.com/y"
    assert not decide(strict, other, "opilio")
    assert decide(stale, other, "opilio")
    assert not decide(stale, URL, "opilio")
    assert stale.expires == NOW + DAY + TERMS.retry
    assert stale.since == NOW + DAY


def test_an_unchanged_file_is_renewed():
    """A 304 renews the rules that are known, and means nothing without them."""
    before = judge(answer(200, body=BODY), TERMS, NOW)
    renewed = judge(answer(304), TERMS, NOW + DAY, before)
    assert renewed.fresh(NOW + DAY + 10)
    assert not decide(renewed, URL, "opilio")
    assert judge(answer(304), TERMS, NOW).found is Found.UNAVAILABLE


def test_five_redirects_are_followed():
    """Then, without a place to go, and in a circle, the file counts as absent."""
    url = "http://example.com/robots.txt"
    assert redirect(url, 301, "https://example.com/robots.txt", 4) == "https://example.com/robots.txt"
    assert redirect(url, 302, "//other.example/r", 0) == "http://other.example/r"
    for status, location, hops in (
        (301, "/x", 5), (301, None, 0), (301, "", 0), (301, "mailto:x", 0), (301, "/robots.txt", 0), (304, "/x", 0),
        (301, "http://[", 0),
    ):  # fmt: skip
        assert redirect(url, status, location, hops) is None
    assert "after 5 redirects" in judge(answer(302, hops=5), TERMS, NOW).sentence


def test_robots_lie_at_the_root():
    """Scheme, host and port are those of the URL."""
    assert robots_url("https://example.com:8443/a/b?c") == "https://example.com:8443/robots.txt"


def test_a_policy_may_ignore_the_file():
    """The decision says that it was the plan's."""
    record = judge(answer(503), TERMS, NOW)
    found = decide(record, URL, "opilio", policy=RobotsPolicy.IGNORE)
    assert found
    assert "plan ignores" in found.reason


def test_an_endless_file_is_kept_only_as_far_as_it_is_read():
    """The store is not filled by a hostile server."""
    assert len(judge(answer(200, body=b"#" * 10_000_000), TERMS, NOW).body) < MOST_BYTES + 10


@pytest.mark.parametrize("status", [200, 404, 503, None])
def test_records_survive_the_store(status):
    """Evidence, body and expiry are enough to take up where the crawl stopped."""
    record = judge(answer(status, body=BODY, hops=2), TERMS, NOW + 0.25)
    kept = record if status == 200 else RobotsRecord(**{**_fields(record), "body": b""})
    assert from_store(record.evidence, kept.body, record.expires) == kept


def _fields(record):
    return {name: getattr(record, name) for name in RobotsRecord.__slots__}


@pytest.mark.parametrize("evidence", ["", "rules", "unknown: x [fetched 1]", "rules: x [fetched soon]", "x" * 10_000])
def test_foreign_evidence_is_no_record(evidence):
    """Then the file is fetched again."""
    assert from_store(evidence, b"", 0.0) is None


AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_pages_speak_for_themselves():
    """Directives for everybody and for us add up; those for others do not count."""
    header = header_directives(["noarchive", "otherbot: noindex", "Opilio: nofollow"])
    found = page_directives("opilio", {"robots": directives("INDEX, follow")}, header, now=AT)
    assert (found.noindex, found.nofollow, found.noarchive) == (False, True, True)
    none = page_directives("opilio", {"robots": directives("none")}, now=AT)
    assert (none.noindex, none.nofollow, none.noarchive) == (True, True, False)


@pytest.mark.parametrize(
    ("text", "expired"),
    [
        ("unavailable_after: 2025-12-31", True),
        ("unavailable_after: 2026-12-31T00:00:00Z", False),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST", True),
        ("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT", True),
        ("unavailable_after: 25 Jun 2110 15:00:00 GMT", False),
        ("unavailable_after: whenever", False),
        ("unavailable_after:", False),
        ("noindex", False),
    ],
)
def test_pages_may_expire(text, expired):
    """A date that is past takes effect; one that cannot be read does not."""
    assert page_directives("opilio", {"robots": directives(text)}, now=AT).expired is expired

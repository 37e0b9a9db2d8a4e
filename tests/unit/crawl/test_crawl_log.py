"""Lines in the form of Heritrix's crawl.log."""

from datetime import UTC, datetime

import pytest

from opilio.crawl.crawl_log import code_of, line
from opilio.crawl.frontier.batch import PageResult
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.values import Entry
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Seed

NOW = datetime(2026, 3, 1, 12, 0, 5, 678_000, tzinfo=UTC)
PLAN = CrawlPlan(seeds=(Seed(url="https://a.example/a b"),))


def entry(**options):
    given = {
        "id": 1,
        "host": 1,
        "name": "a.example",
        "hash64": 1,
        "url": "https://a.example/x",
        "labels": (Label(1, 0, 0),),
    }
    return Entry(**(given | options))


def result(**options):
    given = {
        "entry": entry(),
        "outcome": Outcome.FETCHED,
        "status": 200,
        "size": 1234,
        "at": NOW.timestamp() - 1,
        "ms": 250,
    }
    return PageResult(**(given | options))


def test_twelve_columns_of_an_answer():
    """Moment of writing, status, bytes, URL, path, parent, type, worker, start and length, digest, seed, notes."""
    answered = result(entry=entry(path="LE", parent="https://a.example/", tries=2), digest="sha1:ABC")
    told = line(answered, PLAN, "w0", "text/html", NOW)
    assert told == (
        "2026-03-01T12:00:05.678Z   200       1234 https://a.example/x LE https://a.example/ text/html #w0 "
        "20260301120004678+250 sha1:ABC https://a.example/a%20b fetched,3t\n"
    )
    assert len(told.split()) == 12


def test_a_url_that_was_never_asked_for():
    """It has the moment of the decision; what it lacks is a hyphen."""
    denied = result(outcome=Outcome.ROBOTS_DENIED, status=None, at=0.0, size=0)
    told = line(denied, PLAN, "w0", "", NOW).split()
    assert told[:3] == ["2026-03-01T12:00:05.678Z", "-9998", "-"]
    assert told[4:10] == ["-", "-", "unknown", "#w0", "-", "-"]


@pytest.mark.parametrize(
    ("outcome", "reason", "code"),
    [
        (Outcome.TRANSIENT_ERROR, "dns: no answer", -1),
        (Outcome.PERMANENT_ERROR, "no-such-host", -1),
        (Outcome.TRANSIENT_ERROR, "refused: nobody listens", -2),
        (Outcome.TRANSIENT_ERROR, "reset", -3),
        (Outcome.TRANSIENT_ERROR, "total-timeout: 20 s", -4),
        (Outcome.TRANSIENT_ERROR, "the host does not answer: dns", -2),
        (Outcome.EXCLUDED, "dns: an exclusion may be called so", -5001),
        (Outcome.SCOPE_DENIED, "type: image/png is excluded", -5000),
        (Outcome.OVER_LIMIT, "", -5003),
        (Outcome.TRAP, "", -4000),
    ],
)
def test_codes_where_there_is_no_status(outcome, reason, code):
    """Heritrix's own, by outcome or by the trouble that was met."""
    assert code_of(result(outcome=outcome, reason=reason, status=None)) == code


def test_hostile_types_stay_one_word():
    """No space, line end or escape gets into a column; a cut body is noted."""
    told = line(result(reason="cut off: length; robots: noindex"), PLAN, "w0", "text/html evil\n\x1b[2J", NOW)
    assert len(told.split()) == 12
    assert told.endswith("fetched,lenTrunc\n")
    assert "\x1b" not in told

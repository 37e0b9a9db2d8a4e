"""What answers mean."""

from datetime import UTC, datetime

import pytest

from opilio.crawl import judging
from opilio.crawl.exchange_to_capture import Payload, payload_of
from opilio.crawl.fetch.decode import Limits
from opilio.crawl.fetch.exchange import Answer, Failure, Trouble
from opilio.crawl.fetch.head import Head
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Scope
from opilio.extract import extract
from opilio.kernel.digests import Algorithm, digest_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def payload(body=b"", *headers, status=200, size=None):
    head = Head(status=status, version="1.1", reason="", headers=headers)
    return Payload(head=head, size=len(body) if size is None else size, digest=digest_of(body), content=body)


def read(body):
    return extract(body, url="http://a.test/", content_type="text/html")


@pytest.mark.parametrize(
    ("status", "outcome", "again"),
    [
        (200, "fetched", False),
        (206, "fetched", False),
        (301, "redirected", False),
        (304, "unchanged", False),
        (300, "permanent-error", False),
        (403, "permanent-error", False),
        (404, "gone", False),
        (410, "gone", False),
        (429, "transient-error", True),
        (500, "transient-error", True),
        (501, "permanent-error", False),
        (503, "transient-error", True),
        (999, "permanent-error", False),
    ],
)
def test_the_status_decides_first(status, outcome, again):
    """Some errors may pass, others do not."""
    judged = judging.of_status(status)
    assert (judged.outcome, judged.again) == (outcome, again)


@pytest.mark.parametrize("trouble", list(Trouble))
def test_troubles_that_may_pass_are_tried_again(trouble):
    """All others are permanent; the reason names the trouble."""
    failure = Failure(trouble=trouble, words="it broke", started=NOW, seconds=1.0)
    judged = judging.of_failure(failure)
    assert judged.again is failure.passing
    assert judged.reason == f"{trouble.value}: it broke"
    assert not judged.kept


def test_a_challenge_is_a_wall_whatever_its_status():
    """By header, by title, by the scripts of protective services; a long page is none."""
    first = judging.of_status(403)
    challenge = payload(b"<title>x</title>", ("cf-mitigated", "challenge"), status=403)
    assert judging.of_content(first, challenge, read(b"<title>x</title>")).outcome is Outcome.BLOCKED
    body = b"<title>Just a moment...</title><p>Checking</p>"
    assert judging.of_content(judging.of_status(200), payload(body), read(body)).outcome is Outcome.BLOCKED
    long = b"<title>Access denied: a history</title><p>" + b"word " * 2_000 + b"</p>"
    assert judging.of_content(judging.of_status(200), payload(long), read(long)).outcome is Outcome.FETCHED


def test_a_forbidden_page_without_signs_of_a_wall_is_a_permanent_error():
    """Forbidden is not a ban of crawlers."""
    body = b"<title>Members only</title><p>Ask the archivist.</p>"
    judged = judging.of_content(judging.of_status(403), payload(body, status=403), read(body))
    assert judged.outcome is Outcome.PERMANENT_ERROR


@pytest.mark.parametrize(
    "title", ["Page not found", "404", "Error 404 - nothing here", "Seite nicht gefunden", "No such item", "Not Found"]
)
def test_a_page_that_says_it_does_not_exist_is_a_soft_404(title):
    """In its title or a heading."""
    body = f"<h1>{title}</h1><p>Sorry.</p>".encode()
    assert judging.of_content(judging.of_status(200), payload(body), read(body)).outcome is Outcome.SOFT_404


@pytest.mark.parametrize("title", ["Lost and found", "Room 404", "The page turner", "Found in the harbour"])
def test_other_pages_are_pages(title):
    """Though they hold the words."""
    body = f"<title>{title}</title><p>Welcome.</p>".encode()
    assert judging.of_content(judging.of_status(200), payload(body), read(body)).outcome is Outcome.FETCHED


def test_types_and_sizes_keep_answers_out():
    """By the plan's lists and limit; nothing is written then."""
    picture = payload(b"x" * 10, ("content-type", "image/png; q=1"))
    assert judging.refusal(Scope(), picture) is None
    assert judging.refusal(Scope(types=("text/*",)), picture).reason.startswith("type: image/png")
    assert judging.refusal(Scope(types=("image/*",)), picture) is None
    assert not judging.refusal(Scope(excluded_types=("image/png",)), picture).kept
    assert judging.refusal(Scope(max_size=9), picture).reason.startswith("size: it has 10 bytes")
    assert judging.refusal(Scope(max_size=10), picture) is None


def answer(head, body):
    return Answer(
        status=200, version="1.1", request=b"", head=head, body=body, started=NOW, finished=NOW, first_byte=0.0,
        seconds=0.0, address=None,
    )  # fmt: skip


def test_the_digest_is_of_the_body_without_transfer_coding():
    """Content coding stays in it; the content is without both."""
    chunked = answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"3\r\nabc\r\n0\r\n\r\n")
    found = payload_of(chunked, Algorithm.SHA1, Limits())
    assert (found.content, found.size, found.digest) == (b"abc", 3, digest_of(b"abc", Algorithm.SHA1))


def test_a_body_that_cannot_be_decoded_is_kept_with_its_fault():
    """What could be read is read."""
    lying = answer(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", b"plain")
    found = payload_of(lying, Algorithm.SHA1, Limits())
    assert found.size == 5
    assert "gzip" in found.fault

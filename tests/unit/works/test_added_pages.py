"""WARC files that are added to a result are read as a crawl would have read them, whatever they hold."""

from dataclasses import replace
from datetime import timedelta

import pytest

from opilio.archive.cdxj import CdxFile
from opilio.archive.results.deriving import Change
from opilio.archive.results.selection import Selection
from opilio.archive.results.view import ResultView
from opilio.archive.warc.reader import read_at
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.crawl.plan import CrawlPlan, Seed
from opilio.crawl.plan_json import to_json
from opilio.kernel.capture import Original, Resource, Revisit, RevisitProfile
from opilio.kernel.digests import Algorithm, digest_of
from opilio.kernel.errors import Damaged
from opilio.works.derive_result import derive
from tests.unit.archive.derived import Page, first_result
from tests.unit.archive.warcs import HEAD, START, capture

URL = "http://example.com/"
PAGE = b'<html lang="en"><title>Owls</title><p>About owls</p><a href="/nest">nest</a><img src="/owl.png"></html>'
LATER = START + timedelta(days=1)


def answer(url=URL, body=PAGE, head=HEAD, at=START, **more):
    return capture(
        url=url, body=body, head=head, started=at, finished=at, payload_digest=digest_of(body, Algorithm.SHA1), **more
    )


@pytest.fixture
def results(tmp_path):
    plan = to_json(CrawlPlan(seeds=(Seed(url=URL),)))
    return first_result(tmp_path / "crawl", [Page("http://example.com/nest", "Nest", (URL,), "old")], plan)


def written(tmp_path, write):
    """A WARC file that a function wrote into."""
    folder = tmp_path / "foreign"
    sink = WarcSink(folder, worker="w0", options=WarcOptions(algorithm=Algorithm.SHA1))
    write(sink)
    sink.close()
    (file,) = folder.iterdir()
    return file


def patched(results, file):
    derive(results.crawl, Change(add=(file,), note="patched", by="curator"))
    return ResultView(results)


def test_a_page(results, tmp_path):
    """Title, language, type, links, text, digest and place are those of the capture."""
    with patched(results, written(tmp_path, lambda sink: sink.append(answer()))) as view:
        page = view.resource(URL)
        assert (page.title, page.language, page.type, page.status) == ("Owls", "en", "html", 200)
        assert (page.outcome, page.at, page.size) == ("fetched", START.timestamp(), len(PAGE))
        assert [(link.hop, link.url) for link in view.outlinks(page.id)] == [
            ("L", "http://example.com/nest"),
            ("E", "http://example.com/owl.png"),
        ]
        assert view.text(page.digest) == "About owls\nnest"
        assert view.inlinks(page.id) == [0]
        assert read_at(results.warcs, page.place).url == URL


def test_other_answers(results, tmp_path):
    """Redirects lead on, missing pages are gone, things that no exchange brought are read too."""
    moved = b"HTTP/1.1 301 Moved\r\nLocation: /nest\r\n\r\n"
    gone = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n"

    def write(sink):
        sink.append(answer("http://example.com/moved", b"", moved, status=301))
        sink.append(answer("http://example.com/gone", b"<p>no", gone, status=404))
        sink.append_resource(
            Resource(url="http://example.com/note", content_type="text/plain", content=b"a note", at=START)
        )
        sink.append_resource(Resource(url="urn:screenshot", content_type="image/png", content=b"x", at=START))

    with patched(results, written(tmp_path, write)) as view:
        found = {page.url.rpartition("/")[2]: page for page in view.resources()}
        assert {name: page.outcome for name, page in found.items()} == {
            "nest": "fetched", "moved": "redirected", "gone": "gone", "note": "fetched",
        }  # fmt: skip
        assert [link.url for link in view.outlinks(found["moved"].id)] == ["http://example.com/nest"]
        assert (found["note"].type, view.text(found["note"].digest)) == ("text", "a note")


def test_several_captures_of_a_url(results, tmp_path):
    """The last one is the resource; all are in the index, and go together when the resource is removed."""

    def write(sink):
        sink.append(answer(at=LATER, body=b"<title>New</title>"))
        sink.append(answer())
        sink.append(answer("https://example.com/", at=LATER + timedelta(days=1)))

    with patched(results, written(tmp_path, write)) as view:
        assert (view.resource(URL).title, view.resource("https://example.com/").title) == ("New", "Owls")
        assert [round(capture.at) for capture in view.earlier()] == [round(START.timestamp())]
    rows = [row for row in CdxFile(results.index(2)).exact(URL) if row.url == URL]
    assert [(row.at.date(), row.type) for row in rows] == [
        (START.date(), "text/html"),
        (LATER.date(), "text/html"),
    ]
    derive(results.crawl, Change(remove=Selection(urls=(URL,)), note="out"))
    assert [row.url for row in CdxFile(results.index(3)).exact(URL)] == ["https://example.com/"]


def test_an_answer_to_a_form_is_no_page(results, tmp_path):
    """What was sent by POST does not become the page of its URL."""

    def write(sink):
        sink.append(answer())
        sink.append(answer(at=LATER, body=b"<title>Welcome</title>", request=b"POST / HTTP/1.1\r\n\r\n", method="POST"))

    with patched(results, written(tmp_path, write)) as view:
        assert view.resource(URL).title == "Owls"


def test_what_was_asked_for_before_the_pages_is_no_page(results, tmp_path):
    """The robots.txt that a crawl reads for itself stays out of the result; one that somebody wanted is in it."""
    robots = "http://example.com/robots.txt"

    def write(sink):
        sink.append(answer(robots, b"User-agent: *"))
        sink.append(answer())

    with patched(results, written(tmp_path / "read", write)) as view:
        assert (view.resource(robots), view.resource(URL).title) == (None, "Owls")
    wanted = written(tmp_path / "wanted", lambda sink: sink.append(answer(robots, b"User-agent: *")))
    with patched(results, wanted) as view:
        assert view.resource(robots) is not None


def test_revisits(results, tmp_path):
    """A capture without its body has that of its original, in the added file or in the result."""
    there = Page("http://example.com/nest", "Nest", (URL,), "old")

    def write(sink):
        first = answer()
        sink.append(first)
        original = Original(url=URL, captured=START)
        again = Revisit(capture=answer(at=LATER), profile=RevisitProfile.IDENTICAL, original=original)
        sink.append_revisit(again)
        lost = Original(url="http://example.com/lost", captured=START)
        other = answer("http://example.com/lost", b"<title>Lost</title>", at=LATER)
        sink.append_revisit(Revisit(capture=other, profile=RevisitProfile.IDENTICAL, original=lost))
        elsewhere = Original(url=there.url, captured=START)
        body = replace(answer("http://example.com/copy", b"old", at=LATER), payload_digest=digest_of(b"old"))
        sink.append_revisit(Revisit(capture=body, profile=RevisitProfile.IDENTICAL, original=elsewhere))

    with patched(results, written(tmp_path, write)) as view:
        page = view.resource(URL)
        assert (page.title, page.at, page.original_url) == ("Owls", LATER.timestamp(), URL)
        lost = view.resource("http://example.com/lost")
        assert (lost.title, lost.reason) == ("", "the body is in a capture that is not here")
        copy = view.resource("http://example.com/copy")
        assert (copy.title, copy.outcome, copy.digest) == ("Nest", "duplicate", there.digest)
        assert [link.url for link in view.outlinks(copy.id)] == [URL]
    types = {row.url: row.type for row in CdxFile(results.index(2)).prefix("")}
    assert types["http://example.com/lost"] == "warc/revisit"


def test_hostile_pages(results, tmp_path):
    """Lying codings, endless nesting and odd URLs neither raise nor hide the other pages."""

    def write(sink):
        sink.append(answer("http://example.com/lie", b"not gzip", HEAD[:-2] + b"Content-Encoding: gzip\r\n\r\n"))
        sink.append(answer("http://example.com/deep", b"<div>" * 2_500))
        sink.append(answer("http://example.com/%zz?\u00e9", b"<title>odd</title>"))
        sink.append(answer("http://example.com/empty", b""))

    with patched(results, written(tmp_path, write)) as view:
        outcomes = {page.url.rpartition("/")[2]: page.outcome for page in view.resources()}
        assert outcomes["deep"] in ("fetched", "unparsable")
        assert outcomes["lie"] == outcomes["empty"] == "fetched"
        assert len(outcomes) == 5


@pytest.mark.parametrize("cut", [7, 200])
def test_a_broken_file_is_refused(results, tmp_path, cut):
    """A WARC file that breaks off is not taken, and leaves no trace."""
    file = written(tmp_path, lambda sink: sink.append(answer()))
    file.write_bytes(file.read_bytes()[:-cut])
    before = sorted(results.crawl.rglob("*"))
    with pytest.raises(Damaged) as caught:
        derive(results.crawl, Change(add=(file,), note="x"))
    assert "recover" in caught.value.remedy or "verify" in caught.value.remedy
    assert sorted(path for path in results.crawl.rglob("*") if path.name != "lock") == before


def test_something_else_is_refused(results, tmp_path):
    """A file that is no WARC file is not taken."""
    file = tmp_path / "notes.txt"
    file.write_text("dear diary " * 100)
    with pytest.raises(Damaged):
        derive(results.crawl, Change(add=(file,), note="x"))

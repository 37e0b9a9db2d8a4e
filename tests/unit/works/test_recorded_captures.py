"""Captures found again by the URL that was asked for: the last of several, with the body wherever it lies."""

from datetime import timedelta

import pytest

from opilio.archive.warc.rescue import rescue_folder
from opilio.archive.warc.sink import WarcSink
from opilio.kernel.capture import DnsAnswer, Original, Revisit, RevisitProfile, Truncated
from opilio.works.recorded_captures import RecordedCaptures
from tests.unit.archive.warcs import START, capture

URL, OTHER = "http://example.com/", "http://example.com/other"
LATER = START + timedelta(seconds=5)


@pytest.fixture
def sink(tmp_path):
    made = WarcSink(tmp_path / "warcs", worker="w0")
    yield made
    made.close()


def recorded(sink, tmp_path, **options):
    sink.close()
    return RecordedCaptures.indexed(tmp_path / "warcs", tmp_path / "index", lambda done: None, **options)


def test_the_last_capture_answers(sink, tmp_path):
    """With the number of tries, its place, and its facts; names and other methods are no pages."""
    sink.append_dns(DnsAnswer(host="example.com", at=START, records=((60, "A", "192.0.2.1"),)))
    sink.append(capture(status=503, head=b"HTTP/1.1 503 Wait\r\n\r\n"))
    place = sink.append(capture(started=LATER, finished=LATER, truncated=Truncated.LENGTH))
    sink.append(capture(url=OTHER, method="POST", request=b"POST /other HTTP/1.1\r\n\r\n"))
    captures, count, last = recorded(sink, tmp_path)
    found = captures.answer(URL)
    assert (count, last) == (2, LATER.replace(microsecond=123456))
    assert (found.tries, found.place, found.original) == (2, place, None)
    answer = found.answer
    assert (answer.status, answer.version, answer.address) == (200, "1.1", "192.0.2.1")
    assert (answer.body, answer.truncated, answer.started) == (b"<title>Owls</title>", Truncated.LENGTH, LATER)
    assert captures.answer(OTHER) is None
    assert captures.answer("http://example.com/never") is None


def test_a_capture_without_its_body_has_that_of_the_other(sink, tmp_path):
    """Found by URL and time; one whose body lies in another crawl is as if it had never been made."""
    sink.append(capture())
    same = capture(url=OTHER, started=LATER, finished=LATER)
    here, elsewhere = Original(url=URL, captured=START), Original(url=URL, captured=START - timedelta(days=9))
    sink.append_revisit(Revisit(capture=same, profile=RevisitProfile.IDENTICAL, original=here))
    lost = capture(url=f"{OTHER}/2", started=LATER, finished=LATER)
    sink.append_revisit(Revisit(capture=lost, profile=RevisitProfile.IDENTICAL, original=elsewhere))
    captures, _, _ = recorded(sink, tmp_path)
    found = captures.answer(OTHER)
    assert (found.answer.body, found.original.url, found.answer.truncated) == (b"<title>Owls</title>", URL, None)
    assert captures.answer(f"{OTHER}/2") is None


@pytest.mark.parametrize("since", [False, True])
def test_a_page_that_was_not_sent_again_needs_the_earlier_crawl(sink, tmp_path, since):
    """Then the answer is the server's own: not modified."""
    unchanged = capture(status=304, head=b"HTTP/1.1 304 Not Modified\r\n\r\n", body=b"")
    original = Original(url=URL, captured=START - timedelta(days=9), digest=unchanged.payload_digest)
    sink.append_revisit(Revisit(capture=unchanged, profile=RevisitProfile.NOT_MODIFIED, original=original))
    captures, _, _ = recorded(sink, tmp_path, since=since)
    found = captures.answer(URL)
    assert (found.answer.status if found else None) == (304 if since else None)


def test_damage_in_the_middle_of_a_file_is_kept_beside_it(sink, tmp_path):
    """All before it stays; a file without any whole record goes away as a whole."""
    sink.append(capture())
    second = sink.append(capture(url=OTHER))
    sink.append(capture(url=f"{OTHER}/3"))
    sink.close()
    (path,) = (tmp_path / "warcs").iterdir()
    data = bytearray(path.read_bytes())
    data[second.offset + 20 : second.offset + 40] = b"\xff" * 20
    path.write_bytes(data)
    empty = path.with_name(path.name.replace("-w0", "-w1"))
    empty.write_bytes(b"nothing of ours")
    torn = rescue_folder(tmp_path / "warcs", "T")
    assert torn == {path.name: len(data) - second.offset, empty.name: 15}
    assert path.stat().st_size == second.offset
    assert path.with_name(f"{path.name}.torn-T").read_bytes() == data[second.offset :]
    assert not empty.exists()
    assert rescue_folder(tmp_path / "warcs", "U") == {}
    assert RecordedCaptures.indexed(tmp_path / "warcs", tmp_path / "index", lambda done: None)[1] == 1

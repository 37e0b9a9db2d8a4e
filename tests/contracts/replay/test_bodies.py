"""Bodies: parts of them, large and damaged ones, and URLs as others write them."""

import http.client
import os
import tracemalloc
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import pytest

from opilio.archive.replay.holdings import Holding, Source
from opilio.archive.warc.compression import Compression, Packer
from tests.contracts.replay.owls import PAGE, SOUND, T
from tests.servers.replayed import NOON, Archive, ReplayServer, open_at


@pytest.mark.parametrize("name", ["sound.wav", "chunked.wav"])
def test_ranges_of_media(server, name):
    """A player can ask for any part; what lies behind the end is refused, what is nonsense ignored."""
    path = f"{T}http://a.test/{name}"
    whole = server.ask(path)
    assert (whole.status, whole.body, whole.headers["Accept-Ranges"]) == (200, SOUND, "bytes")
    part = server.ask(path, Range="bytes=1000-1999")
    assert (part.status, part.body) == (206, SOUND[1000:2000])
    assert part.headers["Content-Range"] == f"bytes 1000-1999/{len(SOUND)}"
    assert server.ask(path, Range="bytes=-3").body == SOUND[-3:]
    assert server.ask(path, Range="bytes=70000-").body == SOUND[70_000:]
    beyond = server.ask(path, Range="bytes=999999-")
    assert (beyond.status, beyond.headers["Content-Range"]) == (416, f"bytes */{len(SOUND)}")
    assert server.ask(path, Range="bytes=0-1,5-6").body == SOUND
    assert server.ask(path, Range="bytes=0-1", If_Range='"another"').status == 200


def test_head_and_conditional_requests(server):
    """HEAD has the headers alone; who has the bytes already is told so."""
    path = f"{T}http://a.test/sound.wav"
    head = server.ask(path, method="HEAD")
    assert (head.status, head.body, head.headers["Content-Length"]) == (200, b"", str(len(SOUND)))
    tag = head.headers["ETag"]
    assert server.ask(path, If_None_Match=f'W/"x", {tag}').status == 304
    assert server.ask(path, If_None_Match='"x"').status == 200


def test_methods_that_only_a_live_server_answers(server):
    """What a page sends to its server is answered by a page that says why not."""
    answer = server.ask(f"{T}http://a.test/", method="POST", body=b"a=b")
    assert answer.status == 405
    assert "no server that could answer" in answer.text


class OneCapture:
    """An index of one line."""

    def __init__(self, row):
        self.row = row

    def exact(self, url):
        return iter((self.row,))

    def prefix(self, key):
        return iter(())


def test_record_of_eight_gigabytes_streams(tmp_path, archive):
    """Its end is served at once, and parts of it without ever being in memory as a whole."""
    size, head = 8 << 30, b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"
    with (tmp_path / "large.warc").open("wb") as stream:
        stream.write(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n")
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(head) + size, head))
        stream.truncate(stream.tell() + size)
    row = replace(archive.rows[0], url="http://a.test/film", at=NOON, file="large.warc", offset=0, digest=None)
    source = Source(index=OneCapture(row), open_at=partial(open_at, tmp_path))
    tracemalloc.start()
    try:
        with ReplayServer(Holding(number=1, title="Large", source=source), cdx=False) as server:
            end = server.ask(f"{T}http://a.test/film", Range="bytes=-10")
            assert (end.status, end.body) == (206, b"\0" * 10)
            middle = server.ask(f"{T}http://a.test/film", Range=f"bytes={4 << 30}-{(4 << 30) + (32 << 20) - 1}")
            assert len(middle.body) == 32 << 20
            assert server.ask(f"{T}http://a.test/film", method="HEAD").headers["Content-Length"] == str(size)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 150 << 20  # what this test itself read, and little more


def test_damaged_records_are_told(tmp_path):
    """A record that is cut off or gone is told on a page, and the others are shown."""
    made = Archive(folder=tmp_path)
    made.keep("http://a.test/", PAGE).keep("http://a.test/other", PAGE)
    made.rows[1] = replace(made.rows[1], offset=3)
    with ReplayServer(made.holding()) as server:
        assert server.ask(f"{T}http://a.test/").status == 200
        answer = server.ask(f"{T}http://a.test/other")
        assert answer.status == 502
        assert "cannot be read" in answer.text


def test_body_that_breaks_off_is_not_taken_for_whole(tmp_path):
    """A record whose file ends early is an error, before the answer or in the middle of it."""
    made = Archive(folder=tmp_path, compression=Compression(packer=Packer.PLAIN))
    made.keep("http://a.test/soon", bytes(200_000), type="video/mp4")
    made.keep("http://a.test/late", bytes(3_000_000), type="video/mp4")
    soon, late = made.rows
    holding = made.holding()
    (path,) = tmp_path.glob("*.warc*")
    with ReplayServer(holding) as server:
        os.truncate(path, late.offset + 2_000_000)
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            server.ask(f"{T}http://a.test/late")
        os.truncate(path, soon.offset + 150_000)
        broken = server.ask(f"{T}http://a.test/soon")
        assert broken.status == 502
        assert "not a whole record" in broken.text


def test_urls_as_others_write_them(tmp_path):
    """An index of other programs may spell URLs differently, or not in ASCII; nobody is sent in circles."""
    made = Archive(folder=tmp_path).keep("http://a.test/~owl", PAGE).keep("http://a.test/caf%C3%A9", PAGE)
    made.keep("http://a.test/%E9", PAGE)
    made.rows[0] = replace(made.rows[0], url="http://a.test/%7Eowl")
    made.rows[1] = replace(made.rows[1], url="http://a.test/café")
    with ReplayServer(made.holding()) as server:
        assert server.ask(f"{T}http://a.test/~owl").status == 200
        assert server.ask("/2026/http://a.test/%7Eowl").headers["Location"] == f"{T}http://a.test/%7Eowl"
        assert server.ask(f"{T}http://a.test/%7Eowl").status == 200
        assert server.ask("/2026/http://a.test/caf%C3%A9").headers["Location"] == f"{T}http://a.test/caf%C3%A9"
        assert server.ask(f"{T}http://a.test/caf%C3%A9").status == 200
        assert server.ask(f"{T}http://a.test/%E9").status == 200


def test_xhtml_stays_well_formed(tmp_path):
    """Script and banner of ours do not break what is read as XML."""
    head = b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>'
    page = head + b'<body><a href="/b"/></body></html>'
    made = Archive(folder=tmp_path).keep("http://a.test/?a=1&b=2", page, type="application/xhtml+xml")
    with ReplayServer(made.holding()) as server:
        answer = server.ask(f"{T}http://a.test/?a=1&b=2")
        tree = ElementTree.fromstring(answer.body)  # noqa: S314 - our own server
        assert "Archived copy" in "".join(tree.itertext())
        assert tree.find(".//{*}a").get("href") == f"{T}http://a.test/b"

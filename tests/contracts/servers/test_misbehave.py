"""Lengths, chunks, endings, bombs, encodings and odd bytes, as they are on the wire."""

import gzip
import zlib

import brotli
import httpx
import pytest
import zstandard

from tests.servers.answers import chunk
from tests.servers.misbehave import bodies, encodings
from tests.servers.misbehave.odd_bytes import ODD
from tests.servers.raw_client import ask, connect, read_all, read_head, request_bytes

MIB = 1 << 20


def joined(data: bytes) -> bytes:
    """The content of a chunked body."""
    content = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        content, data = content + data[: int(size, 16)], data[int(size, 16) + 2 :]
    return content


def test_drop_sends_nothing(server):
    """The connection closes in order, without a byte."""
    assert ask(server.port, "/drop").data == b""
    assert ask(server.port, "/drop/head").data == b"HTTP/1.1 200 OK\r\nContent-Type: text/ht"


def test_drop_then_page_recovers(server, key):
    """After the dropped requests the page comes."""
    answers = [ask(server.port, f"/drop/then-page?times=2&key={key}").data[:12] for _ in range(3)]
    assert answers == [b"", b"", b"HTTP/1.1 200"]


def test_reset_in_body_comes_after_half(server):
    """Half of the body can be read before the connection is reset."""
    with connect(server.port) as connection:
        connection.sendall(request_bytes("/reset/body?seconds=0.3"))
        assert read_head(connection).header("Content-Length") == "20"
        assert read_all(connection, limit=10) == b"half of it"
        with pytest.raises(ConnectionResetError):
            connection.recv(1)


def test_slow_head_is_dribbled(server):
    """The head comes in single bytes: with a pause of an hour only the first is there."""
    with connect(server.port) as connection:
        connection.sendall(request_bytes("/slow/dribble?seconds=3600"))
        assert connection.recv(100) == b"H"


def test_slow_body_comes_whole(server):
    """The dribbled body has its announced length in the end."""
    answer = ask(server.port, "/slow/body?seconds=0.001&pieces=7")
    assert (answer.header("Content-Length"), answer.body) == ("7", b".......")


def test_slow_headers_keep_silent(server):
    """Before the wait is over, nothing has been sent."""
    with connect(server.port) as connection:
        connection.sendall(request_bytes("/slow/headers?seconds=3600"))
        connection.settimeout(0.1)
        with pytest.raises(TimeoutError):
            connection.recv(1)


def test_truncated_announces_more(server):
    """The length is larger than the body by what was asked for."""
    answer = ask(server.port, "/truncated?missing=77")
    assert int(answer.header("Content-Length")) == len(answer.body) + 77
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(server.url("/truncated"))


def test_wrong_length_announces_less(server):
    """The length is smaller than the body by what was asked for."""
    answer = ask(server.port, "/wrong-length?extra=9")
    assert int(answer.header("Content-Length")) == len(answer.body) - 9
    assert httpx.get(server.url("/wrong-length?extra=9")).content == bodies.BODY[:-9]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/chunks/broken", chunk(bodies.BODY) + b"zz-no-size\r\nlost\r\n"),
        ("/chunks/short", b"%x\r\n" % (len(bodies.BODY) + 50) + bodies.BODY),
        ("/chunks/no-last", chunk(bodies.BODY)),
        ("/chunks/huge", b"ffffffffffffffff\r\n" + bodies.BODY),
    ],
)
def test_chunks_are_broken(server, path, body):
    """Each fault in the chunks is on the wire as described, and a strict client complains."""
    answer = ask(server.port, path)
    assert answer.header("Transfer-Encoding") == "chunked"
    assert answer.body == body
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(server.url(path))


@pytest.mark.parametrize("path", ["/endless", "/endless/chunks"])
def test_endless_goes_on(server, path):
    """Far more than any buffer between us comes, and has no announced length."""
    answer = ask(server.port, path, limit=20 * MIB)
    assert len(answer.data) == 20 * MIB
    assert answer.header("Content-Length") is None


def test_endless_can_be_slow(server):
    """With a pause, the second piece does not come at once."""
    with connect(server.port) as connection:
        connection.sendall(request_bytes("/endless?seconds=3600"))
        read_head(connection)
        assert len(read_all(connection, limit=len(bodies.BODY) * 100)) == len(bodies.BODY) * 100
        connection.settimeout(0.1)
        with pytest.raises(TimeoutError):
            connection.recv(1)


@pytest.mark.parametrize(
    ("coding", "expand", "ratio"),
    [
        ("gzip", gzip.decompress, 900),
        ("br", brotli.decompress, 100_000),
        ("zstd", lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data), 10_000),
    ],
)
def test_bombs_expand(server, coding, expand, ratio):
    """A bomb expands to exactly the size asked for from a small part of it, by the codec's own library."""
    answer = ask(server.port, f"/bomb/{coding}?mib=32")
    assert answer.header("Content-Encoding") == coding
    data = joined(answer.body)
    assert expand(data) == b" " * (32 * MIB)
    assert len(data) * ratio < 32 * MIB


def test_bombs_are_lazy(server):
    """The head of a bomb of a tebibyte comes at once."""
    for coding in ("gzip", "br", "zstd"):
        with connect(server.port) as connection:
            connection.sendall(request_bytes(f"/bomb/{coding}?mib={MIB}"))
            assert read_head(connection).status == 200


def test_bomb_leaves_the_connection_usable(server):
    """After a bomb, which is correct HTTP, the next request is answered on the same connection."""
    with httpx.Client() as client:
        assert len(client.get(server.url("/bomb/gzip?mib=1")).content) == MIB
        assert client.get(server.url("/page")).status_code == 200


def test_double_bomb_expands_twice(server):
    """Two layers, both declared, in under a kilobyte."""
    answer = ask(server.port, "/bomb/gzip-gzip?mib=16")
    assert answer.header("Content-Encoding") == "gzip, gzip"
    assert len(answer.body) < 1024
    assert gzip.decompress(gzip.decompress(answer.body)) == b" " * (16 * MIB)


def test_header_bombs_are_as_large_as_asked_for(server):
    """Many headers, or one huge one."""
    many = ask(server.port, "/bomb/headers?count=5000")
    assert many.head.count(b"\r\nX-Straw-") == 5000
    assert many.body == b"ok"
    huge = ask(server.port, "/bomb/header?kib=300")
    assert len(huge.header("X-Straw")) == 300 * 1024
    assert huge.body == b"ok"


@pytest.mark.parametrize(
    ("name", "coding", "expand"),
    [
        ("gzip", "gzip", gzip.decompress),
        ("br", "br", brotli.decompress),
        ("zstd", "zstd", zstandard.decompress),
        ("deflate", "deflate", zlib.decompress),
        ("raw-deflate", "deflate", lambda data: zlib.decompress(data, -zlib.MAX_WBITS)),
        ("mislabelled", "gzip", bytes),
        ("unknown", "sheaf", bytes),
    ],
)
def test_encoded_page_expands(server, name, coding, expand):
    """Each page is what its name says, under the label that its name says."""
    answer = ask(server.port, f"/encoded/{name}")
    assert answer.header("Content-Encoding") == coding
    assert expand(answer.body) == encodings.BODY


def test_cut_gzip_ends_early(server):
    """The length is right, but the compressed stream has no end."""
    answer = ask(server.port, "/encoded/cut")
    assert int(answer.header("Content-Length")) == len(answer.body)
    with pytest.raises(EOFError):
        gzip.decompress(answer.body)


def test_gzip_is_negotiated(server):
    """gzip comes only to those who accept it."""
    assert ask(server.port, "/encoded/negotiated").header("Content-Encoding") is None
    answer = ask(server.port, "/encoded/negotiated", headers={"Accept-Encoding": "br, gzip"})
    assert answer.header("Content-Encoding") == "gzip"


@pytest.mark.parametrize("name", ODD)
def test_odd_bytes_are_exact(server, name):
    """What is on the wire is the row of the table, to the byte, and then the end."""
    assert ask(server.port, f"/odd/{name}").data == ODD[name][1]


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("no-colon", b"\r\nthis line has no colon\r\n"),
        ("nul", b"a\x00b"),
        ("two-lengths", b"Content-Length: 10\r\nContent-Length: 7\r\n"),
        ("folded", b"X-Odd: first\r\n\t second\r\n"),
        ("early-hints", b"HTTP/1.1 103 Early Hints\r\n"),
        ("lower-case", b"http/1.1 200 ok\r\n"),
        ("http-1.0", b"HTTP/1.0 200 OK\r\n"),
        ("bare-newlines", b"200 OK\nContent-Type"),
    ],
)
def test_odd_bytes_are_odd(name, mark):
    """The rows that clients stumble over hold their stumbling stone."""
    assert mark in ODD[name][1]


def test_http_0_9_has_no_head(server):
    """HTTP/0.9 is a body and nothing else; a type is missing where the name says so."""
    assert ask(server.port, "/odd/http-0.9").data == b"<p>odd</p>"
    assert ask(server.port, "/odd/no-type").header("Content-Type") is None

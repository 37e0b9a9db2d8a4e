"""Requests and correct responses, byte for byte."""

import pytest

from tests.servers.raw_client import ask, connect, read_all, read_answer, read_head, request_bytes
from tests.servers.request import HEAD_LIMIT, Malformed, Request, parse_head


def test_head_is_parsed():
    """Method, target, version and headers keep their spelling; names are found in any case."""
    request = parse_head(b"GET /a%20b?x=1&x=2 HTTP/1.1\r\nhOST: A.localhost:81\r\nX-M: M\xe4her\r\n\r\n", scheme="http")
    assert isinstance(request, Request)
    assert (request.method, request.target, request.version) == ("GET", "/a%20b?x=1&x=2", "HTTP/1.1")
    assert request.headers == (("hOST", "A.localhost:81"), ("X-M", "Mäher"))
    assert (request.host, request.path, request.query) == ("a.localhost", "/a b", {"x": "2"})


def test_absolute_target_names_the_host():
    """A request to a proxy names the host in its target, which wins over the Host header."""
    request = parse_head(b"GET http://far.example:8080/p?q=1 HTTP/1.1\r\nHost: near\r\n\r\n", scheme="http")
    assert (request.host, request.path, request.local_target) == ("far.example", "/p", "/p?q=1")


@pytest.mark.parametrize(
    "head",
    [
        b"GET /\r\nHost: a\r\n\r\n",
        b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost a\r\n\r\n",
        b"GET / HTTP/1.1\r\n Host: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nAccept: */*\r\n\r\n",
        b"GET http://[::1/ HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    ],
)
def test_malformed_head_is_refused(server, head):
    """What is no request gets 400 with the reason, and the connection is closed."""
    assert isinstance(parse_head(head, scheme="http"), Malformed)
    with connect(server.port) as connection:
        connection.sendall(head)
        data = read_all(connection)
    assert data.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"Connection: close\r\n" in data


def test_oversized_head_is_refused(server):
    """A head above the limit gets 400, which arrives although the client has sent more than was read."""
    with connect(server.port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * (HEAD_LIMIT * 2))
        assert read_head(connection).status == 400


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("Content-Length: -1", b""),
        ("Content-Length: many", b""),
        ("Content-Length: 99999999999", b""),
        ("Content-Length: 10", b"short"),
        ("Transfer-Encoding: chunked", b"zz\r\n"),
        ("Transfer-Encoding: chunked", b"ffffffff\r\n"),
        ("Transfer-Encoding: chunked", b"5\r\nab"),
    ],
)
def test_malformed_body_is_refused(server, header, body):
    """A body that does not fit its announcement gets 400."""
    with connect(server.port) as connection:
        connection.sendall(f"POST /echo HTTP/1.1\r\nHost: a\r\n{header}\r\n\r\n".encode() + body)
        connection.shutdown(1)
        assert read_all(connection).startswith(b"HTTP/1.1 400 ")


def test_connection_is_kept(server, key):
    """Requests follow each other on one connection, also when sent ahead; the log shows one connection."""
    with connect(server.port) as connection:
        one = request_bytes("/page", host=f"{key}.localhost", close=False)
        connection.sendall(one + one)
        assert [read_answer(connection).status for _ in range(2)] == [200, 200]
        connection.sendall(request_bytes("/page", host=f"{key}.localhost"))
        assert b"Connection: close" in read_all(connection)
    entries = [entry for entry in server.log() if entry.host == f"{key}.localhost"]
    assert len(entries) == 3
    assert len({entry.connection for entry in entries}) == 1


def test_http_1_0_is_closed(server):
    """A client of HTTP/1.0 that does not ask for more gets one answer."""
    with connect(server.port) as connection:
        connection.sendall(b"GET /page HTTP/1.0\r\n\r\n")
        assert b"Connection: close\r\n" in read_all(connection)


def test_head_has_no_body(server):
    """HEAD gives the same head as GET, and nothing else."""
    full = ask(server.port, "/page")
    bare = ask(server.port, "/page", method="HEAD")
    assert bare.body == b""
    assert bare.header("Content-Length") == full.header("Content-Length") == str(len(full.body))


def test_head_can_be_refused(server):
    """`/no-head` answers HEAD with 405 and GET with a page."""
    assert ask(server.port, "/no-head", method="HEAD").status == 405
    assert ask(server.port, "/no-head").status == 200


def test_continue_is_sent(server):
    """A client that waits for 100 Continue gets it before its body is read."""
    with connect(server.port) as connection:
        request = request_bytes("/echo", method="POST", headers={"Expect": "100-continue", "Content-Length": "4"})
        connection.sendall(request)
        assert read_head(connection).data == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"bale")
        assert b'"body": "bale"' in read_all(connection)


def test_chunked_request_is_read(server):
    """A chunked body arrives whole, with extensions and trailers ignored."""
    with connect(server.port) as connection:
        connection.sendall(request_bytes("/echo", method="POST", headers={"Transfer-Encoding": "chunked"}))
        connection.sendall(b"2;x=y\r\nba\r\n2\r\nle\r\n0\r\nTrailer: t\r\n\r\n")
        assert b'"body": "bale"' in read_all(connection)


def test_headers_cannot_be_injected(server):
    """A line break in a parameter cannot add a header."""
    for target in ("/redirect/to?url=/%0D%0AX-Bad:1", "/cookies/set?a=%0D%0AX-Bad:1", "/type?type=a%00b"):
        answer = ask(server.port, target)
        assert answer.status == 400
        assert answer.header("X-Bad") is None


def test_type_and_size_are_as_asked_for(server):
    """`/type` sends any media type in any size."""
    answer = ask(server.port, "/type?type=application/pdf&size=12345")
    assert answer.header("Content-Type") == "application/pdf"
    assert len(answer.body) == 12345

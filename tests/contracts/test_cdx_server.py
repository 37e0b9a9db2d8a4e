"""The CDX server under the server that the product uses, asked over HTTP."""

import json
import socket
import subprocess
import sys
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

import pytest

from tests.unit.archive.cdx.lines import row, sorted_file

LINES = 20_000
_APP = """
from pathlib import Path
from opilio.archive.cdx.opening import open_index
from opilio.archive.cdx.server import CdxServer

servers = {"/cdx": CdxServer(open_index(Path("index.cdxj"))), "/broken": CdxServer(open_index(Path("broken.cdxj")))}


async def app(scope, receive, send):
    if scope["type"] == "http":
        await servers[scope["path"]](scope, receive, send)
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """An index of many lines, and one that is damaged near its end; the port and the lines."""
    folder = tmp_path_factory.mktemp("served")
    lines = sorted_file(folder / "index.cdxj", [row(f"http://example.org/{number}") for number in range(LINES)])
    (folder / "broken.cdxj").write_bytes(
        b"".join([*lines[:-5], b"org,example)/9999 20260101000000 broken\n", *lines[-5:]])
    )
    (folder / "served.py").write_text(_APP)
    with _granian(folder) as port:
        yield port, lines


@contextmanager
def _granian(folder):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "granian", "--interface", "asginl", "--port", str(port), "served:app"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert any("Started worker" in line for line in server.stdout)
        _wait_until_open(port, server)
        yield port
    finally:
        server.terminate()
        server.communicate(timeout=30)


def _wait_until_open(port, server):
    """A worker says that it started a moment before it listens."""
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError(server.returncode)


@contextmanager
def asked(port, path="/cdx", **parameters):
    """The response to a question."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", f"{path}?{urlencode(parameters)}")
        yield connection.getresponse()
    finally:
        connection.close()


def test_a_large_answer_comes_whole(served):
    """In pieces, with no length told before."""
    port, lines = served
    with asked(port, url="*.example.org") as response:
        assert (response.status, response.getheader("Content-Length")) == (200, None)
        assert response.read() == b"".join(lines)


def test_questions_with_few_answers(served):
    """Filters, forms and errors as without a network."""
    port = served[0]
    with asked(port, url="http://example.org/7", output="json") as response:
        assert json.loads(response.read())["url"] == "http://example.org/7"
        assert response.getheader("Content-Type") == "application/x-ndjson"
    with asked(port, url="http://example.org/*", filter="~url:.*/1999$") as response:
        assert response.read().count(b"\n") == 1
    with asked(port, url="http://example.org/", limit="many") as response:
        assert (response.status, json.loads(response.read())["where"]) == (400, "limit")


def test_an_answer_that_breaks_off_has_no_end(served):
    """Damage behind the first lines cannot change the status any more; the client sees that something is missing."""
    port = served[0]
    with asked(port, "/broken", url="*.example.org") as response, pytest.raises((HTTPException, ConnectionError)):
        assert len(response.read()) < 0, "the answer ended as if it were whole"
    with asked(port, "/broken", url="http://example.org/9999") as response:
        assert (response.status, "broken.cdxj at " in response.read().decode()) == (500, True)


def test_readers_who_leave(served):
    """Many who hang up in the middle leave a server that answers."""
    port = served[0]
    for _ in range(20):
        with asked(port, url="*.example.org") as response:
            assert response.read(10)
    with asked(port, url="http://example.org/7") as response:
        assert response.read().count(b"\n") == 1

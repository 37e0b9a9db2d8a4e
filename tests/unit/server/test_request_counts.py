"""Requests are counted by every process of a server, and added up by whoever is asked."""

import asyncio
import os

import pytest

from opilio.server import request_counts
from opilio.server.figures import REQUESTS, requests
from opilio.server.request_counts import Counts, counted, key_of, totals


def _answer(status):
    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": status})
        await send({"type": "http.response.body", "body": b""})

    return application


def _call(application, path, method="GET"):
    async def send(_message):
        pass

    asyncio.run(application({"type": "http", "path": path, "method": method}, None, send))


@pytest.mark.parametrize(
    ("path", "method", "status", "key"),
    [
        ("/targets", "GET", 200, ("page", "GET", "2xx")),
        ("/api/v1/targets", "POST", 422, ("api", "POST", "4xx")),
        ("/static/web/app.css", "GET", 304, ("static", "GET", "3xx")),
        ("/health/live", "HEAD", 200, ("operation", "other", "2xx")),
        ("/sign-in", "GET", 503, ("page", "GET", "5xx")),
        ("/sign-in", "GET", 103, ("page", "GET", "2xx")),
    ],
)
def test_under_what_a_request_counts(path, method, status, key):
    """Face, method and class of status: few enough to be kept for ever."""
    assert key_of({"path": path, "method": method}, status) == key


def test_processes_are_added_up(tmp_path, monkeypatch):
    """A process that ended still counts; a file that is no count does not."""
    for pid in (11, 12):
        monkeypatch.setattr(os, "getpid", lambda pid=pid: pid)
        counts = Counts(tmp_path)
        _call(counted(_answer(200), counts), "/targets")
        _call(counted(_answer(404), counts, face="replay"), "/x")
        counts.close()
    (tmp_path / "13").write_bytes(b"torn")
    found = totals(tmp_path)
    assert {key: row[0] for key, row in found.items()} == {("page", "GET", "2xx"): 2, ("replay", "GET", "4xx"): 2}
    assert all(row[-1] == row[0] for row in found.values())  # within ten seconds


def test_the_histogram_is_whole(tmp_path):
    """Buckets rise, the last holds all, sum and count are there."""
    counts = Counts(tmp_path)
    for seconds in (0.001, 0.03, 7.0, 60.0):
        counts.add(("page", "GET", "2xx"), seconds)
    counts.close()
    bucket, total, count = requests(tmp_path)
    numbers = [number for _, number in bucket.values]
    assert numbers == sorted(numbers)
    assert bucket.values[-1] == ({"face": "page", "method": "GET", "status": "2xx", "le": "+Inf"}, 4)
    assert total.values[0][1] == pytest.approx(67.031)
    assert count.values[0][1] == 4
    assert {figure.family for figure in (bucket, total, count)} == {REQUESTS}


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    """A server that begins or ends forgets what its processes counted."""
    monkeypatch.setattr(request_counts.tempfile, "gettempdir", lambda: str(tmp_path))
    Counts(request_counts.folder_of(99)).close()
    request_counts.clear(99)
    assert list(tmp_path.iterdir()) == []

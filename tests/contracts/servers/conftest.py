"""One plain and one TLS server per test worker; tests stay apart by a `key` or a host name of their own."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.servers.http_server import HttpServer


@pytest.fixture(scope="session")
def server() -> Iterator[HttpServer]:
    with HttpServer() as running:
        yield running


@pytest.fixture(scope="session")
def tls_server() -> Iterator[HttpServer]:
    with HttpServer(tls=True) as running:
        yield running


@pytest.fixture
def key() -> str:
    """A value that no other test uses: counts of requests then start at one."""
    return uuid4().hex

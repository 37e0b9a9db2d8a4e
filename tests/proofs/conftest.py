"""What the proofs about crawls share: a server, and a place for the crawl store in the database of this run."""

import pytest

from tests.acceptance.crawl.crawls import store_address
from tests.servers.http_server import HttpServer


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def address(database_engine):
    with store_address(database_engine) as found:
        yield found

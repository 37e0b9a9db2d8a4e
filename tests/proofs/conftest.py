"""What proofs share: a server, a place for the crawl store in the database of this run, a disk that is soon full."""

import pytest

from tests.acceptance.crawl.crawls import store_address
from tests.proofs.small_disk import SmallDisk
from tests.servers.http_server import HttpServer


@pytest.fixture
def server():
    with HttpServer() as running:
        yield running


@pytest.fixture
def address(database_engine):
    with store_address(database_engine) as found:
        yield found


@pytest.fixture
def disk(tmp_path):
    """Not made yet: the proof says how large it is."""
    found = SmallDisk(tmp_path / "disk")
    yield found
    found.remove()

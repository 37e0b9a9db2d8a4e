"""One server for all the tiny sites: the folder `a_b` answers as `a-b.localhost`."""

from pathlib import Path

import pytest

from tests.servers.http_server import HttpServer
from tests.sites.crawling import Sites


@pytest.fixture(scope="session")
def site_server():
    with HttpServer(sites=Path(__file__).parent) as server:
        yield server


@pytest.fixture
def sites(site_server):
    return Sites(site_server)

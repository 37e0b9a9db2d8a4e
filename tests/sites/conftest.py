"""One server for all the tiny sites: the folder `a_b` answers as `a-b.localhost`."""

import tempfile
from pathlib import Path

import pytest

from tests.servers.http_server import HttpServer
from tests.sites.again import Again
from tests.sites.crawling import Sites


@pytest.fixture(scope="session")
def site_server():
    with HttpServer(sites=Path(__file__).parent) as server:
        yield server


@pytest.fixture
def sites(site_server):
    return Sites(site_server)


@pytest.fixture(scope="session")
def written_sites(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    with HttpServer(sites=folder) as server:
        yield server, folder


@pytest.fixture
def again(written_sites, tmp_path):
    """A site of its own that the test writes."""
    server, folder = written_sites
    site = Path(tempfile.mkdtemp(prefix="s", suffix="x", dir=folder).lower())
    site.mkdir(exist_ok=True)
    return Again(Sites(server), site, tmp_path)

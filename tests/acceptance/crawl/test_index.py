"""The index of a crawl, made again: from its store, from its result, and from its WARC files alone."""

import json

import pytest

from opilio.archive.cdxj import CdxFile
from opilio.cli.main import main
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.seal_at_end import Sealing
from opilio.works.seal_crawl import seal
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.sites.crawling import QUICK

SITE = LargeSite(pages=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A crawl that ended and is not yet sealed."""
    place = tmp_path_factory.mktemp("indexed") / "out"
    with HttpServer() as server:
        start = server.url(f"{SITE.base}/", host="h0.localhost")
        crawl(plan_for(start), place, Crew(sealing=Sealing(keep_open=True), settings=QUICK))
    return place


def _places(path):
    """What the files say, without the type: a row of a crawl has the usual one of its kind."""
    return sorted((each.url, each.file, each.offset, each.length, each.status) for each in CdxFile(path).prefix(""))


def test_a_crawl_is_indexed_from_what_it_committed(folder, tmp_path, capsys):
    """Store and result give the index that the crawl has; the WARC files give the same captures, and more kinds."""
    kept = (folder / "index.cdxj").read_bytes()
    for _ in ("store", "result"):
        assert main(["archive", "index", str(folder), "--output", str(tmp_path / "x.cdxj"), "--json"]) == 0
        assert (tmp_path / "x.cdxj").read_bytes() == kept
        seal(folder)
    capsys.readouterr()
    words = ["archive", "index", str(folder), "--from-warcs", "--output", str(tmp_path / "w.cdxj"), "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["indexes"][0]["files"] == len(list((folder / "warcs").iterdir()))
    assert len(_places(folder / "index.cdxj")) >= SITE.pages
    assert set(_places(folder / "index.cdxj")) <= set(_places(tmp_path / "w.cdxj"))

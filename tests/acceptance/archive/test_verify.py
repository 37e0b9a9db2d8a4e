"""A real crawl is verified, damaged, and recovered."""

import os

import pytest

from opilio.archive.verify.extracting import Part, extract
from opilio.archive.verify.places import places
from opilio.archive.verify.recovering import recover
from opilio.archive.verify.verifying import verify
from opilio.works.crawl_to_archive import Crew, crawl
from tests import nursery
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.sites.crawling import QUICK

PAGES = {
    "index.html": '<title>Birds</title><a href="owls.html">o</a><a href="same.html">s</a><a href="gone">g</a>',
    "owls.html": "<title>Owls</title><p>hoot</p>" * 200,
    "same.html": "<title>Owls</title><p>hoot</p>" * 200,
    "robots.txt": "User-agent: *\nDisallow: /private\n",
}  # fmt: skip


@pytest.fixture
def crawled(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    for name, text in PAGES.items():
        (site / name).write_text(text)
    with HttpServer(site=site) as server:
        crawl(plan_for(server.url("/")), tmp_path / "crawl", Crew(settings=QUICK))
        return tmp_path / "crawl", server.url("/")


def test_a_crawl_passes_with_its_index_and_its_manifest(crawled):
    """Not even a warning: records, duplicates, robots.txt, index and sealed result."""
    folder, url = crawled
    found = verify(places([folder]))
    assert [fault.document() for fault in found.faults] == []
    assert found.lines > 3
    assert places([folder]).manifests
    text = b"".join(extract(places([folder]), f"{url}same.html").pieces(Part.CONTENT))
    assert text.decode() == PAGES["same.html"]
    command = [*nursery.OPILIO, "archive", "extract", f"{url}owls.html", str(folder)]
    done = nursery.run(command, env={**os.environ, "OPILIO_HOME": str(folder.parent)})
    assert done.stdout.decode() == PAGES["owls.html"], done.stderr


def test_a_byte_that_changed_in_a_sealed_file_is_found_and_the_rest_is_kept(crawled, tmp_path):
    """The record, the index and the manifest tell; the new file holds all other records."""
    folder, _ = crawled
    (warc,) = places([folder]).records
    before = verify(places([warc])).records
    data = bytearray(warc.read_bytes())
    data[len(data) // 2] ^= 0x55
    warc.write_bytes(data)
    codes = {fault.code.value for fault in verify(places([folder])).faults}
    assert "manifest-changed" in codes
    assert codes & {"member-broken", "member-checksum", "member-header"}
    found = recover(warc, tmp_path / "new.warc.gz")
    assert verify(places([found.output])).records == found.records == before - 1

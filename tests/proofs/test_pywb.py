"""A real pywb, in an environment of its own, shows our WARC files as our own replay does; `make prove` installs it."""

import http.client
import subprocess

import pytest
from selectolax.lexbor import LexborHTMLParser

from benchmarks.archive import pywb
from opilio.archive.cdx.opening import open_index
from opilio.archive.replay.archive_paths import path_of
from opilio.extract.kind import essence
from opilio.works.replay_crawl import opened_holdings
from opilio.works.sample import expected
from tests.browser.replay.sample import crawled_sample
from tests.servers.replayed import ReplayServer

pytestmark = [pytest.mark.foreign, pytest.mark.proof, pytest.mark.only_on("sqlite"), pytest.mark.timeout(1_800)]

PATHS = sorted(
    expected.PAGES | expected.FILES | expected.FOUND_BY_SCRIPT | expected.BROKEN_LINKS | expected.REDIRECTS.keys()
)


@pytest.fixture
def crawled(tmp_path):
    try:
        pywb.environment("pywb", pywb.PEER)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"pywb cannot be installed here: {error}")
    folder = tmp_path / "harbour"
    return folder, crawled_sample(folder)


def text_of(body):
    """What a reader sees of a page, whoever shows it."""
    page = LexborHTMLParser(body)
    page.strip_tags(["script", "style", "template", "opilio-banner", "noscript"])
    return " ".join((page.body.text(separator=" ") if page.body else "").split())


def asked_of_pywb(port, stamp, url):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", f"/{pywb.COLLECTION}/{stamp}mp_/{url}")
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def test_pywb_shows_what_we_show(crawled, tmp_path, record_property):
    """Status, type and visible text of every page and file are the same."""
    folder, site = crawled
    index, compared = open_index(folder / "index.cdxj"), 0
    (tmp_path / "pywb").mkdir()
    with (
        opened_holdings(folder) as holdings,
        ReplayServer(*holdings.values()) as ours,
        pywb.serving(folder, tmp_path / "pywb") as port,
    ):
        for path in PATHS:
            rows = list(index.exact(f"{site}{path}"))
            if len(rows) > 1:  # /visit and /visit/ have one key, and pywb one answer for both
                continue
            (row,) = rows
            place = path_of(row.at, row.url)
            status, headers, body = asked_of_pywb(port, place[1:15], row.url)
            mine = ours.ask(place)
            assert mine.status == status == row.status, path
            assert essence(mine.headers["Content-Type"]) == essence(headers["Content-Type"]), path
            if essence(headers["Content-Type"]) == "text/html":
                assert text_of(mine.body) == text_of(body), path
            compared += 1
    assert compared >= len(PATHS) - 2
    record_property("compared", compared)

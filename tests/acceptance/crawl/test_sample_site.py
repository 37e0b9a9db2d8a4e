"""The sample site, crawled from the command line: exactly what a polite crawl must find."""

import json

import pytest

from opilio.works.sample import SampleSite, expected
from tests import nursery
from tests.acceptance.crawl.crawls import pages_of, responses
from tests.nursery import OPILIO


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawl") / "out"
    with SampleSite() as site:
        command = [*OPILIO, "crawl", f"{site.url}/", "--into", str(folder), "--preset", "own-site", "--allow-private"]
        done = nursery.run([*command, "--json"], text=True)
        again = nursery.run(command, text=True)
    return site.url, folder, done, again


def outcomes(crawled):
    return {page.url.removeprefix(crawled[0]): page.outcome.value for page in pages_of(crawled[1])}


def test_every_page_and_file_is_fetched_and_nothing_else(crawled):
    """By links, embeds and sitemaps, each with the outcome it deserves."""
    wanted = dict.fromkeys(
        expected.PAGES | expected.FILES | expected.ONLY_IN_SITEMAP | expected.SITEMAPS | {expected.SITEMAP_INDEX},
        "fetched",
    )
    wanted |= dict.fromkeys(expected.BROKEN_LINKS, "gone")
    wanted |= dict.fromkeys([*expected.REDIRECTS, "/members/"], "redirected")
    wanted |= dict.fromkeys(expected.DENIED_BY_ROBOTS, "robots-denied")
    wanted[expected.SOFT_404] = "soft-404"
    assert outcomes(crawled) == wanted


def test_each_answer_is_kept_once_in_a_sound_warc(crawled):
    """Every URL that was answered has one response record, robots.txt too."""
    captured = {url for url, outcome in outcomes(crawled).items() if outcome != "robots-denied"}
    records = responses(crawled[1])
    assert {url.removeprefix(crawled[0]) for url in records} == captured | {expected.ROBOTS}
    assert set(records.values()) == {1}


def test_the_answer_is_the_report_and_so_is_the_file(crawled):
    """`--json` prints one document; the folder holds it, with a log line and an index line for each URL."""
    _, folder, done, _ = crawled
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    report = json.loads((folder / "report.json").read_text())
    assert document == {"folder": str(folder), **report}
    assert report["outcomes"]["gone"] == len(expected.BROKEN_LINKS)
    assert len((folder / "logs" / "crawl.log").read_text().splitlines()) == report["pages"]
    assert len((folder / "index.cdxj").read_text().splitlines()) == report["pages"] - len(expected.DENIED_BY_ROBOTS)


def test_a_second_crawl_into_the_same_folder_is_refused(crawled):
    """The message names the command that goes on with it."""
    refused = crawled[3]
    assert refused.returncode == 5
    assert f"opilio crawl resume {crawled[1]}" in refused.stderr


def test_a_url_is_explained(crawled):
    """With the way to it and the line of robots.txt that decided."""
    url, folder, *_ = crawled
    command = [*OPILIO, "crawl", "explain", str(folder), f"{url}/staff-room/", "--json"]
    story = json.loads(nursery.run(command).stdout)
    assert story["outcome"] == "robots-denied"
    assert story["robots_line"] == "Disallow: /staff-room/"
    assert story["ways"][0]["seed"] == f"{url}/"
    assert story["parents"]


def test_a_url_outside_is_explained_by_the_rule_that_denies_it(crawled):
    """Though it was never queued."""
    url, folder, *_ = crawled
    command = [*OPILIO, "crawl", "explain", str(folder), "https://harbour-trust.example/", "--json"]
    story = json.loads(nursery.run(command).stdout)
    assert story["scope"][0] == {
        "seed": f"{url}/",
        "accepted": False,
        "rule": "root",
        "reason": f"it lies outside the prefix {url}/",
    }

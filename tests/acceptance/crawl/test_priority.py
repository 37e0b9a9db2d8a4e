"""Pages that are moved ahead while a crawl runs: the server's log tells in which order they were asked for."""

import contextlib
import json

import pytest
from typer.testing import CliRunner

from opilio.cli import crawl
from opilio.crawl.engine.orders import carry_out
from opilio.crawl.errors import SealedCrawlStore
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.works.crawl_folder import StoreAddress
from tests.acceptance.crawl.test_live_orders import crawling, server  # noqa: F401 - fixtures
from tests.harvest_folders import START, collected


def test_a_part_of_the_site_comes_first(crawling):  # noqa: F811 - a fixture
    """Though dozens of others were taken before, only the request under way and embeds come before what was moved."""
    crawl = crawling(after=10, delay=0.02)
    crawl.order("pause")
    news = [one.url for one in crawl.store.waiting() if "/news/" in one.url and one.hops == 0]
    assert len(news) > 3
    crawl.order("priority", priority=-5, patterns=["/news/"])
    carry_out(crawl.store, SYSTEM)
    crawl.looked(3)
    asked = len(crawl.asked())
    crawl.order("resume")
    crawl.until(lambda: len(crawl.asked()) >= asked + 4)

    later = [path for path in crawl.asked()[asked + 1 :] if "/assets/" not in path][: len(news) - 1]
    assert later
    assert all("/news/" in path for path in later)


def test_what_is_found_later_keeps_to_it(crawling):  # noqa: F811 - a fixture
    """A page that is found after the order waits with the priority that it names."""
    crawl = crawling(after=3, delay=0.02)
    crawl.order("pause")
    known = {one.url for one in crawl.store.waiting()}
    crawl.order("priority", priority=9, patterns=["."])
    carry_out(crawl.store, SYSTEM)
    crawl.order("resume")
    crawl.until(lambda: any(one.url not in known and one.hops == 0 for one in crawl.store.waiting()))

    found = [one for one in crawl.store.waiting() if one.url not in known and one.hops == 0]
    assert {one.priority for one in found} == {9}


def _told(*arguments):
    done = CliRunner().invoke(crawl.app, ["priority", *map(str, arguments), "--json"])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_the_command_writes_the_order(tmp_path):
    """Negative numbers are numbers; patterns, URLs and hosts may be given together."""
    place = collected(tmp_path / "crawl", rounds=1)
    told = _told(place.path, "-5", "/barn/", "--url", START, "--host", "owls.example")
    assert told["arguments"] == {"priority": -5, "patterns": ["/barn/"], "urls": [START], "hosts": ["owls.example"]}
    with contextlib.closing(place.open(StoreAddress(), read_only=True)) as store:
        assert [command.what for command in store.commands()] == ["priority"]
        assert store.control().sorting


@pytest.mark.parametrize("given", [["5"], ["40000", "x"], ["5", "("], ["5", "--url", "no url"], ["5", "--host", ""]])
def test_orders_that_cannot_be_given(tmp_path, given):
    """Are refused, and nothing is written."""
    place = collected(tmp_path / "crawl", rounds=1)
    with pytest.raises(InvalidInput):
        _told(place.path, *given)
    with contextlib.closing(place.open(StoreAddress(), read_only=True)) as store:
        assert store.commands() == []


def test_a_crawl_that_was_sealed_takes_no_order(tmp_path):
    """It says that it ended."""
    place = collected(tmp_path / "crawl", rounds=1, sealed=True)
    with pytest.raises(SealedCrawlStore):
        _told(place.path, "5", "x")

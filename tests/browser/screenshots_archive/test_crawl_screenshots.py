"""`opilio crawl … --screenshots`: pictures of the seeds that were fetched, and where they are shown."""

import json

import pytest

from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.cli.main import main
from opilio.works.replay_crawl import opened_holdings
from tests.browser.screenshots_archive.small_site import SmallSite

pytestmark = pytest.mark.browser

PAGE = b"<!doctype html><title>Owls</title><body style='background:#f00'>Owls"


def test_seeds_that_were_fetched_have_pictures(tmp_path, capsys):
    """A seed that robots.txt denies is not looked at in the browser either; thumbnails stand in the list of replay."""
    robots = ("text/plain", b"User-agent: *\nDisallow: /closed")
    site = SmallSite({"/": ("text/html", PAGE), "/closed": ("text/html", PAGE), "/robots.txt": robots})
    with site:
        words = ["crawl", f"{site.url}/", f"{site.url}/closed", "--into", str(tmp_path / "crawl"), "--screenshots"]
        assert main([*words, "--allow-private", "--preset", "own-site", "--json"]) == 0
        assert not any(path == "/closed" for path, _ in site.seen)
    told = json.loads(capsys.readouterr().out)["screenshots"]
    assert [(one["url"], one["pictures"], one["problem"]) for one in told] == [(f"{site.url}/", 2, "")]
    kept = PictureShelf(tmp_path / "crawl").newest(f"{site.url}/", PictureKind.THUMBNAIL)
    with opened_holdings(tmp_path / "crawl") as holdings:
        assert holdings[1].thumbnail(f"{site.url}/") == kept.data
        assert holdings[1].thumbnail(f"{site.url}/closed") is None


def test_a_missing_browser_is_told_before_the_crawl(tmp_path, capsys, monkeypatch):
    """Nobody waits for a crawl to learn that no picture can be taken."""
    monkeypatch.setenv("OPILIO_BROWSER_PROGRAM", str(tmp_path / "none"))
    code = main(["crawl", "http://127.0.0.1:9/", "--into", str(tmp_path / "crawl"), "--screenshots", "--json"])
    assert (code, json.loads(capsys.readouterr().err)["error"]["code"]) == (code or 1, "no-browser")
    assert not (tmp_path / "crawl").exists()

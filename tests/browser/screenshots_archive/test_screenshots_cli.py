"""`opilio archive screenshots …` on a real crawl: taken, listed, saved, compared; results stay as they were sealed."""

import json

import pytest

from opilio.archive.results.manifest import wrong_files
from opilio.cli.main import main
from opilio.kernel.errors import InvalidInput, Missing, Unavailable
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.sealed_crawl import results_of
from tests.browser.screenshots_archive.small_site import SmallSite, png_size
from tests.unit.archive.warcs import assert_valid

pytestmark = pytest.mark.browser


def _page(colour):
    return f"<!doctype html><html lang=en><title>Owls</title><body style='background:{colour}'><h1>Owls</h1>".encode()


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """Two crawls of a page that turned from red to blue, and the page's URL; the site is gone."""
    folder = tmp_path_factory.mktemp("crawls")
    with SmallSite({"/": ("text/html", _page("#f00"))}) as site:
        for name, colour in (("before", "#f00"), ("after", "#00f")):
            site.pages["/"] = ("text/html", _page(colour))
            words = ["crawl", f"{site.url}/", "--into", str(folder / name), "--allow-private", "--preset", "own-site"]
            assert main([*words, "--json"]) == 0
        return folder / "before", folder / "after", f"{site.url}/"


@pytest.fixture
def say(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def say(*words, code=0):
        found = main(["archive", "screenshots", *map(str, words), "--json"])
        told = capsys.readouterr()
        assert found == code, told.err
        return json.loads(told.out) if told.out else json.loads(told.err)["error"]

    return say


def test_the_story_of_a_page(crawls, say, tmp_path):
    """Pictures of the seeds are taken, listed and saved; of the other crawl they are taken to be compared."""
    before, after, url = crawls
    taken = say("take", before, "--full")["pages"]
    assert [(page["url"], page["pictures"], page["title"]) for page in taken] == [(url, 3, "Owls")]
    listed = say("list", before)["pictures"]
    assert sorted(each["kind"] for each in listed) == ["fullPage", "thumbnail", "view"]
    saved = say("save", before, url, "--output", tmp_path / "view.png")
    assert png_size((tmp_path / "view.png").read_bytes()) == (1280, 1024)
    assert saved["taken"] == next(each["taken"] for each in listed if each["kind"] == "view")
    assert_valid(before / "screenshots")
    assert list(wrong_files(before, results_of(CrawlFolder(before)).manifest)) == []

    found = say("compare", before, after, url, "--output", tmp_path / "pair.png")
    assert 0.9 < found["share"] <= 1
    assert png_size((tmp_path / "pair.png").read_bytes()) == (3 * 1280 + 4 * 16, 1024 + 40 + 16)
    assert len(say("list", after)["pictures"]) == 2


def test_bad_input_is_answered_with_a_remedy(crawls, say, tmp_path, monkeypatch):
    """Pages that were not captured, pictures that are not there, sizes that cannot be, other files, no Chromium."""
    before, after, url = crawls
    missing = f"{url}none"
    pages = say("take", before, "--url", missing, code=Missing.exit_code)["pages"]
    assert "no capture" in pages[0]["problem"]
    assert say("save", before, missing, "--output", "x.png", code=Missing.exit_code)["code"] == "no-picture"
    assert say("compare", before, after, missing, code=Missing.exit_code)["code"] == "no-picture"
    assert say("compare", before, after, url, "--output", "x.gif", code=InvalidInput.exit_code)["remedy"]
    assert say("take", before, "--width", 9, code=InvalidInput.exit_code)["where"] == "width"
    assert say("take", tmp_path / "none", code=Missing.exit_code)["remedy"]
    assert say("take", tmp_path / "none", "--live", code=Missing.exit_code)["remedy"]
    assert say("list", tmp_path / "none", code=Missing.exit_code)["remedy"]
    assert say("list", tmp_path)["pictures"] == []
    monkeypatch.setenv("OPILIO_BROWSER_PROGRAM", "no-such-chromium")
    assert say("take", before, code=Unavailable.exit_code)["code"] == "no-browser"
    monkeypatch.setenv("OPILIO_BROWSER_PROGRAM", "/bin/false")
    assert "does not start" in say("take", before, code=Unavailable.exit_code)["message"]

"""Screenshots as they come: a profile that wants them, a real agent with a browser, and the sheet that pages show."""

import json

import pytest

from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from tests.browser.screenshots_archive.small_site import SmallSite
from tests.harvests import Yard

pytestmark = pytest.mark.browser

SETTINGS = {
    "manners": {"preset": "own-site", "delay": 0.3},
    "scope": {"kind": "host"},
    "report": {"screenshots": True},
}  # fmt: skip


@pytest.fixture
def endless():
    """A site whose pages lead on to others, so that a harvest of it runs until it is stopped."""
    with SmallSite(_Leading()) as made:
        yield made


class _Leading(dict):
    def get(self, path, default=None):
        if path in ("/robots.txt", "/favicon.ico"):
            return default
        number = int(path.strip("/") or 0)
        links = f"<a href='/{2 * number + 1}'>on</a><a href='/{2 * number + 2}'>on</a>"
        return ("text/html", f"<!doctype html><title>{number}</title><body>{links}".encode())


def pictures_told(yard, harvest):
    """Pages of which the sheet in the catalogue shows a picture."""
    rows = yard.rows(f"SELECT sheet FROM harvest_live WHERE harvest_id = {harvest}")
    sheet = rows[0][0] if rows else "{}"
    document = json.loads(sheet) if isinstance(sheet, str) else sheet
    return [one["url"] for one in document.get("pictures", [])]


def test_pictures_of_seeds_come_while_the_harvest_runs(installation, endless):
    """Taken once the seed was fetched, and shown while the harvest still runs; a stop does not wait for the browser."""
    yard = Yard(installation=installation, settings=SETTINGS)
    port = int(endless.url.rpartition(":")[2])
    (harvest,) = yard.plan(f"{endless.url}/", port=port)
    with yard.agent():
        yard.until(lambda: pictures_told(yard, harvest) == [f"{endless.url}/"], "no picture is shown")
        assert yard.state(harvest) == "running", yard.logs()[-3000:]
        yard.order(harvest, "stop")
        yard.wait_for(harvest, "harvested")
    kept = PictureShelf(installation.home / "harvests" / str(harvest)).newest(f"{endless.url}/", PictureKind.THUMBNAIL)
    assert kept.data.startswith(b"\xff\xd8")
    assert "no-pictures" not in yard.events(harvest)


def test_an_agent_without_a_browser_says_so_and_harvests(installation, tmp_path):
    """The log of the harvest names what is missing and the remedy; what was collected is kept all the same."""
    yard = Yard(installation=installation, settings=SETTINGS)
    with SmallSite({"/": ("text/html", b"<!doctype html><title>Owls</title>Owls")}) as site:
        (harvest,) = yard.plan(f"{site.url}/", port=int(site.url.rpartition(":")[2]))
        with yard.agent(OPILIO_BROWSER_PROGRAM=str(tmp_path / "none")):
            yard.wait_for(harvest, "harvested", "aborted")
    assert yard.state(harvest) == "harvested"
    ((reason,),) = yard.rows(f"SELECT reason FROM harvest_event WHERE harvest_id = {harvest} AND name = 'no-pictures'")
    assert str(tmp_path / "none") in reason
    assert "Name Chromium's" in reason

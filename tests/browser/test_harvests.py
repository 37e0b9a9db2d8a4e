"""A harvest in Chromium from its launch to its end, watched live and led by keyboard alone; axe finds no fault."""

import pytest

from tests.browser.accessibility import faults, faults_in_both_themes
from tests.browser.harvest_seed import running_harvests
from tests.browser.harvest_story import tell
from tests.browser.site import watched
from tests.installations import Installations

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """An installation of its own with its pages and an agent, and a site to harvest."""
    folder = tmp_path_factory.mktemp("harvests")
    installation = Installations(engine="sqlite", shared=folder).make(folder / "home")
    with running_harvests(installation, folder / "site") as running:
        yield running


def test_launch_watch_pause_leave_out_go_on_and_stop(stage, chromium):
    """The live page follows the harvest without being loaded again, and every order reaches the crawl."""
    context = chromium.new_context(reduced_motion="reduce")
    view = watched(context, stage.site)
    found, asked = {}, {}

    def look(name):
        asked[name] = [line.target for line in stage.web.log()]
        found[name] = faults_in_both_themes(view.page) if name == "live" else faults(view.page)

    tell(view, stage, look)
    complaints = list(view.complaints)
    context.close()
    assert {name: told for name, told in found.items() if told} == {}
    assert sorted(found) == ["exclude", "harvested", "launch", "live", "paused", "stop"]
    assert complaints == []
    events = stage.yard.events(stage.harvest)
    wanted = ["launch", "begin", "pause", "resume", "stop", "keep"]
    assert [name for name in events if name in wanted] == wanted
    calendars, tides = (
        {name: sum(one.startswith(kind) for one in targets) for name, targets in asked.items()}
        for kind in ("/calendar-", "/tide-")
    )
    assert 0 < calendars["exclude"] == calendars["harvested"]  # nothing that was left out is asked for any more
    assert tides["harvested"] > tides["exclude"]


def test_without_scripts_the_page_can_be_loaded_again(stage, chromium):
    """It shows the newest figures, and says how to see newer ones."""
    context = chromium.new_context(java_script_enabled=False)
    view = watched(context, stage.site)
    view.sign_in("harvest.curator")
    page = view.open(f"/harvests/{stage.harvest}/live")
    assert page.get_by_role("heading", name="Progress").is_visible()
    assert not page.get_by_role("button", name="Hold still").is_visible()
    context.close()
    assert view.complaints == []

"""A harvest in Chromium from its recommendation to the readers who find it; axe finds no fault on the way."""

import re
from dataclasses import replace

import pytest

from tests.browser.accessibility import faults, faults_in_both_themes
from tests.browser.review_seed import running_review
from tests.browser.review_story import tell
from tests.browser.site import watched

pytestmark = pytest.mark.browser
_LARGE, _SMALL = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def stage(_installations, tmp_path_factory):
    """An installation of its own with its pages, replay and an agent, and a site that was harvested."""
    folder = tmp_path_factory.mktemp("review")
    installation = replace(_installations, engine="sqlite").make(folder / "home")
    with running_review(installation, folder / "site") as running:
        yield running


def test_review_prune_patch_compare_endorse_archive_and_publish(stage, chromium):
    """Readers find the pruned and patched result once it is archived and published, and nothing under embargo."""
    context = chromium.new_context(reduced_motion="reduce")
    view = watched(context, stage.site)
    found, seen = {}, {}

    def look(name):
        seen[name] = view.page.locator("main").inner_text()
        view.page.set_viewport_size(_SMALL if name == "endorse" else _LARGE)
        found[name] = faults_in_both_themes(view.page) if name == "result" else faults(view.page)

    tell(view, stage, look)
    context.close()
    assert {name: told for name, told in found.items() if told} == {}
    assert view.complaints == []
    _told(seen)
    assert stage.states(stage.open) == {1: 2, 2: 2, 3: 1}  # endorsed, and what it came from passed over
    assert (stage.yard.state(stage.open), stage.yard.state(stage.kept_back)) == ("archived", "endorsed")
    _readers(stage, chromium)


def _told(seen):
    """What the curator read on the way."""
    expected = {
        "review": "Birds of the marsh", "result": "Patch 1 URL.", "prune": "1 page that stays embeds or links",
        "missing": "/marsh/owl.svg", "patched": "The picture was missing.", "quality": "Completeness: 100.0 %",
        "deposits": "Every content of the object was read again.", "publication": "done",
    }  # fmt: skip
    assert {name: words for name, words in expected.items() if words not in seen[name]} == {}
    counts = re.findall(r"(New|Gone|Changed|Unchanged)\n(\d+)", seen["compare"])
    assert counts == [("New", "0"), ("Gone", "12"), ("Changed", "1"), ("Unchanged", "5")]


def _readers(stage, chromium):
    """Somebody who is not signed in finds what was archived, without what was pruned, and nothing under embargo."""
    context = chromium.new_context(reduced_motion="reduce")
    view = watched(context, stage.site)
    page = view.open("/find?q=bitterns")
    assert page.get_by_role("link", name=re.compile("Birds of the marsh")).first.is_visible()
    assert faults(page) == []
    for words in ("amphorae", "event"):
        assert view.open(f"/find?q={words}").get_by_role("link", name=re.compile("Amphorae|Month")).count() == 0
    context.close()
    assert view.complaints == []

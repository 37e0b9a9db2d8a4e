"""The tracker in Chromium: from the matrix to the line at fault, by keyboard; axe finds no fault on the way."""

import pytest

from tests.browser.accessibility import faults, faults_in_both_themes
from tests.browser.site import running_site, watched
from tests.browser.tracker_story import PARTNER, tell
from tests.installations import Installations

pytestmark = pytest.mark.browser
FILL = "import json; from tests.browser.tracker_fill import fill; print(json.dumps(fill()))"
_BOTH = ("matrix", "delivery", "document", "session")
_LARGE, _SMALL = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def tracker(tmp_path_factory):
    """An installation of its own with its pages, in which three sessions ran."""
    folder = tmp_path_factory.mktemp("tracker")
    installation = Installations(engine="sqlite", shared=folder).make(folder / "home")
    with running_site(installation, fill=FILL) as running:
        yield running


def test_from_the_matrix_to_the_line_at_fault(tracker, chromium):
    """Everything can be reached and decided without a mouse, and read by everybody."""
    context = chromium.new_context(reduced_motion="reduce")
    view = watched(context, tracker)
    found, seen = {}, {}

    def look(name):
        seen[name] = view.page.locator("main").inner_text()
        view.page.set_viewport_size(_SMALL if name in ("list", "hold") else _LARGE)
        found[name] = faults_in_both_themes(view.page) if name in _BOTH else faults(view.page)

    tell(view, look)
    context.close()
    assert {name: told for name, told in found.items() if told} == {}
    assert view.complaints == []
    expected = {
        "matrix": "Waiting for somebody", "list": "H.2024-03-02", "delivery": "Schema: failed", "document": "<rat/>",
        "findings": "in documents", "sessions": "something failed", "session": "Exit status",
        "centre": "Marsh Institute", "tried": "nothing was fetched",
    }  # fmt: skip
    assert {name: words for name, words in expected.items() if words not in seen[name]} == {}


def test_a_partner_sees_its_own_centre(tracker, chromium):
    """And nothing of another one; the page works on a small screen."""
    context = chromium.new_context(reduced_motion="reduce", viewport=_SMALL)
    view = watched(context, tracker)
    view.sign_in(PARTNER)
    page = view.open("/deliveries")
    text = page.locator("main").inner_text()
    assert "J" in text
    assert "H.2024" not in text
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()
    assert view.complaints == []

"""The whole way of a target in Chromium, by keyboard alone, with nothing that axe objects to."""

import pytest

from tests.browser.accessibility import faults
from tests.browser.curation_seed import running_story
from tests.browser.curation_story import PEOPLE, tell
from tests.browser.site import watched
from tests.installations import Installations

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An installation of its own, with its pages."""
    folder = tmp_path_factory.mktemp("story")
    installation = Installations(engine="sqlite", shared=folder).make(folder / "home")
    with running_story(installation) as running:
        yield installation, running


def test_from_nomination_to_schedule(home, chromium):
    """Proposed by a reader, permitted by its publisher, approved and scheduled by the library; no mouse, no fault."""
    installation, site = home
    contexts = {name: chromium.new_context(reduced_motion="reduce") for name in PEOPLE}
    views = {name: watched(context, site) for name, context in contexts.items()}
    found = {}

    def look(name, who):
        found[name] = faults(views[who].page)

    tell(views, installation, look)
    complaints = [told for view in views.values() for told in view.complaints]
    for context in contexts.values():
        context.close()
    assert {name: told for name, told in found.items() if told} == {}
    assert len(found) == 11
    assert complaints == []

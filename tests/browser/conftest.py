"""One filled installation, one server and one Chromium for all tests in a browser."""

from urllib.request import urlopen

import pytest

from tests.acceptance.published import publish
from tests.browser.site import running_browser, running_site, watched
from tests.installations import Installations


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The pages of a filled installation, with a small published index."""
    folder = tmp_path_factory.mktemp("site")
    installation = Installations(engine="sqlite", shared=folder).make(folder / "home")
    publish(installation.home)
    with running_site(installation) as running:
        with urlopen(f"{running.url}/find?q=a", timeout=240) as first:
            first.read()
        yield running


@pytest.fixture(scope="module")
def chromium():
    """The system's Chromium; only as long as its module, because its driver keeps an event loop running."""
    with running_browser() as browser:
        yield browser


@pytest.fixture
def look(chromium, site):
    """Opens watched pages: `look(color_scheme="dark")`; at the end nothing may have complained."""
    contexts, pages = [], []

    def look(**options):
        contexts.append(chromium.new_context(reduced_motion="reduce", **options))
        pages.append(watched(contexts[-1], site))
        return pages[-1]

    yield look
    complaints = [complaint for page in pages for complaint in page.complaints]
    for context in contexts:
        context.close()
    assert complaints == []

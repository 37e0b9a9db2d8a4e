"""Every page there is, with data that is hard to show: read by axe, and no wider than a telephone."""

import pytest

from tests.browser.accessibility import faults_within
from tests.browser.site import running_site, watched
from tests.browser.tour import FILL, Walk
from tests.installations import Installations

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1_200)]  # some three hundred pages, on a busy machine
_SMALL = {"width": 390, "height": 844}
#: What is asked for with a form, or is a file, a stream or another site: no page of its own to look at.
_NO_PAGES = {
    "access-rules-file", "add-note", "agent-command", "assess-result", "assessment-patch-list", "authorisation-switch",
    "delete-finding-kind", "end-assignment", "end-session", "end-token", "export-table", "favicon", "find-opensearch",
    "find-suggest", "fixity-order", "group-changes-file", "harvest-flag", "harvest-live-picture",
    "harvest-live-stream", "harvest-queue", "harvest-reference", "harvest-report-csv", "harvest-report-json",
    "harvest-waiting-order", "handbook", "handbook-page", "home", "join-group", "language",
    "notification-action", "of-target", "oidc_return", "oidc_start",
    "permission-step", "pin-host-key", "profile-export", "profile-switch", "report-file", "restore-row",
    "result-missing-find", "result-patch-end", "result-quality-csv", "result-quality-json", "result-replay-open",
    "result-replay-picture", "retry-deposit", "save-view", "schedule-pause", "search-pages-suggest", "seed-link",
    "send-again", "sign-out", "start-publication", "take-ownership", "takedown-proof", "target-changes-file",
    "task-action", "theme", "try-depository", "try-webhook", "user-switch", "verification", "wct-again",
    "wct-discard", "wct-report-file",
}  # fmt: skip
#: Pages of something that this institution has not: other tests open them.
_ELSEWHERE = {
    "answer", "bulk-run", "centre-report", "delivery-records", "find-links", "find-page",
    "find-similar", "give-up-deposit", "harvest-decide", "harvest-priority", "harvest-report",
    "note", "profile-transfer", "result-compare-page", "result-patch", "result-prune", "schedule-pattern",
    "search-pages-links", "search-pages-page", "search-pages-similar", "search-pages-word", "sign-in",
    "takedown-confirm", "try-delivery-source", "verify", "wct-report", "webhook-message",
}  # fmt: skip
_WIDE = "document.documentElement.scrollWidth - window.innerWidth"
_HEADINGS = "[...document.querySelectorAll('h1')].filter((one) => one.offsetParent).length"


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    """A filled installation, and the address of each of its pages."""
    folder = tmp_path_factory.mktemp("tour")
    installation = Installations(engine="sqlite", shared=folder).make(folder / "home")
    with running_site(installation, fill=FILL) as site:
        yield site, Walk(site).go()


def test_links_lead_to_every_page(tour):
    """What no link reaches is no page, or is opened elsewhere; a new address must come into one of the lists."""
    walk = tour[1]
    assert walk.broken == []
    assert set(walk.routes) - set(walk.pages) == _NO_PAGES | _ELSEWHERE


def test_every_page_can_be_read(tour, chromium):
    """One heading, nothing that axe objects to, and nothing beside the screen of a telephone; in one visit each."""
    site, walk = tour
    context = chromium.new_context(viewport=_SMALL, reduced_motion="reduce")
    view = watched(context, site)
    view.sign_in()
    found = {}
    for name, path in walk.pages.items():
        page = view.open(path)
        too_wide, headings = page.evaluate(_WIDE), page.evaluate(_HEADINGS)
        found[name] = [
            *faults_within(page),
            *([f"{too_wide} pixels too wide"] if too_wide > 0 else []),
            *([f"{headings} headings of the first order"] if headings != 1 else []),
        ]
    context.close()
    assert {name: told for name, told in found.items() if told} == {}
    assert view.complaints == []

"""Takes the pictures of the docs: `python -m tests.browser.screenshots` writes docs/screenshots/*.png."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from opilio.works.crawl_report_page import html_report
from tests.browser import screenshots_curation as curation
from tests.browser import screenshots_harvests as harvests
from tests.browser import screenshots_review as review
from tests.browser import screenshots_tracker as tracker
from tests.browser.replay import screenshots as replay
from tests.browser.site import ROOT, Site, Watched, running_browser, running_site, watched
from tests.installations import Installations

FOLDER = ROOT / "docs" / "screenshots"
_SIZE = {"width": 1280, "height": 800}


def main() -> None:
    """All pictures of the docs."""
    for take in TAKEN:
        take()


def take_pages() -> None:
    """All pages, light, and some of them dark and small."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="opilio-pictures-") as folder:
        home = Installations(engine="sqlite", shared=Path(folder)).make(Path(folder) / "home")
        with running_site(home) as site, running_browser() as browser:
            for theme in ("light", "dark"):
                context = browser.new_context(viewport=_SIZE, color_scheme=theme, reduced_motion="reduce")
                _take(watched(context, site), theme)
                context.close()
            context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
            _take_small(watched(context, site))
            context.close()
            take_report(browser, Path(folder))


def _take(viewer: Watched, theme: str) -> None:
    viewer.open("/sign-in")
    _keep(viewer.page, f"sign-in-{theme}")
    viewer.sign_in()
    for name, prepare in _PAGES.items():
        prepare(viewer, viewer.site)
        _keep(viewer.page, f"{name}-{theme}")


def _take_small(viewer: Watched) -> None:
    viewer.sign_in()
    viewer.open("/admin/users")
    _keep(viewer.page, "users-small")


def take_report(browser: Browser, folder: Path) -> None:
    """The report page of a crawl, which needs no server."""
    file = folder / "report.html"
    file.write_text(html_report(json.loads((ROOT / "tests/data/crawl_report.json").read_text("utf-8"))), "utf-8")
    for name, theme, size in (
        ("report-light", "light", {"width": 1280, "height": 1100}),
        ("report-dark", "dark", {"width": 1280, "height": 1100}),
        ("report-small", "light", {"width": 360, "height": 740}),
    ):
        context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce")
        page = context.new_page()
        page.goto(file.as_uri())
        _keep(page, name)
        context.close()


def _keep(page: Page, name: str) -> None:
    page.evaluate("document.activeElement && document.activeElement.blur()")
    page.screenshot(path=str(FOLDER / f"{name}.png"))


def _role(viewer: Watched, site: Site) -> None:
    page = viewer.open(f"/admin/roles/{site.ids['archivist-role']}")
    group = page.get_by_role("radiogroup", name="Approve or reject targets")
    group.get_by_label("Own").check(force=True)
    group.scroll_into_view_if_needed()
    page.mouse.wheel(0, 250)


def _audit_entry(viewer: Watched, site: Site) -> None:
    viewer.open("/admin/audit?action=user.deactivate").get_by_role("link", name="user.deactivate").first.click()


_PAGES: dict[str, Callable[[Watched, Site], object]] = {
    "in-tray": lambda viewer, site: viewer.open("/in-tray"),
    "users": lambda viewer, site: viewer.open("/admin/users"),
    "user": lambda viewer, site: viewer.open(f"/admin/users/{site.ids['curator']}"),
    "role": _role,
    "audit": lambda viewer, site: viewer.open("/admin/audit"),
    "audit-entry": _audit_entry,
    "account": lambda viewer, site: viewer.open("/account"),
}

#: What takes pictures, and which.
TAKEN: dict[Callable[[], None], tuple[str, ...]] = {
    take_pages: (
        *(f"{name}-{theme}" for name in ("sign-in", *_PAGES) for theme in ("light", "dark")),
        "users-small", "report-light", "report-dark", "report-small",
    ),
    replay.main: replay.NAMES,
    curation.main: curation.NAMES,
    harvests.main: harvests.NAMES,
    review.main: review.NAMES,
    tracker.main: tracker.NAMES,
}  # fmt: skip

if __name__ == "__main__":
    main()

"""Takes the pictures of a review, from advice to receipt: `python -m tests.browser.screenshots_review`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.review_seed import Stage, running_review
from tests.browser.review_story import tell
from tests.browser.site import ROOT, Watched, running_browser, watched
from tests.installations import Installations

FOLDER = ROOT / "docs" / "screenshots"
_KEPT = ("review", "result", "tree", "prune", "missing", "quality", "compare", "archive", "deposits")
NAMES = (*(f"review-{name}" for name in (*_KEPT, "takedown")), "review-result-dark", "review-result-small")
_SIZE = {"width": 1280, "height": 1000}
#: Folders of the picture's own installation are shown as one would have them.
_PLACES = r"""() => {
  const home = /\/\S*opilio-pictures-[^/]*\/home/;
  const plain = [...document.querySelectorAll('dd')].filter((one) => !one.children.length);
  for (const one of plain) one.textContent = one.textContent.replace(home, '/srv/opilio');
}"""


def main() -> None:
    """One picture of each step; the page on which people decide also dark and small."""
    with tempfile.TemporaryDirectory(prefix="opilio-pictures-") as folder:
        installation = Installations(engine="sqlite", shared=Path(folder)).make(Path(folder) / "home")
        with running_review(installation, Path(folder) / "site") as stage, running_browser() as browser:
            view = watched(browser.new_context(viewport=_SIZE, reduced_motion="reduce"), stage.site)

            def look(name: str) -> None:
                if name in _KEPT:
                    _keep(view.page, name)
                if name == "result":
                    _otherwise(view.page)

            tell(view, stage, look)
            _takedown(view, stage)


def _keep(page: Page, name: str) -> None:
    page.evaluate(_PLACES)
    page.screenshot(path=str(FOLDER / f"review-{name}.png"))


def _otherwise(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    _keep(page, "result-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 360, "height": 740})
    _keep(page, "result-small")
    page.set_viewport_size(_SIZE)


def _takedown(view: Watched, stage: Stage) -> None:
    """What a takedown would reach."""
    page = view.open(f"/takedowns/new?harvest={stage.open}")
    page.get_by_label("Value").fill(stage.web.url("/marsh/owls.html"))
    page.get_by_label("Authority").fill("District court")
    page.get_by_label("Reason").fill("The photographer withdrew the right.")
    page.get_by_role("button", name="See what it reaches").click()
    page.get_by_role("heading", name="What it reaches").wait_for()
    _keep(page, "takedown")


if __name__ == "__main__":
    main()

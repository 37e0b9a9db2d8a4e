"""Takes the pictures of replay for the docs: `python -m tests.browser.replay.screenshots` writes docs/screenshots."""

import tempfile
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser

from tests.browser.replay.sample import Replayed, crawled_sample, replaying
from tests.browser.site import ROOT, running_browser

FOLDER = ROOT / "docs" / "screenshots"
_SIZE = {"width": 1280, "height": 800}
NAMES = ("replay-light", "replay-dark", "replay-missing-light")


def main() -> None:
    """The front page in light and dark, and a page that is missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="opilio-pictures-") as name:
        folder = Path(name) / "harbour"
        site = crawled_sample(folder)
        with replaying(folder, site) as (running, _), running_browser() as browser:
            take(browser, running)


def take(browser: Browser, running: Replayed) -> None:
    """All pictures."""
    for theme in ("light", "dark"):
        context = browser.new_context(viewport=_SIZE, color_scheme=theme, reduced_motion="reduce")
        page = context.new_page()
        page.goto(running.entry)
        query = urlencode({"result": 1, "url": f"{running.site}/"})
        page.goto(f"http://replay.localhost:{running.port}/open?{query}")
        page.wait_for_url(lambda address: "open?" not in address)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=str(FOLDER / f"replay-{theme}.png"))
        if theme == "light":
            page.goto(f"{page.url}events/winter.html")
            page.screenshot(path=str(FOLDER / "replay-missing-light.png"))
        context.close()


if __name__ == "__main__":
    main()

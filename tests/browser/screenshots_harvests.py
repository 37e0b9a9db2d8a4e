"""Takes the pictures of a harvest from its launch to its end: `python -m tests.browser.screenshots_harvests`."""

import tempfile
from pathlib import Path

from tests.browser.harvest_seed import running_harvests
from tests.browser.harvest_story import tell
from tests.browser.site import ROOT, running_browser, watched
from tests.installations import Installations

FOLDER = ROOT / "docs" / "screenshots"
_KEPT = ("launch", "live", "paused", "exclude", "harvested")
NAMES = (*(f"harvest-{name}" for name in _KEPT), "harvest-live-dark", "harvest-live-small")


def main() -> None:
    """One picture of each step; the live page also dark and small."""
    with tempfile.TemporaryDirectory(prefix="opilio-pictures-") as folder:
        installation = Installations(engine="sqlite", shared=Path(folder)).make(Path(folder) / "home")
        with running_harvests(installation, Path(folder) / "site") as stage, running_browser() as browser:
            size = {"width": 1280, "height": 1000}
            view = watched(browser.new_context(viewport=size, reduced_motion="reduce"), stage.site)
            page = view.page

            def keep(name: str) -> None:
                page.screenshot(path=str(FOLDER / f"harvest-{name}.png"))

            def look(name: str) -> None:
                if name in _KEPT:
                    keep(name)
                if name == "live":
                    page.emulate_media(color_scheme="dark")
                    keep("live-dark")
                    page.emulate_media(color_scheme="light")
                    page.set_viewport_size({"width": 360, "height": 740})
                    keep("live-small")
                    page.set_viewport_size(size)

            tell(view, stage, look)


if __name__ == "__main__":
    main()

"""Takes the pictures of a harvest from its launch to its end: `python -m tests.browser.screenshots_harvests`."""

import tempfile
from pathlib import Path

from tests.browser import picturing
from tests.browser.harvest_seed import running_harvests
from tests.browser.harvest_story import tell
from tests.browser.site import running_browser, watched
from tests.installations import Installations

_KEPT = ("launch", "live", "paused", "exclude", "harvested")
NAMES = picturing.names("harvest", _KEPT, "live")


def main() -> None:
    """One picture of each step; the live page also dark and small."""
    with tempfile.TemporaryDirectory(prefix="opilio-pictures-") as folder:
        installation = Installations(engine="sqlite", shared=Path(folder)).make(Path(folder) / "home")
        with running_harvests(installation, Path(folder) / "site") as stage, running_browser() as browser:
            view = watched(browser.new_context(viewport=picturing.LARGE, reduced_motion="reduce"), stage.site)
            tell(view, stage, picturing.looker(view.page, "harvest", _KEPT, "live"))


if __name__ == "__main__":
    main()

"""Takes the pictures of a target's way from nomination to schedule: `python -m tests.browser.screenshots_curation`."""

import tempfile
from pathlib import Path

from tests.browser.curation_seed import running_story
from tests.browser.curation_story import PEOPLE, tell
from tests.browser.site import ROOT, running_browser, watched
from tests.installations import Installations

FOLDER = ROOT / "docs" / "screenshots"
_KEPT = {
    "nominate": "nominate", "target": "target", "new-authorisation": "new-authorisation", "permission": "permission",
    "answer": "answer", "seeds": "seeds", "new-schedule": "new-schedule", "calendar": "calendar",
}  # fmt: skip
NAMES = tuple(f"curation-{name}" for name in _KEPT.values())


def main() -> None:
    """One picture of each step."""
    with tempfile.TemporaryDirectory(prefix="opilio-pictures-") as folder:
        installation = Installations(engine="sqlite", shared=Path(folder)).make(Path(folder) / "home")
        with running_story(installation) as site, running_browser() as browser:
            size = {"width": 1280, "height": 800}
            views = {
                name: watched(browser.new_context(viewport=size, reduced_motion="reduce"), site) for name in PEOPLE
            }

            def look(name: str, who: str) -> None:
                if name in _KEPT:
                    views[who].page.screenshot(path=str(FOLDER / f"curation-{_KEPT[name]}.png"))

            tell(views, installation, look)


if __name__ == "__main__":
    main()

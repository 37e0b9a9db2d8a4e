"""Takes the pictures of the tracker: `python -m tests.browser.screenshots_tracker`."""

import tempfile
from pathlib import Path

from tests.browser.site import ROOT, running_browser, running_site, watched
from tests.browser.tracker_story import tell
from tests.installations import Installations

FOLDER = ROOT / "docs" / "screenshots"
FILL = "import json; from tests.browser.tracker_fill import fill; print(json.dumps(fill()))"
_KEPT = ("matrix", "delivery", "document", "findings", "sessions", "session", "tried")
NAMES = (*(f"tracker-{name}" for name in _KEPT), "tracker-matrix-dark", "tracker-matrix-small")
_SIZE = {"width": 1280, "height": 1000}
#: Folders of the picture's own installation are shown as one would have them.
_PLACES = r"""() => {
  const home = /\/\S*opilio-pictures-[^/]*.home/g;
  const plain = [...document.querySelectorAll('code, .cell-note, p, dd, span')].filter((one) => !one.children.length);
  for (const one of plain) one.textContent = one.textContent.replace(home, '/srv');
}"""


def main() -> None:
    """One picture of each step; the matrix also dark and small."""
    with tempfile.TemporaryDirectory(prefix="opilio-pictures-") as folder:
        installation = Installations(engine="sqlite", shared=Path(folder)).make(Path(folder) / "home")
        with running_site(installation, fill=FILL) as site, running_browser() as browser:
            view = watched(browser.new_context(viewport=_SIZE, reduced_motion="reduce"), site)
            page = view.page

            def keep(name: str) -> None:
                page.evaluate(_PLACES)
                page.screenshot(path=str(FOLDER / f"tracker-{name}.png"))

            def look(name: str) -> None:
                if name in _KEPT:
                    keep(name)
                if name == "matrix":
                    page.emulate_media(color_scheme="dark")
                    keep("matrix-dark")
                    page.emulate_media(color_scheme="light")
                    page.set_viewport_size({"width": 360, "height": 740})
                    keep("matrix-small")
                    page.set_viewport_size(_SIZE)

            tell(view, look)


if __name__ == "__main__":
    main()

"""Takes the pictures of the tracker: `python -m tests.browser.screenshots_tracker`."""

import tempfile
from pathlib import Path

from tests.browser import picturing
from tests.browser.site import running_browser, running_site, watched
from tests.browser.tracker_story import tell
from tests.installations import Installations

FILL = "import json; from tests.browser.tracker_fill import fill; print(json.dumps(fill()))"
_KEPT = ("matrix", "delivery", "document", "findings", "sessions", "session", "tried")
NAMES = picturing.names("tracker", _KEPT, "matrix")
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
            view = watched(browser.new_context(viewport=picturing.LARGE, reduced_motion="reduce"), site)
            tell(view, picturing.looker(view.page, "tracker", _KEPT, "matrix", _PLACES))


if __name__ == "__main__":
    main()

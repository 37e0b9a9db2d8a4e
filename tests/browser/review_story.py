"""A harvest as a curator reviews it, by keyboard: look, prune, patch, compare, endorse, archive, publish."""

import re

from tests.browser.curation_story import Keyboard
from tests.browser.review_seed import OWL

USERNAME = "review.curator"
MARSH, CELLAR = "Birds of the marsh", "Amphorae of the cellar"


class Reviewer(Keyboard):
    """Somebody at the pages of a result."""

    def tab(self, name):
        """Go to a part of the result."""
        self._at(self.page.locator(".tabs").get_by_role("link", name=name, exact=True))
        with self.page.expect_navigation(wait_until="load"):
            self.page.keyboard.press("Enter")


def tell(view, stage, look):
    """The whole story; `look(name)` is called at every page worth a look."""
    stage.until_assessed(stage.open, stage.kept_back)
    view.sign_in(USERNAME)
    keys = Reviewer(view.open("/review"))
    look("review")
    keys.press(re.compile(MARSH), "link")
    look("result")
    replayed(keys, stage)
    pruned(keys, stage, look)
    patched(view, keys, stage, look)
    compared(keys, stage, look)
    endorsed(keys, look)
    archived(keys, stage, look)
    view.open(f"/results/{stage.result(stage.kept_back, 1)}/decide/endorse")
    keys.press("Endorse")
    published(view, keys, stage, look)


def replayed(keys, stage):
    """The archived page opens in a tab of its own, under the host name of the result."""
    keys.tab("Replay")
    with keys.page.context.expect_page() as opened:
        keys.page.get_by_role("link", name=re.compile("^Archived")).first.press("Enter")
    shown = opened.value
    shown.wait_for_url(f"http://r{stage.result(stage.open, 1)}.replay.localhost:*/**")
    shown.get_by_role("heading", name=MARSH).wait_for()
    shown.close()


def pruned(keys, stage, look):
    """Its calendar goes; what else that touches is told first."""
    keys.tab("Tree")
    page = keys.page
    for name in (re.compile(r"^127\.0\.0\.1"), re.compile("^marsh")):
        page.get_by_role("link", name=name).press("Enter")
    box = page.get_by_role("checkbox", name=re.compile("calendar.$"))
    box.wait_for()
    box.press("Space")
    look("tree")
    keys.press(re.compile("^Prune what is ticked"))
    look("prune")
    keys.page.get_by_label(re.compile("^Why")).fill("An empty calendar.")
    keys.press(re.compile("^Prune 12 resources"))
    stage.until_assessed(stage.open, number=2)


def patched(view, keys, stage, look):
    """A picture that was not there when the site was harvested is there now."""
    (stage.folder / "marsh" / "owl.svg").write_text(OWL)
    view.open(f"/results/{stage.result(stage.open, 2)}/missing")
    keys.press(re.compile("^Look for: embedded"))
    look("missing")
    keys.press(re.compile("^Patch 1 URL"), "link")
    keys.fill("Why", "The picture was missing.")
    look("patch")
    keys.press("Begin the patch")
    stage.until_assessed(stage.open, number=3)
    view.open(f"/results/{stage.result(stage.open, 3)}")
    look("patched")
    keys.tab("Quality")
    look("quality")


def compared(keys, stage, look):
    """Beside what the crawl captured, the calendar is gone and the picture new."""
    keys.tab("Compare")
    chosen = keys.page.get_by_label("Compare with", exact=True)
    if chosen.input_value() != str(stage.result(stage.open, 1)):
        chosen.select_option(str(stage.result(stage.open, 1)))
        keys.press(re.compile("^(Apply|Filter|Show)"))
    look("compare")


def endorsed(keys, look):
    keys.tab("Review")
    keys.press(re.compile("^Endorse"), "link")
    look("endorse")
    keys.press("Endorse")


def archived(keys, stage, look):
    """It goes to the store of the installation, and its receipt is shown."""
    keys.press(re.compile("^Archive"), "link")
    keys.fill("Reference number", "MARSH-1")
    look("archive")
    keys.press("Archive")
    stage.yard.wait_for(stage.open, "archived")
    keys.page.reload()
    look("deposits")


def published(view, keys, stage, look):
    view.open("/publications")
    keys.press("Publish now")
    stage.yard.until(
        lambda: stage.yard.rows("SELECT state FROM publication ORDER BY id DESC")[0][0] in ("done", "failed")
    )
    keys.page.reload()
    look("publication")

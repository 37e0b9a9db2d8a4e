"""A harvest as a curator leads it on the pages, by keyboard alone: launch, watch, pause, leave out, go on, stop."""

import re

from tests.browser.curation_story import Keyboard

USERNAME = "harvest.curator"
_PATIENCE = 60_000  # milliseconds
_COLLECTED = """least => {
  const facts = [...document.querySelectorAll('[data-live-part=now] dt')];
  const found = facts.find((one) => one.textContent === 'URLs collected');
  return found && Number(found.nextElementSibling.textContent.replaceAll(',', '')) >= least;
}"""
_STATE = "state => document.querySelector('.page-head h1 .badge').textContent === state"
_TOLD = "words => document.querySelector('[data-live-told]').textContent.includes(words)"


class Watcher(Keyboard):
    """Somebody at the live page, who never loads it again."""

    def until_collected(self, least):
        """Wait until the page says that so many URLs are collected."""
        self.page.wait_for_function(_COLLECTED, arg=least, timeout=_PATIENCE)

    def until_state(self, state):
        """Wait until the page says that the harvest is in a state, and offers what can be done then."""
        self.page.wait_for_function(_STATE, arg=state, timeout=_PATIENCE)

    def until_told(self, words):
        """Wait until the page says how it is kept up to date."""
        self.page.wait_for_function(_TOLD, arg=words, timeout=_PATIENCE)

    def until_offered(self, name, role="button"):
        """Wait until a button is there."""
        self.page.get_by_role(role, name=name).first.wait_for(timeout=_PATIENCE)

    def collected(self):
        """How many URLs the page says are collected."""
        text = self.page.locator("[data-live-part=now] dt", has_text="URLs collected").locator("+ dd").inner_text()
        return int(text.replace(",", ""))


def tell(view, stage, look):
    """The whole story; `look(name)` is called at every page worth a look."""
    view.sign_in(USERNAME)
    keys = Watcher(view.open(f"/harvests/{stage.harvest}"))
    launched(keys, look)
    watched(keys, look)
    paused(keys, stage, look)
    left_out(keys, look)
    goes_on(keys)
    stopped(keys, look)


def launched(keys, look):
    keys.press(re.compile("Launch now"), "link")
    look("launch")
    keys.press("Launch now")
    keys.press("Live", "link")


def watched(keys, look):
    keys.until_state("running")
    keys.until_collected(15)
    keys.until_offered(re.compile("^Pause"))
    keys.until_told("kept up to date")
    keys.page.locator("[data-live-part=curves] path").first.wait_for(timeout=_PATIENCE)
    look("live")


def paused(keys, stage, look):
    keys.press(re.compile("^Pause"))
    keys.until_state("paused")
    keys.until_offered(re.compile("^(Go on|Resume)"))
    look("paused")


def left_out(keys, look):
    keys.press(re.compile("^Leave URLs out"), "link")
    keys.fill("Expressions", "/calendar-")
    look("exclude")
    keys.press("Tell the harvest")
    assert keys.page.url.endswith("/live")


def goes_on(keys):
    before = keys.collected()
    keys.press(re.compile("^(Go on|Resume)"))
    keys.until_state("running")
    keys.until_collected(before + 5)


def stopped(keys, look):
    keys.until_offered(re.compile("^Stop"), "link")
    keys.press(re.compile("^Stop"), "link")
    look("stop")
    keys.press("Stop")
    assert keys.page.url.endswith("/live")
    keys.until_state("harvested")
    keys.until_told("has ended")
    look("harvested")

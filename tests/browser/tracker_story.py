"""Deliveries as a coordinator follows them on the pages, by keyboard alone: from the matrix to the line at fault."""

import re

from tests.browser.curation_story import Keyboard

USERNAME = "coordinator"
PARTNER = "partner"


def tell(view, look):
    """The whole story; `look(name)` is called at every page worth a look."""
    view.sign_in(USERNAME)
    keys = Keyboard(view.open("/deliveries"))
    look("matrix")
    keys.press(re.compile("1 failed"), "link")
    look("list")
    delivery = view.site.ids["delivery"]
    keys = Keyboard(view.open(f"/deliveries/{delivery}"))
    look("delivery")
    keys.press(re.compile("specimen.impc.xml"), "link")
    look("document")
    view.open(f"/deliveries/{delivery}")
    keys.press("Retry")
    view.page.get_by_text("It is tried again in the next session.").first.wait_for()
    keys.press(re.compile("^Hold"), "link")
    keys.fill("Reason", "The partner asked for time.")
    look("hold")
    keys.press("Hold")
    view.page.get_by_text("It is held.").first.wait_for()
    _further(view, keys, look)


def _further(view, keys, look):
    """Findings, sessions, centres, sources and a trial."""
    view.open("/deliveries/findings")
    look("findings")
    view.open("/deliveries/findings/documents")
    look("finding-list")
    view.open("/deliveries/sessions")
    look("sessions")
    keys.press(re.compile("^Session [0-9]+$"), "link")
    look("session")
    view.open("/deliveries/centres")
    look("centres")
    keys.press("J", "link")
    look("centre")
    keys.press("main", "link")
    look("source")
    keys.press("Try it")
    view.page.get_by_role("heading", name="It answers").wait_for()
    look("tried")

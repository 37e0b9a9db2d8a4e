"""The way of a target as people go it on the pages, by keyboard alone: proposed, permitted, approved, scheduled."""

import re
import sqlite3
from contextlib import closing

PEOPLE = ("reader", "curator", "archivist")
NAME = "Tides"


class Keyboard:
    """Somebody who uses no mouse."""

    def __init__(self, page):
        self.page = page

    def fill(self, label, text):
        """Go to a field and type."""
        self._at(self.page.get_by_label(re.compile(f"^{re.escape(label)}( optional)?$")).first)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def choose(self, label, text):
        """Go to a list and type what is wanted of it."""
        found = self.page.get_by_label(label).first
        self._at(found)
        self.page.keyboard.type(text)
        assert text in found.evaluate("one => one.selectedOptions[0].text")

    def tick(self, label):
        """Go to a box or choice and choose it."""
        found = self.page.get_by_label(label).first
        self._at(found)
        if not found.is_checked():
            self.page.keyboard.press("Space")

    def press(self, name, role="button"):
        """Go to a button or link and press it."""
        self._at(self.page.get_by_role(role, name=name).first)
        with self.page.expect_navigation(wait_until="load"):
            self.page.keyboard.press("Enter")

    def _at(self, found):
        found.focus()
        assert found.evaluate("one => one === document.activeElement")


def letter_of(installation):
    """The address of the answer form in the e-mail that waits."""
    with closing(sqlite3.connect(installation.home / "catalogue.db")) as catalogue:
        (body,) = catalogue.execute(
            "SELECT body FROM outbox_message WHERE body LIKE '%/answer/%' ORDER BY id DESC"
        ).fetchone()
    return re.search(r"http://\S+/answer/\S+", body).group()


def tell(views, installation, look):
    """Each step by whoever takes it; `look(name, who)` is called at every page worth a look."""
    nominated(views["reader"], look)
    target = accepted(views["curator"], look)
    asked(views["archivist"], look)
    answered(views["reader"], letter_of(installation), look)
    linked_and_nominated(views["curator"], target, look)
    approved_and_scheduled(views["archivist"], target, look)


def nominated(view, look):
    keys = Keyboard(view.open("/nominate"))
    keys.fill("Address of the site", "http://tides.example/")
    keys.fill("Its name", NAME)
    keys.fill("Why it should be collected", "Nobody else keeps it.")
    keys.choose("Who should collect it", "National Library")
    look("nominate", "reader")
    keys.press(re.compile("Send|Propose|Nominate"))
    assert view.page.url.endswith("/nominate/done")


def accepted(view, look):
    view.sign_in("curator")
    keys = Keyboard(view.open("/nominations"))
    look("nominations", "curator")
    keys.press(NAME, "link")
    keys.press(re.compile("Accept"), "link")
    keys.press(re.compile("Accept|Make"))
    assert re.search(r"/targets/\d+$", view.page.url), view.page.url
    look("target", "curator")
    return view.page.url.partition(view.site.url)[2]


def asked(view, look):
    view.sign_in("archivist")
    keys = Keyboard(view.open("/authorising-agents/new"))
    keys.fill("Name", "Tide Weekly")
    keys.fill("Contact", "Editor")
    keys.fill("E-mail", "editor@tides.example")
    keys.press(re.compile("Make"))
    keys = Keyboard(view.open("/authorisations/new"))
    keys.fill("Title", NAME)
    keys.fill("URL patterns", "http://tides.example/*")
    keys.tick("Tide Weekly")
    look("new-authorisation", "archivist")
    keys.press(re.compile("Make"))
    keys.press(re.compile("New permission|Add permission"), "link")
    keys.tick("tides.example")
    look("new-permission", "archivist")
    keys.press(re.compile("Make"))
    keys.press(re.compile("Ask|Request"), "link")
    keys.press(re.compile("Send|Ask"))
    look("permission", "archivist")
    assert "Requested" in view.page.inner_text("main")


def answered(view, address, look):
    view.page.goto(address)
    keys = Keyboard(view.page)
    keys.tick(re.compile("Yes|grant|agree", re.IGNORECASE))
    keys.fill("Your name", "Editor of Tide Weekly")
    look("answer", "reader")
    keys.press("Send answer")
    assert view.page.url.endswith("/answered")
    view.page.goto(address)
    assert "This form is not open" in view.page.inner_text("main")


def linked_and_nominated(view, target, look):
    keys = Keyboard(view.open(f"{target}/seeds"))
    keys.press("Link what matches")
    assert "may be collected today" in view.page.inner_text("main")
    look("seeds", "curator")
    keys = Keyboard(view.open(target))
    keys.press(re.compile("^Nominate"), "button")
    assert "nominated" in view.page.inner_text("main").lower()


def approved_and_scheduled(view, target, look):
    view.open("/in-tray")
    assert f"Approve target {NAME}" in view.page.inner_text("main")
    keys = Keyboard(view.open(target))
    keys.press(re.compile("^Approve"), "button")
    assert "approved" in view.page.inner_text("main").lower()
    number = target.rpartition("/")[2]
    keys = Keyboard(view.open(f"/schedule/of/{number}/new"))
    look("new-schedule", "archivist")
    keys.press(re.compile("Make|Add|Save"))
    view.open("/schedule/planned")
    assert NAME in view.page.inner_text("main")
    look("planned", "archivist")
    view.open("/schedule")
    look("calendar", "archivist")

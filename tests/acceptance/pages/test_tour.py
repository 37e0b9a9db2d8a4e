"""The tour: met at the first sign-in, once, showing only what a person may open, without a script."""

import re

import pytest

from opilio.people.privileges import Privilege, Scope
from opilio.web import handbook


@pytest.fixture
def newcomer(enter):
    """Somebody who curates, for the first time."""
    return enter("curator", privileges={Privilege.CREATE_TARGET: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY})


def test_the_first_sign_in_leads_to_the_tour_and_later_ones_do_not(newcomer, visitor):
    """It is met once; whoever skips it is left alone."""
    assert newcomer.get("/").headers["Location"] == "/tour"
    assert newcomer.get("/").headers["Location"] == "/in-tray"
    visitor.sign_in("curator")
    assert visitor.get("/").headers["Location"] == "/in-tray"


def test_a_wanted_page_is_not_kept_from_a_newcomer(town, visitor):
    """Who follows a link comes to where it leads; the tour waits for the way home."""
    town.user("reader")
    assert visitor.sign_in("reader", next="/help").headers["Location"] == "/help"
    assert visitor.get("/").headers["Location"] == "/tour"


def test_every_stop_leads_to_the_next_and_to_its_page(newcomer):
    """Forward by links alone; each page of a stop opens; the last stop ends it."""
    place, seen = "/tour", []
    while place != "/":
        text = newcomer.see(place)
        seen.append(re.search(r"<p><a href=\"([^\"]+)\">Open: ", text)[1])
        assert newcomer.get(seen[-1]).status_code == 200
        place = re.search(r'class="button primary" href="([^"]+)"', text)[1]
    assert len(seen) <= 6
    assert {"/in-tray", "/targets", "/help"} <= set(seen)
    assert "/deliveries" not in seen  # not open to this person
    assert "Skip the tour" in newcomer.see("/tour")


def test_a_stop_that_there_is_not_leads_to_the_first(newcomer):
    """Numbers in addresses are guessed now and then."""
    assert newcomer.get("/tour/99").headers["Location"] == "/tour"
    assert newcomer.get("/tour/0").headers["Location"] == "/tour"


def test_the_last_stop_and_the_menu_lead_to_the_handbook_if_there_is_one(newcomer, monkeypatch, tmp_path):
    """A link that leads nowhere is not shown."""
    monkeypatch.setattr(handbook, "FOLDER", tmp_path)
    assert "/docs/" not in newcomer.see("/help")
    (tmp_path / "index.html").write_text("<html></html>")
    assert 'href="/docs/"' in newcomer.see("/help")
    assert 'href="/tour"' in newcomer.see("/help")

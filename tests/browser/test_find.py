"""The search pages in Chromium: by keyboard and screen reader, light and dark, on a phone, without scripts."""

import pytest

from tests.acceptance.published import ROOT
from tests.browser.accessibility import faults, faults_in_both_themes
from tests.browser.test_pages import SMALL

pytestmark = pytest.mark.browser

PATHS = (
    "/find", "/find?q=regatta", "/find?q=zeppelin", f"/find?q=regatta+site:{ROOT.removeprefix('https://')}+%22",
    f"/find/page?url={ROOT}/regatta&q=regatta", f"/find/page?url={ROOT}/never", "/find/page?url=https://unknown.example/",
    "/find/word", "/find/word?w=regatta", f"/find/links?url={ROOT}/", "/find/similar?page=1&url=x",
)  # fmt: skip
INSIDE = ("/search/pages", "/search/pages?q=regatta", "/search/pages?q=a&in=working", "/index", "/search?q=regatta")


def test_axe_finds_nothing(look):
    """No search page breaks a rule of accessibility that a machine can check, in light and dark."""
    viewer = look(color_scheme="light")
    found = {path: faults_in_both_themes(viewer.open(path)) for path in PATHS}
    viewer.sign_in()
    found |= {path: faults_in_both_themes(viewer.open(path)) for path in INSIDE}
    assert {path: told for path, told in found.items() if told} == {}


def test_suggestions_by_keyboard(look):
    """Typing opens a list box; arrows choose, Escape closes and keeps what was typed, Enter goes there."""
    page = look().open("/find")
    box = page.get_by_role("combobox", name="Search the archived pages")
    assert page.evaluate("document.activeElement.id") == "find-box"
    page.keyboard.type("regat")
    page.get_by_role("option", name="regatta", exact=True).wait_for()
    assert box.get_attribute("aria-expanded") == "true"
    assert faults(page) == []
    page.keyboard.press("ArrowDown")
    chosen = page.locator(f"#{box.get_attribute('aria-activedescendant')}")
    assert chosen.get_attribute("aria-selected") == "true"
    assert box.input_value() == chosen.locator("span").inner_text()
    page.keyboard.press("Escape")
    assert page.get_by_role("listbox").count() == 0
    assert box.input_value() == "regat"
    page.keyboard.type("t")
    page.get_by_role("option", name="regatta", exact=True).wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/find?q=regatta")
    assert page.locator(".find-hit").count() == 3


def test_the_slash_goes_to_the_box(look):
    """Also after a search; the first Tab offers the way past the head."""
    page = look().open("/find?q=regatta")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "find-box"


def test_search_without_scripts(look):
    """The box, the facets, the switches and the stories are plain links and forms."""
    page = look(java_script_enabled=False).open("/find")
    page.get_by_label("Search the archived pages").fill("regatta")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/find?q=regatta")
    page.get_by_role("link", name="date", exact=True).click()
    page.wait_for_url("**/find?q=regatta&sort=date")
    page.get_by_role("link", name="About this page").first.click()
    assert page.get_by_role("heading", name="Captures over time").is_visible()


def test_small_screens_need_no_sideways_scrolling(look):
    """Every page fits into 320 pixels."""
    viewer = look(viewport=SMALL)
    wide = [path for path in PATHS if _sideways(viewer.open(path))]
    viewer.sign_in()
    assert [*wide, *(path for path in INSIDE if _sideways(viewer.open(path)))] == []


def test_the_theme_is_kept(look):
    """Readers choose dark without signing in."""
    viewer = look(color_scheme="light")
    page = viewer.open("/find")
    page.get_by_role("button", name="Change between light and dark").click()
    assert viewer.open("/find?q=regatta").evaluate("document.documentElement.dataset.theme") == "dark"


def _sideways(page):
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")

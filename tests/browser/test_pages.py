"""The pages in Chromium: by mouse, keyboard and screen reader, in light and dark, with and without scripts."""

import re

import pytest

from tests.browser.accessibility import faults, faults_in_both_themes

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 640}
_HEARD = """addEventListener("submit", event => {
    window.sent = (window.sent || 0) + !event.defaultPrevented; event.preventDefault();
})"""


def test_axe_finds_nothing(look, site):
    """The frame and what it holds break no rule of accessibility, in light and dark; `test_tour.py` sees every page."""
    viewer = look(color_scheme="light")
    found = {"/sign-in": faults_in_both_themes(viewer.open("/sign-in"))}
    viewer.sign_in()
    for path in ("/in-tray", f"/admin/users/{site.ids['curator']}", f"/admin/roles/{site.ids['archivist-role']}", "/x"):
        found[path] = faults_in_both_themes(viewer.open(path))
    assert {path: told for path, told in found.items() if told} == {}


def test_filtering_replaces_the_rows_only(look):
    """Typing into the search field narrows the list and the address without loading the page again."""
    viewer = look()
    viewer.sign_in()
    page = viewer.open("/admin/users")
    page.evaluate("window.untouched = true")
    page.get_by_role("searchbox", name="Search", exact=True).fill("museum")
    page.wait_for_url("**/admin/users?q=museum")
    assert page.locator("tbody tr").count() == 1
    assert page.locator("#list-count").inner_text() == "1 user"
    assert page.evaluate("window.untouched") is True
    page.get_by_role("link", name="Roles").first.click()
    page.go_back()
    page.wait_for_url("**/admin/users?q=museum")
    assert page.locator("tbody tr").count() == 1


def test_a_role_shows_its_changes_before_saving(look, site):
    """A changed privilege is marked and counted; after saving, the mark is gone and the choice stays."""
    viewer = look()
    viewer.sign_in()
    page = viewer.open(f"/admin/roles/{site.ids['archivist-role']}")
    page.get_by_placeholder("Find a privilege").fill("purge")
    row = page.locator("[data-privilege^=PURGE]")
    assert page.locator("[data-privilege]:visible").count() == 1
    row.get_by_label("Agency").focus()
    page.keyboard.press("Space")
    assert "1 privilege changed" in page.locator("[data-changes]").inner_text()
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".toast-success")
    assert page.locator("[data-privilege^=PURGE]").get_by_label("Agency").is_checked()
    assert page.locator("[data-changes]").inner_text() == ""


def test_a_task_is_claimed_and_completed(look):
    """One click claims a task, another completes it, and the count in the navigation follows."""
    viewer = look()
    page = viewer.sign_in()
    row = page.locator("tbody tr").filter(has_text="regatta")
    row.get_by_role("button", name="Claim").click()
    row.get_by_text("claimed by you").wait_for()
    before = int(re.sub(r"\D", "", page.locator(".sidebar .count").inner_text()))
    row.get_by_role("button", name="Complete").click()
    page.get_by_text("Completed.").wait_for()
    assert row.count() == 0
    assert int(re.sub(r"\D", "", page.locator(".sidebar .count").inner_text())) == before - 1


def test_two_people_save_the_same_user(look, site):
    """The second sees both versions and saves hers on top; nothing is lost."""
    path = f"/admin/users/{site.ids['operator']}"
    one, two = look(), look()
    one.sign_in()
    two.sign_in()
    first, second = one.open(path), two.open(path)
    first.get_by_label("Telephone").fill("100")
    first.get_by_role("button", name="Save").click()
    first.wait_for_selector(".toast-success")
    second.get_by_label("Telephone").fill("200")
    second.get_by_role("button", name="Save").click()
    second.get_by_role("heading", name="Two versions of operator").wait_for()
    assert faults(second) == []
    assert second.locator("tr.differs").inner_text().split() == ["Telephone", "differs", "200", "100"]
    second.get_by_role("button", name="Save mine over theirs").click()
    second.wait_for_selector(".toast-success")
    assert second.get_by_label("Telephone").input_value() == "200"


def test_a_deletion_is_asked_in_a_dialog(look, site):
    """The question stands before the page; Escape closes it, and nothing has happened."""
    viewer = look()
    viewer.sign_in()
    page = viewer.open(f"/admin/users/{site.ids['wrangler']}")
    page.get_by_role("link", name="Delete", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name="Delete user “wrangler”?").wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    page.get_by_role("link", name="Delete", exact=True).click()
    dialog.get_by_role("link", name="Cancel").click()
    assert not dialog.is_visible()
    assert page.url.endswith(f"/admin/users/{site.ids['wrangler']}")


def test_the_keyboard_reaches_everything(look):
    """The first Tab offers the way past the navigation; "/" goes to the search box."""
    viewer = look()
    page = viewer.sign_in()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search-box"
    page.keyboard.type("curator")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=curator")


def test_dark_is_chosen_and_kept(look):
    """The button changes the theme at once, and the next page keeps it."""
    viewer = look(color_scheme="light")
    page = viewer.sign_in()
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Change between light and dark").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    viewer.open("/account")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_everything_works_without_javascript(look, site):
    """Signing in, filtering, choosing the theme, acting on several rows, menus: all without a script."""
    viewer = look(java_script_enabled=False)
    page = viewer.sign_in()
    viewer.open("/admin/users")
    page.locator("#filter-state").select_option("deactivated")
    page.get_by_role("button", name="Filter").click()
    assert page.locator("tbody tr").count() == 1
    page.get_by_label("Select reader").check()
    page.get_by_role("button", name="Activate", exact=True).click()
    page.get_by_role("heading", name="Activate 1 user?").wait_for()
    page.get_by_role("button", name="Activate").click()
    page.get_by_text("1 user activated.").wait_for()
    page.locator("summary", has_text="Views").click()
    page.get_by_label("Keep the present view as").fill("No script")
    page.get_by_role("button", name="Keep view").click()
    page.get_by_text("The view “No script” is kept.").wait_for()
    page.get_by_role("button", name="Change between light and dark").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.locator("summary[aria-label^=Account]").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_text("You are signed out.").wait_for()


def test_small_screens(look, site):
    """At 320 pixels no page scrolls sideways, and the menu opens the navigation."""
    viewer = look(viewport=SMALL)
    page = viewer.sign_in()
    paths = ["/in-tray", "/admin/users", "/admin/audit", f"/admin/roles/{site.ids['archivist-role']}", "/account",
             f"/admin/users/{site.ids['curator']}", "/admin/users/new"]  # fmt: skip
    for path in paths:
        viewer.open(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"], path
    page.locator("summary[aria-label=Menu]").click()
    page.get_by_role("navigation", name="Main, small screens").get_by_role("link", name="Audit log").click()
    page.get_by_role("heading", name="Audit log").wait_for()


def test_csv_is_streamed_by_the_server(look):
    """The file comes from the real server, with its name and its rows."""
    viewer = look()
    page = viewer.sign_in()
    viewer.open("/admin/users")
    with page.expect_download() as coming:
        page.get_by_role("link", name="CSV").click()
    assert coming.value.suggested_filename == "users.csv"
    assert "administrator" in coming.value.path().read_text("utf-8-sig")


def test_rows_are_cards_on_a_telephone(look):
    """Nothing of a list stands beside the screen: each row tells its columns with their labels, filters are folded."""
    viewer = look(viewport={"width": 390, "height": 844})
    viewer.sign_in()
    page = viewer.open("/admin/users")
    assert page.evaluate("document.querySelector('.table-frame').scrollWidth") <= 390
    row = page.locator("tbody tr").filter(has_text="museum").first
    told = row.locator("td[data-label=Agency]")
    assert told.is_visible()
    assert told.evaluate("cell => getComputedStyle(cell, '::before').content") == '"Agency"'
    search = page.get_by_role("searchbox", name="Search", exact=True)
    assert not search.is_visible()
    page.locator("summary", has_text="Filters").click()
    search.fill("museum")
    page.wait_for_url("**/admin/users?q=museum")
    viewer.open("/admin/users?q=museum")
    assert search.is_visible(), "a list that is filtered shows by what"


def test_filters_are_open_on_a_desk(look):
    """Where there is room, nothing is folded."""
    viewer = look()
    viewer.sign_in()
    page = viewer.open("/admin/users")
    assert page.get_by_role("searchbox", name="Search", exact=True).is_visible()
    assert not page.locator(".fold > summary").is_visible()


def test_a_form_is_sent_once(look):
    """While the answer is on its way, the page says so, and a second click does nothing."""
    viewer = look()
    viewer.sign_in()
    page = viewer.open("/account")
    page.evaluate(_HEARD)  # hears last, and keeps the page: as if the answer never came
    page.get_by_role("button", name="Save").click()
    page.locator("form:has(#id_email)").evaluate("form => form.requestSubmit()")
    assert page.evaluate("window.sent") == 1
    assert page.get_by_role("status").filter(has_text="One moment").is_visible()

"""Publishing and who sees what, in a browser: a reading room is made, a publication started."""

from tests.browser.accessibility import faults_in_both_themes


def test_the_pages_about_readers(look):
    """Forms work by their labels, the list tells what was made, and axe finds nothing in light and dark."""
    viewer = look(viewport={"width": 1280, "height": 900})
    viewer.sign_in()
    page = viewer.open("/admin/reading-rooms/new")
    page.get_by_label("Name").fill("Main hall")
    page.get_by_label("Networks").fill("192.0.2.0/24\n2001:db8::/48")
    page.get_by_role("button", name="Make reading room").click()
    page.get_by_role("link", name="Main hall").wait_for()
    found = {"/admin/reading-rooms": faults_in_both_themes(page)}
    page = viewer.open("/publications")
    found["/publications"] = faults_in_both_themes(page)
    page.get_by_role("button", name="Publish now").click()
    page.get_by_role("heading", name="Publication").first.wait_for()
    found["/publications/N"] = faults_in_both_themes(page)
    assert {path: told for path, told in found.items() if told} == {}

"""Old and broken pages, kept as files."""

from opilio.extract import extract
from tests.unit.extract.pages import DATA, URL, urls


def _page(name):
    return extract((DATA / name).read_bytes(), url=URL, content_type="text/html")


def test_a_page_of_the_nineties():
    """Upper case, missing quotes and end tags, and a charset that nobody declared."""
    found = _page("old-page.html")
    assert (found.title, found.charset, found.charset_source) == ("Müller's Fähre", "windows-1252", "fallback")
    assert urls(found) == [
        "/dir/sand.gif", "/dir/preise.htm", "/dir/boote.htm", "/dir/kapit%C3%A4n.htm", "/dir/karte.gif",
        "/dir/insel.htm",
    ]  # fmt: skip
    assert "Willkommen\nam Hafen\nAbfahrt täglich\nPreise: hier" in found.text
    assert "Hin\n5 DM\nZurück\n4 DM" in found.text


def test_a_broken_page():
    """Wrong markup is read as a browser reads it."""
    found = _page("broken-page.html")
    assert found.title == "Still <b>a title"
    assert {"/1", "/4", "/5.png"} <= set(urls(found))
    assert "/no" not in urls(found)
    assert found.text.endswith("end & \N{REPLACEMENT CHARACTER} &bogus;")

"""Page sources: what is read from them, and what is refused."""

from datetime import date
from pathlib import Path

import pytest

from opilio.kernel.errors import Damaged, Missing
from opilio.works.sample.listing import content_type, special
from opilio.works.sample.render import render
from opilio.works.sample.source import PageSource, read_page, request_path

GOOD = "title: Knots: a start\ndescription: Five of them.\ndate: 2025-03-04\n---\n<p>Body</p>\n"


def read(tmp_path, content, name="page.html"):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_page(file, root=tmp_path)


def test_header_and_body_are_told_apart(tmp_path):
    """The header gives the fields, also with a colon in the value; the rest is the body."""
    page = read(tmp_path, GOOD)
    assert (page.path, page.title, page.date) == ("/page.html", "Knots: a start", date(2025, 3, 4))
    assert page.body == "<p>Body</p>\n"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("<p>No header</p>", "no header"),
        ("", "no header"),
        (GOOD.replace("title: Knots: a start\n", ""), "lacks title"),
        (GOOD.replace("description", "colour"), "lacks description"),
        ("layout: ../../x\n" + GOOD, "unknown layout '../../x'"),
        ("colour: red\n" + GOOD, "unknown field colour"),
        ("keywords\n" + GOOD, "'keywords'"),
        ("keywords:  \n" + GOOD, "has no value"),
        (GOOD.replace("2025-03-04", "4 March"), "'4 March'"),
        (GOOD.encode("utf-16"), "not UTF-8"),
    ],
)
def test_broken_sources_are_refused_with_a_remedy(tmp_path, content, complaint):
    """A source that cannot be read says what is wrong, in which file, and what to do."""
    with pytest.raises(Damaged) as caught:
        read(tmp_path, content)
    assert complaint in caught.value.what
    assert caught.value.where.endswith("page.html")
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("file", "path"),
    [("index.html", "/"), ("visit/index.html", "/visit/"), ("a b.html", "/a%20b.html"), ("é.html", "/%C3%A9.html")],
)
def test_the_place_of_a_file_gives_its_path(file, path):
    """An index is served as its folder, and names are percent-encoded."""
    assert request_path(Path(file)) == path


@pytest.mark.parametrize(
    ("path", "section"), [("/", "/"), ("/visit/", "/visit/"), ("/visit/hours.html", "/visit/"), ("/kiosk.html", "/")]
)
def test_the_section_is_the_first_folder(path, section):
    """The section marks the entry of the navigation that is open."""
    assert PageSource(path=path, title="t", description="d", date=date(2025, 1, 1), body="").section == section


def test_fields_are_escaped_and_characters_outside_the_charset_survive():
    """A title cannot break the page, and what Latin-1 lacks becomes a character reference."""
    page = PageSource(
        path="/x", title='<b>"&', description="$body", date=date(2025, 1, 1), body="“quoted”", charset="iso-8859-1"
    )
    assert (
        render(page, chrome="$title|$body|$head")
        .decode("ascii")
        .startswith("&lt;b&gt;&quot;&amp;|&#8220;quoted&#8221;|<meta")
    )


def test_a_file_of_an_unknown_kind_is_named(tmp_path):
    """A stray file among those served is refused by name instead of being served as something."""
    with pytest.raises(Damaged) as caught:
        content_type(tmp_path / "notes.bak")
    assert caught.value.where.endswith("notes.bak")


def test_an_unknown_special_page_is_named():
    """Asking for a special page that is not there names it."""
    with pytest.raises(Missing) as caught:
        special("nowhere", status=404)
    assert "nowhere" in str(caught.value)

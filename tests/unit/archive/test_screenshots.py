"""Pictures on their shelf, the names they have there, and what is said where there is no browser."""

import subprocess
import sys
from datetime import timedelta

import pytest

from opilio.archive.screenshots import browser
from opilio.archive.screenshots.browser import chromium_program, running_camera
from opilio.archive.screenshots.errors import NoBrowser, NoPicture
from opilio.archive.screenshots.pictures import Picture, PictureKind, PictureSize, page_of, urn_of
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.archive.warc.reader import iterate
from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import Conflict, InvalidInput
from opilio.kernel.locks import locked
from tests.unit.archive.warcs import assert_valid

URL = "http://owls.example/"


def _picture(url=URL, kind=PictureKind.VIEW, data=b"picture", at=0):
    return Picture(url=url, kind=kind, at=ManualClock().at + timedelta(milliseconds=at), data=data)


@pytest.fixture
def shelf(tmp_path):
    return PictureShelf(tmp_path, ManualClock())


def test_pictures_become_resource_records(shelf, tmp_path):
    """Under the names that other programs know, in valid WARC files, with what is known about them beside them."""
    pictures = [_picture(), _picture(kind=PictureKind.FULL), _picture(kind=PictureKind.THUMBNAIL)]
    assert shelf.add([(pictures, [("source", "archive")])]) == 3
    (path,) = assert_valid(tmp_path / "screenshots")
    records = [record for record in iterate(path) if record.kind == "resource"]
    assert [(record.url, record.field("Content-Type")) for record in records] == [
        (f"urn:view:{URL}", "image/png"),
        (f"urn:fullPage:{URL}", "image/png"),
        (f"urn:thumbnail:{URL}", "image/jpeg"),
    ]
    notes = [record for record in iterate(path) if record.kind == "metadata"]
    assert [note.block for note in notes] == [b"source: archive\r\n"] * 3


def test_newer_pictures_stand_beside_older_ones(shelf):
    """Each adding makes a file; the newest is found, the others are listed."""
    for number in (1, 3, 2):
        shelf.add([([_picture(data=b"%d" % number, at=number)], [])])
    assert shelf.newest(URL).data == b"3"
    shown = list(shelf.all(PictureKind.VIEW))
    assert [shelf.picture(each).data for each in shown] == [b"1", b"2", b"3"]
    assert len({each.place.file for each in shown}) == 3


@pytest.mark.parametrize("url", ["http://owls.example/Ä ö?q=a b", "http://owls.example/A", "https://owls.example/a#x"])
def test_pages_are_told_apart(shelf, url):
    """By case, scheme and odd letters."""
    others = ["http://owls.example/a", "http://owls.example/%41"]
    shelf.add([([_picture(url=each, data=each.encode())], []) for each in (url, *others)])
    assert shelf.newest(url).data == url.encode()
    assert shelf.newest(others[0]).data == others[0].encode()


def test_what_is_not_there_is_told(shelf):
    """With how to take it."""
    with pytest.raises(NoPicture) as caught:
        shelf.newest(URL)
    assert "screenshots take" in caught.value.remedy
    shelf.add([([_picture()], [])])
    with pytest.raises(NoPicture):
        shelf.newest(URL, PictureKind.FULL)
    assert list(PictureShelf(shelf.index.parent / "none").all()) == []


def test_what_was_taken_before_a_fall_is_kept(shelf):
    """An error in the middle loses nothing that was written."""

    def taken():
        yield [_picture()], []
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shelf.add(taken())
    assert shelf.newest(URL).data == b"picture"
    shelf.add([([_picture(data=b"next", at=5)], [])])
    assert shelf.newest(URL).data == b"next"


def test_two_do_not_add_at_once(shelf, tmp_path):
    """The second is told who works there."""
    shelf.add([])
    with locked(tmp_path / "screenshots" / "lock", purpose="a test"), pytest.raises(Conflict):
        shelf.add([([_picture()], [])])


def test_names_of_pictures():
    """A name tells its kind and page; other names are none."""
    for kind in PictureKind:
        assert page_of(urn_of(kind, URL)) == (kind, URL)
    assert page_of("urn:text:http://owls.example/") is None


@pytest.mark.parametrize("wrong", [{"width": 10}, {"height": 99_999}, {"tallest": 0}, {"thumbnail": 5_000}])
def test_sizes_that_cannot_be_are_refused(wrong):
    """The field is named."""
    with pytest.raises(InvalidInput) as caught:
        PictureSize(**wrong)
    assert caught.value.where == next(iter(wrong))


def test_without_playwright_the_remedy_is_told(monkeypatch):
    """The module can be imported, and says what to install when it is used."""
    code = (
        "import sys; sys.modules['playwright'] = None\n"
        "from opilio.archive.screenshots import archived_pages, browser, darkroom\n"
        "assert not browser.INSTALLED"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    monkeypatch.setattr(browser, "INSTALLED", False)
    with pytest.raises(NoBrowser) as caught, running_camera():
        pass
    assert "pip install 'opilio[browser]'" in caught.value.remedy


def test_without_chromium_the_remedy_is_told(monkeypatch, tmp_path):
    """None on the path, and one that is named wrongly."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoBrowser) as caught:
        chromium_program()
    assert "apt install chromium" in caught.value.remedy
    with pytest.raises(NoBrowser):
        chromium_program("/nowhere/chromium")

"""The pictures of the docs are all taken by one command."""

from tests.browser import screenshots
from tests.browser.replay import screenshots as replay


def test_every_picture_of_the_docs_is_taken_anew():
    """None is left over from earlier pages, none is missing."""
    taken = [name for names in screenshots.TAKEN.values() for name in names]
    assert sorted(taken) == sorted(path.stem for path in screenshots.FOLDER.glob("*.png"))


def test_one_command_takes_them_all(monkeypatch):
    """Those of replay, too."""
    assert replay.main in screenshots.TAKEN
    called = []
    monkeypatch.setattr(screenshots, "TAKEN", {lambda: called.append("pages"): (), lambda: called.append("replay"): ()})
    screenshots.main()
    assert called == ["pages", "replay"]

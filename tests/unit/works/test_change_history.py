"""The history of the pages of a target."""

import sqlite3

import pytest

from opilio.kernel.errors import Damaged, Missing
from opilio.works.change_history import ChangeHistory, Seen, Tally

DAY = 86_400


@pytest.fixture
def file(tmp_path):
    return tmp_path / "changes" / "7.sqlite"


def _record(file, harvest, pages, *, whole=True):
    at = harvest * DAY
    with ChangeHistory(file, create=True) as history:
        return history.record(harvest, at, [Seen(at=at, **page) for page in pages], whole=whole)


def _pages(**digests):
    return [{"url": f"http://a.example/{name}", "digest": digest} for name, digest in digests.items()]


def test_harvests_are_compared_with_what_was_seen_last(file):
    """New, changed, the same, not modified, gone."""
    assert _record(file, 1, _pages(a="1", b="1", c="1", d="1")) == Tally(new=4)
    later = [*_pages(a="1", b="2", e="1"), {"url": "http://a.example/c", "digest": "1", "not_modified": True}]
    assert _record(file, 3, later) == Tally(since=1, days=2, not_modified=1, same=1, changed=1, new=1, gone=1)


def test_a_harvest_is_recorded_once(file):
    """A second time gives the same answer and changes nothing."""
    _record(file, 1, _pages(a="1"))
    first = _record(file, 2, _pages(a="2"))
    assert _record(file, 2, _pages(a="3")) == first
    with ChangeHistory(file) as history:
        (page,) = history.pages()
    assert (page.checks, page.changes, page.days, page.changed) == (1, 1, 1, 2 * DAY)


def test_what_a_limited_harvest_did_not_meet_is_not_gone(file):
    """Only what the server said is gone; and one that was met with an error is not gone either."""
    _record(file, 1, _pages(a="1", b="1", c="1"))
    pages = [*_pages(a="1"), {"url": "http://a.example/b", "gone": True}]
    assert _record(file, 2, pages, whole=False) == Tally(since=1, days=1, same=1, gone=1)
    assert _record(file, 3, [*_pages(a="1"), {"url": "http://a.example/c"}]) == Tally(since=2, days=1, same=1)


def test_a_page_that_comes_back_is_new(file):
    """And one that is gone twice is gone once."""
    _record(file, 1, _pages(a="1", b="1"))
    assert _record(file, 2, _pages(a="1")).gone == 1
    assert _record(file, 3, _pages(a="1")).gone == 0
    assert _record(file, 4, _pages(a="1", b="1")).new == 1


def test_pages_that_change_most_come_first(file):
    """Filtered by a text that is taken as it is."""
    for day, digest in enumerate(("1", "2", "3"), 1):
        _record(file, day, _pages(**{"often": digest, "seldom%": "1"}))
    with ChangeHistory(file) as history:
        assert [page.url[17:] for page in history.pages()] == ["often", "seldom%"]
        assert [page.url[17:] for page in history.pages(text="%")] == ["seldom%"]
        assert [page.changes for page in history.pages(limit=1)] == [2]
        assert history.pages(text="nothing' OR 1=1 --") == []


def test_a_failure_leaves_the_history_as_it_was(file):
    """Half a harvest is never taken down."""
    _record(file, 1, _pages(a="1"))

    def pages():
        yield Seen(url="http://a.example/a", at=2 * DAY, digest="2")
        raise Damaged("the result ends here")

    with ChangeHistory(file, create=True) as history:
        with pytest.raises(Damaged):
            history.record(2, 2 * DAY, pages(), whole=True)
        assert history.of(2) is None
        assert history.pages()[0].changes == 0


def test_a_damaged_file_says_how_it_is_made_anew(file):
    """So do a missing one and one of another kind."""
    with pytest.raises(Missing, match="--rebuild"):
        ChangeHistory(file)
    file.parent.mkdir()
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(Damaged, match="--rebuild"):
        ChangeHistory(file)
    file.unlink()
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE x (y)")
    other.close()
    with pytest.raises(Damaged, match="no history"):
        ChangeHistory(file)

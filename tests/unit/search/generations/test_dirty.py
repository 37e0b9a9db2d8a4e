"""What changed since a generation was built."""

from datetime import timedelta

import pytest

from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import Damaged, InvalidInput
from opilio.search.generations.dirty import Change, DirtyFile


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def dirty(tmp_path, clock):
    return DirtyFile(tmp_path / "index" / "dirty.db", clock=clock)


def told(dirty, indexed):
    return [(each.name, each.change, each.fingerprint) for each in dirty.dirty(indexed)]


def test_what_a_generation_lacks(dirty):
    """New, changed and removed sources are dirty; those that it holds as they are are not."""
    dirty.note_all({"a": "1", "b": "2", "c": "3"})
    dirty.gone("d")
    assert told(dirty, {"a": "1", "b": "1", "d": "4", "z": "9"}) == [
        ("b", Change.CHANGED, "2"), ("c", Change.ADDED, "3"), ("d", Change.REMOVED, ""),
    ]  # fmt: skip
    assert dirty.sources() == {"a": "1", "b": "2", "c": "3"}


def test_dirty_since_the_change(dirty, clock):
    """Noting the same again changes nothing; a change sets the time anew."""
    begun = clock.now()
    assert dirty.note("a", "1")
    clock.advance(60)
    assert not dirty.note("a", "1")
    assert dirty.dirty({})[0].since == begun
    assert dirty.note("a", "2")
    assert dirty.dirty({"a": "1"})[0].since == begun + timedelta(seconds=60)


def test_a_source_that_came_and_went_is_not_dirty(dirty):
    """What no generation held and is gone needs no rebuild."""
    dirty.note("a", "1")
    assert dirty.gone("a")
    assert not dirty.gone("a")
    assert told(dirty, {}) == []


def test_a_change_during_a_build_stays_dirty(dirty):
    """The build holds what it read; what changed since is dirty against it."""
    dirty.note("a", "1")
    read = dirty.sources()
    dirty.note("a", "2")
    assert told(dirty, read) == [("a", Change.CHANGED, "2")]


def test_a_rollback_makes_dirty_again(dirty):
    """Against an earlier generation, what was built since is dirty."""
    dirty.note_all({"a": "2", "b": "1"})
    assert told(dirty, {"a": "2", "b": "1"}) == []
    assert told(dirty, {"a": "1"}) == [("a", Change.CHANGED, "2"), ("b", Change.ADDED, "1")]


@pytest.mark.parametrize("name", ["", 7, None, "x" * 2_001, "a\x00b"])
def test_senseless_names_are_refused(dirty, name):
    """Nothing is noted then."""
    for given in ({name: "1"}, {"a": name}):
        with pytest.raises(InvalidInput):
            dirty.note_all(given)
    assert dirty.sources() == {}


def test_a_damaged_file_says_what_to_do(dirty, tmp_path):
    """The remedy is a build from nothing."""
    dirty.note("a", "1")
    (tmp_path / "index" / "dirty.db").write_bytes(b"x" * 5_000)
    with pytest.raises(Damaged, match="from nothing"):
        dirty.note("a", "2")

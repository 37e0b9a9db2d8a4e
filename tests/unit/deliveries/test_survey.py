"""All sources at once; none keeps the others waiting."""

import threading

import pytest

from opilio.deliveries.errors import NotAtSource, SourceAway, SourceRefused
from opilio.deliveries.profile import profile
from opilio.deliveries.source import Entry, Source, SourceProtocol
from opilio.deliveries.survey import survey

IMPC = profile("impc")


class Fake:
    """A connection over a table of folders."""

    def __init__(self, folders):
        self.folders = folders
        self.closed = threading.Event()

    def entries(self, folder):
        found = self.folders.get(folder)
        if found is None:
            raise NotAtSource("none")
        if callable(found):
            return found(self)
        return iter([Entry(name=name) for name in found])

    def close(self):
        self.closed.set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def source(name):
    """A source by name."""
    return Source(name=name, protocol=SourceProtocol.FOLDER)


def look(table, limit=20.0):
    """What each source gave, by name."""

    def opener(wanted):
        made = table[wanted.name]
        if isinstance(made, Exception):
            raise made
        return made

    return {one.source.name: one for one in survey([source(name) for name in table], IMPC, opener, limit=limit)}


def test_each_folder_is_an_action():
    """Also those that are empty; a folder that is not there is named."""
    found = look({"barn": Fake({"add": ["a.zip"], "delete": []})})["barn"]
    assert [one.name for one in found.entries["add"]] == ["a.zip"]
    assert found.entries["delete"] == []
    assert found.missing == ["edit"]
    assert found.error is None


def test_a_source_without_any_folder_is_an_error():
    """Most likely its base path is wrong."""
    assert isinstance(look({"barn": Fake({})})["barn"].error, NotAtSource)


@pytest.mark.parametrize("error", [SourceRefused("no"), RuntimeError("a fault of ours"), NotAtSource("x")])
def test_a_source_that_fails_is_not_an_empty_one(error):
    """It says why, and the others are listed."""
    found = look({"barn": error, "stable": Fake({"add": ["a.zip"]})})
    assert str(error) in str(found["barn"].error)
    assert found["stable"].entries["add"]


def test_a_source_that_hangs_is_cut_off():
    """After the time limit; its connection is closed."""
    hanging = Fake({"add": lambda fake: iter(lambda: fake.closed.wait(30) and None, None)})
    found = look({"barn": hanging, "stable": Fake({"add": []})}, limit=0.2)
    assert isinstance(found["barn"].error, SourceAway)
    assert "0.2 s" in str(found["barn"].error)
    assert found["stable"].error is None
    assert hanging.closed.wait(10)


def test_sources_are_looked_at_at_the_same_time():
    """Each waits for the other, and both end."""
    meeting = threading.Barrier(2, timeout=20)

    def met(_):
        meeting.wait()
        return iter([])

    found = look({name: Fake({"add": met}) for name in ("barn", "stable")})
    assert [one.error for one in found.values()] == [None, None]

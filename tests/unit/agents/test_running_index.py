"""The chore that lets reviewers find the pages of harvests that run."""

import dataclasses
from types import SimpleNamespace

import pytest

from opilio.agents import running_index
from opilio.agents.running_index import follow_running_harvests
from opilio.curation.models import HarvestState
from opilio.kernel.errors import Damaged
from opilio.kernel.locks import locked
from opilio.works.followed_crawls import followed_file
from tests.harvest_desk import HarvestDesk


@pytest.fixture
def home(settings, tmp_path):
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    return tmp_path


@pytest.fixture
def desk(db):
    return HarvestDesk()


@pytest.fixture
def turn(home, settings):
    return SimpleNamespace(settings=settings.OPILIO, should_stop=lambda: False)


def begun(home, desk, state=HarvestState.RUNNING):
    """A harvest whose crawl store seems to be there."""
    row = desk.harvest(state=state)
    store = running_index.place_of(row.pk).crawl.store
    store.parent.mkdir(parents=True)
    store.touch()
    return row


@pytest.fixture
def followed(monkeypatch):
    """The harvests that were given to the index."""
    given = []

    class Index:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def follow_all(self, crawls):
            given.extend(int(each.harvest) for each in crawls)
            return len(crawls)

    monkeypatch.setattr(running_index, "working_index", lambda home: Index())
    monkeypatch.setattr(running_index, "unread", lambda crawl, followed: True)
    return given


def test_only_harvests_that_run_here(home, desk, turn, followed):
    """Those that run, pause or stop, and whose data is on this machine."""
    states = (HarvestState.RUNNING, HarvestState.PAUSED, HarvestState.STOPPING)
    wanted = [begun(home, desk, state).pk for state in states]
    begun(home, desk, HarvestState.HARVESTED)
    desk.harvest(state=HarvestState.RUNNING)  # its folder is elsewhere
    follow_running_harvests(turn)
    assert followed == sorted(wanted)


def test_nothing_new_opens_no_writer(home, desk, turn, followed, monkeypatch):
    """So that others may have it."""
    begun(home, desk)
    monkeypatch.setattr(running_index, "unread", lambda crawl, followed: False)
    follow_running_harvests(turn)
    assert followed == []
    assert not (home / "index" / "working").exists()


def test_a_store_that_cannot_be_read_does_not_stop_the_others(home, desk, turn, followed, monkeypatch, caplog):
    """It is told in the log, and tried at the next turn."""
    broken, sound = begun(home, desk), begun(home, desk)

    def unread(crawl, followed):
        if crawl.harvest == str(broken.pk):
            raise Damaged("the crawl store cannot be read", where=crawl.folder, remedy="Restore it.")
        return True

    monkeypatch.setattr(running_index, "unread", unread)
    follow_running_harvests(turn)
    assert followed == [sound.pk]
    assert "working_index_crawl_unread" in caplog.text


def test_an_index_that_another_process_writes_is_left_to_it(home, desk, turn, monkeypatch):
    """The next turn comes in two seconds."""
    begun(home, desk)
    monkeypatch.setattr(running_index, "unread", lambda crawl, followed: True)
    working = home / "index" / "working"
    working.mkdir(parents=True)
    with locked(working / "writer.lock", purpose="writing the working index"):
        follow_running_harvests(turn)
    assert followed_file(working).all() == []
    assert not list(working.glob("index/*"))

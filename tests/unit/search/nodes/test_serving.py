"""The generation that a service has open."""

import threading

import pytest

from opilio.kernel.access import PUBLIC
from opilio.kernel.clock import ManualClock
from opilio.search.generations.errors import GenerationInUse
from opilio.search.generations.library import Generations
from opilio.search.nodes.errors import NotReady
from opilio.search.nodes.serving import Serving
from tests.contracts.generations_tiny import WORD, TinyContents, complete, flip, made


class Pointed:
    """What should be served."""

    def __init__(self):
        self.folder = None

    def __call__(self):
        return self.folder


@pytest.fixture
def generations(tmp_path):
    return Generations(tmp_path)


@pytest.fixture
def pointed():
    return Pointed()


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def serving(pointed, clock):
    found = Serving(pointed, TinyContents(), clock=clock)
    yield found
    found.close()


def asked(serving):
    with serving.reading() as held:
        return complete(held.opened.search({"q": WORD}, PUBLIC))


def test_nothing_is_served_before_the_first(serving):
    """Without a generation the node is not ready."""
    assert not serving.follow()
    with pytest.raises(NotReady), serving.reading():
        pass


def test_the_new_one_takes_over_and_the_old_one_is_finished_first(serving, pointed, generations):
    """A reader who began on the old one ends on it; it is closed when the last has left."""
    pointed.folder = generations.path(made(generations.root, 1).id)
    assert serving.follow()
    assert not serving.follow()
    with serving.reading() as old:
        pointed.folder = generations.path(made(generations.root, 2).id)
        assert serving.follow()
        assert asked(serving) == 2
        assert complete(old.opened.search({"q": WORD}, PUBLIC)) == 1
        assert not old.opened.closed
        with pytest.raises(GenerationInUse):
            generations.remove(old.manifest.id, in_use=set)
    assert old.opened.closed
    generations.remove(old.manifest.id, in_use=set)


@pytest.mark.parametrize("damage", ["bit", "answers", "gone", "manifest"])
def test_a_damaged_one_is_refused_and_the_previous_one_stays(serving, pointed, generations, damage):
    """Whatever is wrong with it is remembered for whoever asks."""
    pointed.folder = generations.path(made(generations.root, 1).id)
    serving.follow()
    pointed.folder = generations.path(made(generations.root, 2).id)
    if damage == "bit":
        flip(next(pointed.folder.rglob("*.term")))
    elif damage == "manifest":
        flip(pointed.folder / "manifest.json", 40)
    elif damage == "gone":
        generations.remove(pointed.folder.name, in_use=set)
    else:
        serving._contents = _Wrong()
    assert not serving.follow()
    assert serving.refused.generation == pointed.folder.name
    assert serving.refused.reason
    assert asked(serving) == 1
    pointed.folder = generations.path(generations.ids()[0])
    assert not serving.follow()
    assert asked(serving) == 1


class _Wrong(TinyContents):
    def open(self, folder, manifest):
        opened = super().open(folder, manifest)
        opened.counts = lambda: {"pages": 0}
        return opened


def test_a_refused_one_is_not_read_again_at_once(serving, pointed, generations, clock):
    """It is tried again after a while, or when its folder is another one."""
    pointed.folder = generations.path(made(generations.root, 1).id)
    views = pointed.folder / "views.txt"
    flip(views)
    assert not serving.follow()
    flip(views)
    assert not serving.follow()
    clock.advance(61)
    assert serving.follow()
    assert serving.refused is None


def test_readers_in_many_threads_see_whole_generations(serving, pointed, generations):
    """While generations change under them, every answer is complete and of one generation."""
    folders = [generations.path(made(generations.root, each).id) for each in range(4)]
    pointed.folder = folders[0]
    serving.follow()
    stop, seen, errors = threading.Event(), set(), []

    def read():
        while not stop.is_set():
            try:
                seen.add(asked(serving))
            except BaseException as error:
                errors.append(error)
                raise

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for turn in range(20):
            pointed.folder = folders[turn % 4]
            serving.follow()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert errors == []
    assert seen


def test_close_ends_it(serving, pointed, generations):
    """After the end nothing is answered, and nothing is held."""
    pointed.folder = generations.path(made(generations.root, 1).id)
    serving.follow()
    serving.close()
    with pytest.raises(NotReady), serving.reading():
        pass
    generations.remove(pointed.folder.name, in_use=set)

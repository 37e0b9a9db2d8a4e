"""The generations in a folder."""

import os

import pytest

from opilio.search.generations.errors import BadGenerationId, GenerationInUse, NoGeneration
from opilio.search.generations.library import Generations
from opilio.search.generations.manifest import MANIFEST
from opilio.search.generations.pins import Pin, alone, pinned
from tests.contracts.generations_tiny import made


@pytest.fixture
def generations(tmp_path):
    return Generations(tmp_path / "generations")


@pytest.fixture
def five(generations):
    return [made(generations.root, each, pages=1).id for each in range(5)]


def test_an_empty_library(generations):
    """Nothing is there before the first build."""
    assert (generations.ids(), generations.newest(), generations.listed()) == ([], "", [])


def test_order_and_neighbours(generations, five):
    """The oldest comes first; what is unfinished does not count."""
    (generations.root / ".building-20200101T000000000000-00000000").mkdir()
    (generations.root / "notes").mkdir()
    assert generations.ids() == five
    assert generations.newest() == five[-1]
    assert generations.before(five[2]) == five[1]
    assert generations.before(five[0]) == ""
    assert [name for name, manifest in generations.listed() if manifest is not None] == five


def test_keep_spares_what_is_in_use(generations, five):
    """The newest stay, and so do those that a node serves or somebody has open."""
    with pinned(generations.path(five[1])):
        assert generations.keep(2, in_use=lambda: {five[0]}) == (five[2],)
    assert generations.ids() == [five[0], five[1], five[3], five[4]]
    assert generations.keep(2, in_use=set) == (five[0], five[1])


def test_keep_never_removes_all(generations, five):
    """The newest stays, whatever number is given."""
    generations.keep(0, in_use=set)
    assert generations.ids() == five[-1:]


def test_a_generation_that_is_served_or_open_cannot_be_removed(generations, five):
    """The refusal says so; after the pin is let go of, it can."""
    pin = Pin(generations.path(five[0]))
    with pytest.raises(GenerationInUse, match="in use"):
        generations.remove(five[0], in_use=set)
    pin.release()
    pin.release()
    with pytest.raises(GenerationInUse, match="a node serves"):
        generations.remove(five[0], in_use=lambda: {five[0]})
    generations.remove(five[0], in_use=set)
    assert five[0] not in generations.ids()


def test_pins_are_shared_and_keep_removers_out(generations, five):
    """Several may read at a time; a remover must be alone."""
    folder = generations.path(five[0])
    with pinned(folder), pinned(folder), pytest.raises(GenerationInUse), alone(folder):
        pass
    with alone(folder):
        pass


def test_what_is_gone_cannot_be_pinned(generations, five):
    """A removed generation is missing, also when another folder took its name meanwhile."""
    with pytest.raises(NoGeneration):
        Pin(generations.root / "20200101T000000000000-00000000")
    with pytest.raises(NoGeneration):
        generations.path("20200101T000000000000-00000000")
    with pytest.raises(BadGenerationId):
        generations.path("../generations")


def test_a_damaged_manifest_hides_only_itself(generations, five):
    """The list shows the others."""
    path = generations.path(five[2]) / MANIFEST
    path.chmod(0o644)
    path.write_bytes(b"{}")
    assert [name for name, manifest in generations.listed() if manifest is None] == [five[2]]


def test_old_temporary_files_are_swept(generations, five):
    """What a killed process left beside the generations goes after an hour; what is younger may be somebody's."""
    young, old = generations.root / ".opilio-1.tmp", generations.root / ".opilio-2.tmp"
    young.touch()
    old.touch()
    os.utime(old, (1, 1))
    assert generations.sweep() == 0
    assert (young.exists(), old.exists()) == (True, False)

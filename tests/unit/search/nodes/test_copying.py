"""Verified copies."""

import pytest

from opilio.kernel import files
from opilio.kernel.errors import NoSpace
from opilio.search.generations.errors import BrokenManifest, DamagedGeneration, GenerationInUse
from opilio.search.generations.library import Generations
from opilio.search.generations.pins import pinned
from opilio.search.generations.verify import verify
from opilio.search.nodes import copying
from opilio.search.nodes.errors import SwitchedMeanwhile
from opilio.search.nodes.folder_place import own_place
from opilio.search.nodes.source import FolderSource
from tests.contracts.generations_tiny import TinyContents, flip, made


@pytest.fixture
def built(tmp_path):
    return Generations(tmp_path / "generations")


@pytest.fixture
def place(tmp_path):
    return own_place(tmp_path / "node", TinyContents())


def source(built, name):
    return FolderSource(built.path(name))


def copies(place):
    return sorted(path.name for path in place.generations.root.iterdir() if not path.name.endswith(".lock"))


def test_a_copy_shares_nothing_with_its_source(built, place):
    """Damage to one is not damage to the other."""
    manifest = made(built.root, 1)
    copied = place.take(source(built, manifest.id))
    assert (copied.files, copied.size, copied.shared) == (len(manifest.files), manifest.size, 0)
    for entry in manifest.files:
        assert not (built.path(manifest.id) / entry.name).samefile(place.generations.path(manifest.id) / entry.name)
    assert verify(place.generations.path(manifest.id), TinyContents()) == manifest


def test_only_what_is_missing_is_copied(built, place):
    """Files of an earlier generation at the node are checked and shared."""
    first = made(built.root, 1)
    place.take(source(built, first.id))
    same = made(built.root, 1, parent=first.id)
    known = {entry.sha256 for entry in first.files}
    expected = [entry for entry in same.files if entry.sha256 not in known]
    copied = place.take(source(built, same.id))
    assert (copied.files, copied.size) == (len(expected), sum(entry.size for entry in expected))
    assert copied.shared == len(same.files) - len(expected) > 0
    assert place.take(source(built, same.id)).files == 0


def test_damaged_files_at_the_node_are_not_shared(built, place):
    """What lies there and is not what it was is copied anew."""
    first = made(built.root, 1)
    place.take(source(built, first.id))
    flip(place.generations.path(first.id) / "views.txt")
    same = made(built.root, 1, parent=first.id)
    place.take(source(built, same.id))
    assert verify(place.generations.path(same.id), TinyContents()) == same


def test_a_flipped_bit_at_the_source_is_refused(built, place):
    """Nothing appears at the node but what a later copy can use."""
    manifest = made(built.root, 1)
    flip(built.path(manifest.id) / "views.txt")
    with pytest.raises(DamagedGeneration, match=r"views\.txt"):
        place.take(source(built, manifest.id))
    assert place.held() == []
    flip(built.path(manifest.id) / "views.txt")
    place.take(source(built, manifest.id))
    assert copies(place) == [manifest.id]


def test_an_interrupted_copy_goes_on_where_it_ended(built, place):
    """Whole files are kept, broken ones and strangers are removed."""
    manifest = made(built.root, 1)
    folder = place.generations.root / f".copying-{manifest.id}"
    (folder / "index").mkdir(parents=True)
    (folder / "stranger").write_bytes(b"x")
    (folder / "views.txt").write_bytes((built.path(manifest.id) / "views.txt").read_bytes())
    (folder / "index" / "meta.json").write_bytes(b"half")
    (folder / "index" / "meta.json.part").write_bytes(b"half")
    copied = place.take(source(built, manifest.id))
    assert copied.shared == 1
    assert verify(place.generations.path(manifest.id), TinyContents()) == manifest


def test_a_damaged_copy_is_replaced(built, place):
    """Unless it is served or open: then it is left, and the error says so."""
    manifest = made(built.root, 1)
    place.take(source(built, manifest.id))
    flip(place.generations.path(manifest.id) / "views.txt")
    with pinned(place.generations.path(manifest.id)), pytest.raises(GenerationInUse):
        place.take(source(built, manifest.id))
    assert place.take(source(built, manifest.id)).files > 0
    place.switch(manifest.id, instead_of="")
    flip(place.generations.path(manifest.id) / "views.txt")
    with pytest.raises(GenerationInUse, match="a node serves"):
        place.take(source(built, manifest.id))


def test_another_generation_of_the_same_name_is_not_taken_for_it(built, place, tmp_path):
    """Two builds cannot meet under one name; if they do, the node's copy gives way."""
    manifest = made(built.root, 1)
    place.take(source(built, manifest.id))
    other = made(tmp_path / "elsewhere", 2)
    forged = place.generations.root / manifest.id
    (tmp_path / "elsewhere" / other.id).rename(tmp_path / "elsewhere" / manifest.id)
    with pytest.raises(BrokenManifest, match=other.id):
        place.take(FolderSource(tmp_path / "elsewhere" / manifest.id))
    assert verify(forged, TinyContents()) == manifest


def test_no_space_is_told_before_the_copy(built, place, monkeypatch):
    """A node without room for the missing files is not begun with."""
    manifest = made(built.root, 1)
    monkeypatch.setattr(files, "free_space", lambda path: 10)
    assert copying.require_space is files.require_space
    with pytest.raises(NoSpace, match="are needed"):
        place.take(source(built, manifest.id))
    assert place.held() == []


def test_the_switch_is_conditional(built, place):
    """Whoever thinks that something else is served is refused; the same switch twice is none."""
    first, second = made(built.root, 1), made(built.root, 2)
    for manifest in (first, second):
        place.take(source(built, manifest.id))
    place.switch(first.id, instead_of="")
    since = place.current().since
    place.switch(first.id, instead_of="")
    assert place.current().since == since
    with pytest.raises(SwitchedMeanwhile, match=first.id):
        place.switch(second.id, instead_of="20200101T000000000000-00000000")
    place.switch(second.id, instead_of=first.id)
    assert place.current().generation == second.id
    assert place.current().counts == {"pages": 12}
    assert not place.link.readlink().is_absolute()
    assert [path.name for path in place.link.parent.iterdir() if path.is_symlink()] == ["current"]


def test_links_of_killed_publishers_are_swept(built, place):
    """What was not renamed any more goes with the next switch or the next removal of old generations."""
    manifest = made(built.root, 1)
    place.take(source(built, manifest.id))
    for sweep in (lambda: place.switch(manifest.id, instead_of=""), lambda: place.keep(1)):
        (place.link.parent / ".link-current-0123456789abcdef").symlink_to(f"generations/{manifest.id}")
        sweep()
        assert [path.name for path in place.link.parent.iterdir() if path.is_symlink()] == ["current"]

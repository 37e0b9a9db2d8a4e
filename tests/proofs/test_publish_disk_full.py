"""A disk that is full for real, at the builder's or at a node: what is served stays, and space makes it go on."""

import random

import pytest

from opilio.kernel.errors import OpilioError
from opilio.search.generations.build import Filled, build
from opilio.search.generations.library import Generations
from opilio.search.generations.verify import verify
from opilio.search.nodes.folder_place import own_place
from opilio.search.nodes.source import FolderSource
from tests.contracts.generations_tiny import PAGES, TinyContents, made

pytestmark = [pytest.mark.proof, pytest.mark.timeout(7_200)]


def heavy(size):
    """Adds a large file to what a parent has."""

    def filled(folder, before):
        (folder / "large").write_bytes(random.Random(size).randbytes(size))
        return Filled(counts={"pages": PAGES})

    return filled


def test_a_full_disk_while_building(disk, proof_scale, record_property):
    """The build leaves nothing, the generations before it are whole; with space, the same build succeeds."""
    record_property("builds", 2 * proof_scale)
    disk.make(2_000_000)
    generations = Generations(disk.path / "generations")
    first = made(generations.root, 1)
    for turn in range(2 * proof_scale):
        with pytest.raises(OpilioError, match=r"full|space|room"):
            build(generations, heavy(3_000_000 + turn), TinyContents(), parent=first.id)
        assert generations.ids() == [first.id]
        assert verify(generations.path(first.id), TinyContents()) == first
        assert not list(generations.root.glob(".building-*"))
    disk.grow()
    assert build(generations, heavy(3_000_000), TinyContents(), parent=first.id).parent == first.id


def test_a_full_disk_at_a_node(disk, tmp_path, proof_scale, record_property):
    """The node serves what it served; with space, the copy goes on."""
    record_property("copies", proof_scale)
    disk.make(2_000_000)
    built = Generations(tmp_path / "generations")
    place = own_place(disk.path / "node", TinyContents())
    first = made(built.root, 1)
    place.take(FolderSource(built.path(first.id)))
    place.switch(first.id, instead_of="")
    second = build(built, heavy(3_000_000), TinyContents(), parent=first.id)
    for _ in range(proof_scale):
        with pytest.raises(OpilioError, match=r"full|needed|space"):
            place.take(FolderSource(built.path(second.id)))
        assert place.current().generation == first.id
        place.probe(first.id)
    disk.grow()
    place.take(FolderSource(built.path(second.id)))
    place.probe(second.id)
    place.switch(second.id, instead_of=first.id)

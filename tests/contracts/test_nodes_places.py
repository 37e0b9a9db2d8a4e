"""What every place of a node promises: beside the generations, in a folder, in a bucket, behind a service."""

import itertools

import pytest

from opilio.archive.store.memory import MemoryStore
from opilio.archive.store.s3 import S3Store
from opilio.kernel.errors import OpilioError
from opilio.search.generations.errors import DamagedGeneration, NoGeneration
from opilio.search.generations.library import Generations
from opilio.search.nodes.errors import NodeUnreachable, NotPublisher, SwitchedMeanwhile
from opilio.search.nodes.folder_place import FolderPlace, own_place
from opilio.search.nodes.remote_place import RemotePlace
from opilio.search.nodes.service_client import ServiceClient
from opilio.search.nodes.source import FolderSource
from opilio.search.nodes.store_place import StorePlace
from tests.contracts.generations_tiny import TinyContents, flip, made
from tests.contracts.nodes_process import TOKEN, started

_NAMES = itertools.count(1)
KINDS = ["shared", "folder", "memory", "s3", "service"]


@pytest.fixture
def built(tmp_path):
    return Generations(tmp_path / "generations")


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def place(kind, request, tmp_path, built):
    if kind == "shared":
        yield FolderPlace(built, tmp_path / "nodes" / "north", TinyContents())
    elif kind == "folder":
        yield own_place(tmp_path / "north", TinyContents())
    elif kind == "memory":
        yield StorePlace(MemoryStore(), tmp_path / "probes", TinyContents())
    elif kind == "s3":
        server = request.getfixturevalue("s3")
        store = S3Store(server.make_bucket(f"nodes-{next(_NAMES)}"), "north", server.options())
        yield StorePlace(store, tmp_path / "probes", TinyContents())
    else:
        with started("node", tmp_path / "north", TOKEN, errors=tmp_path / "errors") as service:
            yield RemotePlace(ServiceClient(service.address["url"], token=TOKEN))


def source(built, manifest):
    return FolderSource(built.path(manifest.id))


def damage(kind, place, tmp_path, manifest, name):
    """Flip a bit of a file at the node."""
    if kind == "shared":
        flip(tmp_path / "generations" / manifest.id / name)
    elif kind in ("folder", "service"):
        flip(tmp_path / "north" / "generations" / manifest.id / name)
    else:
        key = "files/" + next(entry.sha256 for entry in manifest.files if entry.name == name)
        with place._objects.open(key) as stream:
            data = bytearray(stream.read())
        data[0] ^= 1
        place._objects.delete(key)
        place._objects.put(key, bytes(data))


def test_nothing_is_there_at_first(place):
    """A new node serves nothing and cannot be switched to anything."""
    assert place.current() is None
    assert place.held() == []
    with pytest.raises(OpilioError):
        place.switch("20261116T120000000000-00000000", instead_of="")
    with pytest.raises(OpilioError):
        place.probe("20261116T120000000000-00000000")


def test_copy_probe_switch(place, built):
    """The copy changes nothing for readers; the switch does, and says since when and with how much."""
    first, second = made(built.root, 1), made(built.root, 2, pages=5)
    place.take(source(built, first))
    assert first.id in place.held()
    assert place.current() is None
    place.probe(first.id)
    place.switch(first.id, instead_of="")
    found = place.current()
    assert (found.generation, found.counts, found.made) == (first.id, {"pages": 12}, first.made)
    place.take(source(built, second))
    place.probe(second.id)
    assert place.current() == found
    place.switch(second.id, instead_of=first.id)
    assert place.current().generation == second.id
    assert place.current().counts == {"pages": 5}
    assert place.current().since >= found.since
    place.switch(first.id, instead_of=second.id)
    assert place.current().generation == first.id


def test_every_step_may_be_repeated(place, built):
    """After a crash the same steps come again; nothing is copied twice, and nothing breaks."""
    manifest = made(built.root, 1)
    place.take(source(built, manifest))
    copied = place.take(source(built, manifest))
    assert (copied.files, copied.size, copied.shared) == (0, 0, len(manifest.files))
    place.switch(manifest.id, instead_of="")
    since = place.current().since
    place.switch(manifest.id, instead_of="")
    assert place.current().since == since


def test_only_missing_files_are_copied(place, built, kind):
    """What two generations share is not sent again."""
    first = made(built.root, 1)
    place.take(source(built, first))
    second = made(built.root, 1, parent=first.id)
    copied = place.take(source(built, second))
    if kind == "shared":
        assert copied.files == 0
    else:
        known = {entry.sha256 for entry in first.files}
        assert copied.files == len([entry for entry in second.files if entry.sha256 not in known])
    assert copied.shared > 0
    place.probe(second.id)


def test_a_switch_on_a_false_belief_is_refused(place, built):
    """Of two publishers who start from the same state, the second is told."""
    first, second = made(built.root, 1), made(built.root, 2)
    for manifest in (first, second):
        place.take(source(built, manifest))
    place.switch(second.id, instead_of="")
    with pytest.raises(SwitchedMeanwhile):
        place.switch(first.id, instead_of="")
    assert place.current().generation == second.id


@pytest.mark.parametrize("name", ["views.txt", "index/meta.json"])
def test_a_flipped_bit_at_the_node_fails_the_probe(place, built, kind, tmp_path, name):
    """What is served stays; where the source is sound, another copy mends the node."""
    first, second = made(built.root, 1), made(built.root, 2)
    for manifest in (first, second):
        place.take(source(built, manifest))
    place.switch(first.id, instead_of="")
    damage(kind, place, tmp_path, second, name)
    with pytest.raises(DamagedGeneration):
        place.probe(second.id)
    assert place.current().generation == first.id
    if kind != "shared":
        place.take(source(built, second))
        place.probe(second.id)
        place.switch(second.id, instead_of=first.id)


def test_a_flipped_bit_at_the_source_is_not_copied(place, built, kind):
    """The node does not get the generation at all."""
    manifest = made(built.root, 1)
    flip(built.path(manifest.id) / "views.txt")
    with pytest.raises(OpilioError, match=r"digest|sha256"):
        place.take(source(built, manifest))
    if kind != "shared":
        assert place.held() == []


def test_keep_spares_what_is_served(place, built):
    """The newest stay, and the one that is served; the others are gone, and what is left is sound."""
    manifests = [made(built.root, each, pages=2) for each in range(4)]
    for manifest in manifests:
        place.take(source(built, manifest))
    place.switch(manifests[0].id, instead_of="")
    assert place.keep(2) == (manifests[1].id,)
    assert place.held() == [manifests[0].id, manifests[2].id, manifests[3].id]
    for manifest in (manifests[0], *manifests[2:]):
        place.probe(manifest.id)
    with pytest.raises((NoGeneration, OpilioError)):
        place.probe(manifests[1].id)


def test_files_that_are_shared_survive(place, built):
    """Removing a generation takes nothing away from its child."""
    first = made(built.root, 1)
    place.take(source(built, first))
    second = made(built.root, 1, parent=first.id)
    place.take(source(built, second))
    assert place.keep(1) == (first.id,)
    place.probe(second.id)


def test_a_service_with_another_token_takes_no_orders(tmp_path, built):
    """The error says that the token is wrong, and nothing was changed."""
    with started("node", tmp_path / "north", TOKEN, errors=tmp_path / "errors") as service:
        place = RemotePlace(ServiceClient(service.address["url"], token="another-token-of-the-tests"))
        with pytest.raises(NotPublisher):
            place.take(source(built, made(built.root, 1)))
    with pytest.raises(NodeUnreachable, match="does not answer"):
        place.current()
    assert not (tmp_path / "north" / "current").exists()

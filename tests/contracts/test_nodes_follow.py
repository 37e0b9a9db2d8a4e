"""The service of a node put together: what it follows, on a disk and in a bucket, and what it is not given."""

import itertools
import threading

import pytest

from opilio.archive.store.s3 import S3Store
from opilio.kernel.access import PUBLIC
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.search.generations.errors import DamagedGeneration
from opilio.search.generations.library import Generations
from opilio.search.nodes.source import FolderSource
from opilio.search.nodes.store_place import StorePlace
from opilio.works.node_server import Follower
from opilio.works.node_service import NodeService, NodeWishes
from tests.contracts.generations_tiny import WORD, TinyContents, complete, made
from tests.contracts.nodes_process import publishing

_NAMES = itertools.count(1)


@pytest.fixture
def built(tmp_path):
    return Generations(tmp_path / "index" / "generations")


@pytest.fixture
def started():
    """Services that are ended with the test."""
    services = []

    def start(wishes, **more):
        services.append(NodeService(wishes, TinyContents(), **more))
        return services[-1]

    yield start
    for service in services:
        service.app.end()


def bears(service):
    with service.serving.reading() as held:
        return complete(held.opened.search({"q": WORD}, PUBLIC))


def test_a_node_beside_the_generations_follows_its_link(tmp_path, built, started):
    """Also when the link is not there yet."""
    service = started(NodeWishes(folder=tmp_path / "index" / "nodes" / "primary"))
    service.follow()
    for number in (1, 2):
        made(built.root, number)
        publishing(tmp_path / "index").publish()
        service.follow()
        assert bears(service) == number


def test_a_node_follows_a_bucket(tmp_path, built, s3, started):
    """What the bucket names is fetched, verified and served; old generations go; damage is refused."""
    bucket = s3.make_bucket(f"follow-{next(_NAMES)}")
    place = StorePlace(S3Store(bucket, "far", s3.options()), tmp_path / "probes", TinyContents())
    wishes = NodeWishes(folder=tmp_path / "far", source=f"s3://{bucket}/far", keep=2)
    service = started(wishes, s3=s3.options())
    service.follow()
    assert service.serving.current() is None
    before = ""
    for number in (1, 2, 3):
        manifest = made(built.root, number)
        place.take(FolderSource(built.path(manifest.id)))
        place.switch(manifest.id, instead_of=before)
        service.follow()
        assert bears(service) == number
        before = manifest.id
    assert len(Generations(tmp_path / "far" / "generations").ids()) == 2
    damaged = made(built.root, 4)
    place.take(FolderSource(built.path(damaged.id)))
    key = "files/" + next(entry.sha256 for entry in damaged.files if entry.name == "views.txt")
    place._objects.delete(key)
    place._objects.put(key, b"x" * next(entry.size for entry in damaged.files if entry.name == "views.txt"))
    place.switch(damaged.id, instead_of=before)
    with pytest.raises(DamagedGeneration):
        service.follow()
    assert bears(service) == 3


def test_a_follower_goes_on_after_an_error(caplog):
    """The error is logged once, however often it comes again."""
    turns, enough = [], threading.Event()

    def follow():
        turns.append(len(turns))
        if len(turns) < 4:
            raise OpilioError("the bucket is away")
        if len(turns) > 6:
            enough.set()

    follower = Follower(follow, seconds=0.001)
    follower.start()
    assert enough.wait(60)
    follower.stop()
    assert caplog.text.count("the bucket is away") == 1


@pytest.mark.parametrize(
    "wishes",
    [
        {"token": "short"},
        {"folder": "nodes/primary", "token": "long-enough-to-be-one"},
        {"folder": "nodes/x", "source": "s3://b/p"},
    ],
)
def test_wishes_that_cannot_be_met(tmp_path, wishes):
    """Weak tokens, and nodes beside the generations that should take some over the network, are refused."""
    given = {"folder": "north", **wishes}
    with pytest.raises(InvalidInput):
        NodeService(NodeWishes(**{**given, "folder": tmp_path / given["folder"]}), TinyContents())

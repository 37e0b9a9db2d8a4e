"""Archives in the Oxford Common File Layout, on a disk, in memory and in a bucket: kept, found, checked, cleaned."""

import itertools
import json
from datetime import UTC, datetime, timedelta

import pytest

from opilio.archive.store.errors import (
    BadObjectKey,
    BrokenInventory,
    DamagedObject,
    NoArchive,
    NoObject,
    OccupiedStore,
    UnfitStore,
    VersionTaken,
)
from opilio.archive.store.memory import MemoryStore
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import check_object, check_root
from opilio.archive.store.ocfl.cleaning import clean
from opilio.archive.store.ocfl.layout import object_root
from opilio.archive.store.ocfl.writing import NewVersion, keep
from opilio.archive.store.s3 import S3Store
from opilio.kernel.clock import SYSTEM, ManualClock
from opilio.kernel.digests import Algorithm, digest_of
from opilio.kernel.errors import InvalidInput
from tests.contracts.archive_stores import keys_of
from tests.contracts.falling_store import Falling, Falls
from tests.servers import s3_faults
from tests.servers.s3_faults import FaultyServer

_NAMES = itertools.count(1)
_ID = "info:opilio/harvest/42"
_ROOT = object_root(_ID)
_LATER = timedelta(days=1)


@pytest.fixture
def quick_store():
    return MemoryStore()


@pytest.fixture
def make(tmp_path):
    """Files of a result: `make(1, a=b"…")`."""
    folders = itertools.count(1)

    def make(number, message="", **contents):
        folder = tmp_path / f"files-{next(folders)}"
        folder.mkdir()
        files = {}
        for name, data in contents.items():
            path = folder / name
            path.write_bytes(data)
            files[f"warcs/{name}.warc"] = path
        return NewVersion(number=number, files=files, message=message, user="curator", address="mailto:c@example.org")

    return make


def _faults(archive):
    found = list(check_root(archive))
    for root in sorted(archive.roots()):
        found += check_object(archive, root)
    return sorted((fault.where.removeprefix(f"{_ROOT}/"), fault.what) for fault in found)


def _content(store, key):
    with store.open(key) as stream:
        return stream.read()


def _overwrite(store, key, data):
    old = _content(store, key)
    store.replace(key, data, instead_of=old)


def test_a_result_becomes_a_version(store, make):
    """The files of OCFL 1.1 appear in their places, and the inventory tells who, when, why and with what digests."""
    archive = Archive.begin(store)
    clock = ManualClock(at=datetime(2026, 3, 1, 12, tzinfo=UTC))
    kept = keep(archive, _ID, make(1, "Result 1", a=b"alpha", b=b"beta"), clock=clock)
    assert (kept.written, kept.bytes, kept.already) == (2, 9, False)
    content = [f"{_ROOT}/v1/content/warcs/a.warc", f"{_ROOT}/v1/content/warcs/b.warc"]
    copies = [f"{_ROOT}/{folder}inventory.json{end}" for folder in ("", "v1/") for end in ("", ".sha512")]
    config = "extensions/0003-hash-and-id-n-tuple-storage-layout/config.json"
    assert keys_of(store) == sorted(
        ["0=ocfl_1.1", "ocfl_layout.json", config, f"{_ROOT}/0=ocfl_object_1.1", *content, *copies]
    )
    document = json.loads(_content(store, f"{_ROOT}/inventory.json"))
    assert document["head"] == "v1"
    assert document["id"] == _ID
    assert document["versions"]["v1"]["created"] == "2026-03-01T12:00:00+00:00"
    assert document["versions"]["v1"]["message"] == "Result 1"
    assert document["versions"]["v1"]["user"] == {"name": "curator", "address": "mailto:c@example.org"}
    alpha = digest_of(b"alpha", Algorithm.SHA512).value.hex()
    assert document["manifest"][alpha] == ["v1/content/warcs/a.warc"]
    assert document["versions"]["v1"]["state"][alpha] == ["warcs/a.warc"]
    assert document["fixity"]["sha256"][digest_of(b"alpha").value.hex()] == ["v1/content/warcs/a.warc"]
    inventory = _content(store, f"{_ROOT}/inventory.json")
    digest = digest_of(inventory, Algorithm.SHA512).value.hex()
    assert _content(store, f"{_ROOT}/inventory.json.sha512") == f"{digest} inventory.json\n".encode()
    assert _content(store, f"{_ROOT}/v1/inventory.json") == inventory
    assert list(archive.identifiers()) == [_ID]
    assert _faults(archive) == []


def test_contents_are_kept_once(store, make, tmp_path):
    """A later version stores only what is new; every version can be read and exported as it was."""
    archive = Archive.begin(store)
    keep(archive, _ID, make(1, a=b"alpha", b=b"beta", again=b"beta"))
    kept = keep(archive, _ID, make(2, a=b"alpha", c=b"gamma"))
    assert kept.written == 1
    contents = [key for key in keys_of(store, _ROOT) if "/content/" in key]
    assert len(contents) == 3
    assert keys_of(store, f"{_ROOT}/v2/content") == [f"{_ROOT}/v2/content/warcs/c.warc"]
    with archive.open_file(_ID, "warcs/a.warc") as stream:
        assert stream.read() == b"alpha"
    with archive.open_file(_ID, "warcs/b.warc", 1) as stream:
        assert stream.read() == b"beta"
    with pytest.raises(NoObject):
        archive.open_file(_ID, "warcs/b.warc", 2)
    assert archive.export(_ID, tmp_path / "one", 1) == 3
    assert archive.export(_ID, tmp_path / "two") == 2
    found = {path.name: path.read_bytes() for path in (tmp_path / "one").rglob("*.warc")}
    assert found == {"a.warc": b"alpha", "b.warc": b"beta", "again.warc": b"beta"}
    assert sorted(path.name for path in (tmp_path / "two" / "warcs").iterdir()) == ["a.warc", "c.warc"]
    assert _faults(archive) == []


def test_a_version_never_changes(store, make):
    """The same again is no error and writes nothing; other files, and versions out of turn, are refused."""
    archive = Archive.begin(store)
    with pytest.raises(VersionTaken):
        keep(archive, _ID, make(2, a=b"alpha"))
    keep(archive, _ID, make(1, a=b"alpha"))
    before = keys_of(store)
    assert keep(archive, _ID, make(1, a=b"alpha")).already
    with pytest.raises(VersionTaken):
        keep(archive, _ID, make(1, a=b"other"))
    with pytest.raises(VersionTaken):
        keep(archive, _ID, make(3, a=b"alpha"))
    assert keys_of(store) == before


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("first", [True, False], ids=["first version", "second version"])
def test_a_fall_at_any_moment_leaves_the_old_object_or_the_new(make, first, after):
    """Wherever a writer falls, the object reads as before or after, and storing again or cleaning completes it."""
    moments = 0
    for at in itertools.count(1):
        store = MemoryStore()
        archive = Archive.begin(store)
        if not first:
            keep(archive, _ID, make(1, a=b"alpha"))
        new = make(1 if first else 2, a=b"alpha", b=b"beta", c=b"gamma")
        try:
            keep(Archive(Falling(store, at, after=after)), _ID, new)
        except Falls:
            moments += 1
        else:
            break
        heads = {None, 1} if first else {1, 2}
        try:
            head = archive.inventory(_ID).head.number
        except NoObject:
            head = None
        assert head in heads
        for path in archive.inventory(_ID).head.state if head else ():
            with archive.open_file(_ID, path) as stream:
                assert stream.read() in (b"alpha", b"beta", b"gamma")
        clean(archive, SYSTEM.now() + _LATER)
        assert _faults(archive) == []
        keep(archive, _ID, new)
        assert archive.inventory(_ID).head.number == new.number
        assert _faults(archive) == []
    assert moments >= 8


def test_a_fall_is_completed_without_cleaning(quick_store, make):
    """What a fallen writer stored is used again by the next one, also when its files are others by now."""
    archive = Archive.begin(quick_store)
    with pytest.raises(Falls):
        keep(Archive(Falling(quick_store, 3, after=True)), _ID, make(1, a=b"alpha", b=b"beta"))
    assert keys_of(quick_store, f"{_ROOT}/v1/content") != []
    assert list(archive.identifiers()) == []
    kept = keep(archive, _ID, make(1, a=b"changed", b=b"beta"))
    with archive.open_file(_ID, "warcs/a.warc") as stream:
        assert stream.read() == b"changed"
    assert kept.inventory.content_path("warcs/a.warc").endswith("/warcs/a.warc")
    assert [what for _, what in _faults(archive)] == ["the inventory does not know this file"]
    assert clean(archive, SYSTEM.now() - _LATER) == []
    assert clean(archive, SYSTEM.now() + _LATER) == [f"{_ROOT}/v1/content/warcs/a.warc"]
    assert _faults(archive) == []


def test_of_two_writers_one_adds_the_version(store, make):
    """The one that comes second is told, and nothing of its is seen."""
    archive = Archive.begin(store)
    keep(archive, _ID, make(1, a=b"alpha"))
    slow = archive.found(_ID)
    quick = make(2, b=b"quick")
    keep(archive, _ID, quick)

    class Outdated(Archive):
        def found(self, identifier):
            return slow

    with pytest.raises(VersionTaken):
        keep(Outdated(store), _ID, make(2, b=b"slow"))
    with archive.open_file(_ID, "warcs/b.warc") as stream:
        assert stream.read() == b"quick"
    clean(archive, SYSTEM.now() + _LATER)
    assert _faults(archive) == []


@pytest.fixture
def kept(quick_store, make):
    """An archive with an object of two versions."""
    archive = Archive.begin(quick_store)
    keep(archive, _ID, make(1, a=b"alpha", b=b"beta"))
    keep(archive, _ID, make(2, a=b"alpha", c=b"gamma"))
    return archive


def _without(key, change=None):
    def fault(store):
        document = json.loads(_content(store, f"{_ROOT}/inventory.json"))
        change(document) if change else document.pop(key)
        data = json.dumps(document).encode()
        _overwrite(store, f"{_ROOT}/inventory.json", data)
        digest = digest_of(data, Algorithm.SHA512).value.hex()
        _overwrite(store, f"{_ROOT}/inventory.json.sha512", f"{digest} inventory.json\n".encode())

    return fault


_A = digest_of(b"alpha", Algorithm.SHA512).value.hex()
_FAULTS = {
    "content missing": (lambda s: s.delete(f"{_ROOT}/v1/content/warcs/b.warc"), "the content is missing"),
    "content changed": (lambda s: _overwrite(s, f"{_ROOT}/v2/content/warcs/c.warc", b"GAMMA"), "recorded sha512"),
    "fixity changed": (
        _without("", lambda d: d["fixity"].update(sha256={"0" * 64: ["v1/content/warcs/a.warc"]})), "recorded sha256",
    ),
    "stray content": (lambda s: s.put(f"{_ROOT}/v1/content/stray", b"x"), "does not know this file"),
    "stray version": (lambda s: s.put(f"{_ROOT}/v3/content/stray", b"x"), "does not know this file"),
    "stray in object": (lambda s: s.put(f"{_ROOT}/note.txt", b"x"), "does not know this file"),
    "stray in archive": (lambda s: s.put("abc/note.txt", b"x"), "belongs to no object"),
    "half object": (
        lambda s: s.put(f"{object_root('other')}/v1/content/x", b"x"), "the object has no inventory: a writer fell",
    ),
    "declaration": (lambda s: s.delete(f"{_ROOT}/0=ocfl_object_1.1"), "the declaration is missing"),
    "root declaration": (lambda s: _overwrite(s, "0=ocfl_1.1", b"ocfl_1.0\n"), "declaration of the archive"),
    "no JSON": (lambda s: _overwrite(s, f"{_ROOT}/inventory.json", b"{"), "it is no JSON"),
    "deep JSON": (lambda s: _overwrite(s, f"{_ROOT}/inventory.json", b"[" * 200_000), "it is no JSON"),
    "a list": (lambda s: _overwrite(s, f"{_ROOT}/inventory.json", b"[]"), "it is no JSON object"),
    "sidecar": (lambda s: _overwrite(s, f"{_ROOT}/inventory.json.sha512", b"0 inventory.json\n"), "digest beside"),
    "no sidecar": (lambda s: s.delete(f"{_ROOT}/inventory.json.sha512"), "digest beside"),
    "version sidecar": (lambda s: _overwrite(s, f"{_ROOT}/v1/inventory.json.sha512", b"0\n"), "digest beside"),
    "no version copy": (lambda s: s.delete(f"{_ROOT}/v1/inventory.json"), "no copy of its inventory"),
    "version copy": (lambda s: _overwrite(s, f"{_ROOT}/v1/inventory.json", b"{}"), "the inventory cannot be used"),
    "other id": (_without("", lambda d: d.update(id="other")), "belongs to another place"),
    "no manifest": (_without("manifest"), "manifest is missing"),
    "no versions": (_without("", lambda d: d.update(versions={})), "versions is missing"),
    "wrong head": (_without("", lambda d: d.update(head="v1")), "head is not the newest"),
    "gap": (_without("", lambda d: d["versions"].update(v4=d["versions"].pop("v2"))), "not numbered"),
    "algorithm": (_without("", lambda d: d.update(digestAlgorithm="md5")), "not sha512"),
    "type": (_without("", lambda d: d.update(type="https://example.org/")), "no known version of OCFL"),
    "unknown key": (_without("", lambda d: d.update(colour="red")), "'colour' is unknown"),
    "no created": (_without("", lambda d: d["versions"]["v1"].pop("created")), "no time with its zone"),
    "no zone": (_without("", lambda d: d["versions"]["v1"].update(created="2026-01-01T00:00:00")), "no time"),
    "user": (_without("", lambda d: d["versions"]["v1"].update(user={})), "the user of v1 has no name"),
    "message": (_without("", lambda d: d["versions"]["v1"].update(message=7)), "the message of v1 is no text"),
    "unknown digest": (_without("", lambda d: d["versions"]["v1"]["state"].update({"f" * 128: ["x"]})), "lacks"),
    "traversal": (_without("", lambda d: d["versions"]["v1"]["state"].update({_A: ["../x"]})), "no path of a file"),
    "absolute": (_without("", lambda d: d["versions"]["v1"]["state"].update({_A: ["/etc/x"]})), "no path of a file"),
    "content path": (_without("", lambda d: d["manifest"].update({_A: ["../../x"]})), "no path of a content"),
    "below a file": (
        _without("", lambda d: d["versions"]["v1"]["state"].update({_A: ["x", "x/y"]})), "below a file",
    ),
    "twice": (_without("", lambda d: d["versions"]["v1"]["state"].update({_A: ["x", "x"]})), "a path twice"),
    "digest twice": (_without("", lambda d: d["manifest"].update({_A.upper(): d["manifest"][_A]})), "digest twice"),
    "no digest": (_without("", lambda d: d["manifest"].update(abc=["v1/content/x"])), "which is no digest"),
    "unused": (_without("", lambda d: d["manifest"].update({"f" * 128: ["v1/content/x"]})), "no version has"),
    "numbers": (_without("", lambda d: d["manifest"].update({_A: [7]})), "no list of paths"),
    "content directory": (_without("", lambda d: d.update(contentDirectory="../x")), "no name of a folder"),
    "fixity": (_without("", lambda d: d.update(fixity=[])), "fixity is of the wrong type"),
    "other state": (
        _without("", lambda d: d["versions"]["v1"]["state"].update({_A: ["renamed"]})), "tells of other files",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", _FAULTS)
def test_every_fault_is_found_and_named(kept, name):
    """Each planted fault is reported in words with its place; an archive without faults has none."""
    assert _faults(kept) == []
    plant, words = _FAULTS[name]
    plant(kept.store)
    found = _faults(kept)
    assert any(words in what for _, what in found), found
    assert all(where for where, _ in found)


def test_a_broken_inventory_is_not_believed(kept, tmp_path):
    """Reading refuses what checking would report, and an inventory that was changed by hand."""
    _overwrite(kept.store, f"{_ROOT}/inventory.json", _content(kept.store, f"{_ROOT}/v1/inventory.json"))
    with pytest.raises(BrokenInventory):
        kept.export(_ID, tmp_path / "out")
    _overwrite(kept.store, f"{_ROOT}/inventory.json", b"null")
    with pytest.raises(BrokenInventory) as caught:
        kept.inventory(_ID)
    assert caught.value.faults == ["it is no JSON object"]


def test_a_damaged_content_is_not_exported(kept, tmp_path):
    """The file does not appear, and the error names the object in the store."""
    _overwrite(kept.store, f"{_ROOT}/v2/content/warcs/c.warc", b"GAMMA")
    with pytest.raises(DamagedObject) as caught:
        kept.export(_ID, tmp_path / "out")
    assert "v2/content/warcs/c.warc" in str(caught.value)
    assert not (tmp_path / "out" / "warcs" / "c.warc").exists()


def test_what_is_not_there_is_named(kept, tmp_path):
    """Objects, versions, files and archives that are missing; a folder that is not empty; names that cannot be."""
    with pytest.raises(NoObject):
        kept.inventory("other")
    with pytest.raises(NoObject):
        kept.export(_ID, tmp_path / "out", 3)
    with pytest.raises(NoObject):
        kept.open_file(_ID, "warcs/none.warc")
    with pytest.raises(BadObjectKey):
        kept.inventory("a\nb")
    with pytest.raises(BadObjectKey):
        keep(kept, _ID, NewVersion(number=3, files={"../x": tmp_path}))
    with pytest.raises(NoArchive):
        Archive.open(MemoryStore())
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(InvalidInput):
        kept.export(_ID, tmp_path / "full")


def test_a_file_that_is_not_what_its_manifest_says_is_not_archived(quick_store, make):
    """A WARC file that changed after the sealing never reaches the archive."""
    archive = Archive.begin(quick_store)
    new = make(1, a=b"alpha")
    wrong = NewVersion(number=1, files=new.files, sha256={"warcs/a.warc": digest_of(b"other").value.hex()})
    with pytest.raises(DamagedObject):
        keep(archive, _ID, wrong)
    assert list(archive.identifiers()) == []


def test_an_archive_is_not_begun_among_other_files(quick_store):
    """A store with something else in it is refused, and so is an archive of another layout."""
    quick_store.put("holiday.jpg", b"x")
    with pytest.raises(OccupiedStore) as caught:
        Archive.begin(quick_store)
    assert "holiday.jpg" in str(caught.value)
    other = MemoryStore()
    Archive.begin(other)
    _overwrite(other, "extensions/0003-hash-and-id-n-tuple-storage-layout/config.json", b'{"tupleSize": 2}')
    with pytest.raises(OccupiedStore):
        Archive.begin(other)


def test_a_server_that_ignores_conditions_is_refused(s3):
    """An archive is not begun where a second writer would overwrite the first."""
    with FaultyServer(s3.port) as faulty:
        faulty.fault = s3_faults.forgetful
        store = S3Store(s3.make_bucket(f"ocfl-{next(_NAMES)}"), "", s3.options(endpoint=faulty.url))
        with pytest.raises(UnfitStore):
            Archive.begin(store)
        with pytest.raises(NoArchive):
            Archive.open(store)


def test_the_place_of_an_object_follows_the_extension():
    """The examples of the layout extension 0003, and an identifier too long for a folder's name."""
    assert object_root("object-01") == "3c0/ff4/240/object-01"
    assert object_root("..hor/rib:le-$id") == "487/326/d8c/%2e%2ehor%2frib%3ale-%24id"
    assert len(object_root("é" * 500).split("/")[3]) == 100 + 1 + 64

"""What every store promises, on a disk, in memory and in a bucket of a real S3-compatible server."""

import io
import itertools
import os
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from opilio.archive.store.addresses import open_store
from opilio.archive.store.disk import DiskStore
from opilio.archive.store.errors import BadObjectKey, ChangedMeanwhile, DamagedObject, KeyTaken, NoSuchKey
from opilio.archive.store.memory import MemoryStore
from opilio.archive.store.s3 import S3Store
from opilio.kernel.clock import SYSTEM
from opilio.kernel.digests import Algorithm, digest_of
from opilio.kernel.errors import Missing, OpilioError
from tests.contracts.archive_stores import keys_of
from tests.servers.process import ROOT

_NAMES = itertools.count(1)
_LARGE = os.urandom(1 << 20) * 6  # more than a part of 5 MB


def _content(store, key):
    with store.open(key) as stream:
        return stream.read()


def test_what_was_put_can_be_read(store):
    """An object comes back whole, in parts and as a stream that can be sought; its size is known."""
    assert store.put("warcs/a b+ü%2f.warc", b"0123456789") is True
    assert store.read("warcs/a b+ü%2f.warc", 0, 100) == b"0123456789"
    assert store.read("warcs/a b+ü%2f.warc", 3, 4) == b"3456"
    assert store.read("warcs/a b+ü%2f.warc", 8, 4) == b"89"
    assert store.read("warcs/a b+ü%2f.warc", 10, 4) == store.read("warcs/a b+ü%2f.warc", 3, 0) == b""
    with store.open("warcs/a b+ü%2f.warc") as stream:
        assert stream.read(2) == b"01"
        assert stream.seek(-3, os.SEEK_END) == 7
        assert stream.read() == b"789"
    assert store.head("warcs/a b+ü%2f.warc").size == 10
    assert abs(store.head("warcs/a b+ü%2f.warc").modified - SYSTEM.now()) < timedelta(hours=1)


def test_an_empty_object_is_an_object(store):
    """Nothing is a content too."""
    store.put("empty", b"")
    assert store.head("empty").size == 0
    assert store.read("empty", 0, 10) == b""
    assert _content(store, "empty") == b""
    assert keys_of(store) == ["empty"]


@pytest.mark.parametrize("source", ["bytes", "path", "stream"])
@pytest.mark.parametrize("data", [b"small", _LARGE], ids=["small", "large"])
def test_the_first_content_of_a_key_stays(store, tmp_path, source, data):
    """The same content again is no error and writes nothing; another one is refused."""

    def given(content):
        if source == "path":
            (tmp_path / "source").write_bytes(content)
            return tmp_path / "source"
        return content if source == "bytes" else io.BytesIO(content)

    assert store.put("key", given(data)) is True
    assert store.put("key", given(data)) is False
    assert store.put("key", given(data), expected=digest_of(data)) is False
    other = data[:-1] + b"X"
    for expected in (None, digest_of(other)):
        with pytest.raises(KeyTaken):
            store.put("key", given(other), expected=expected)
    assert _content(store, "key") == data
    assert keys_of(store) == ["key"]


@pytest.mark.parametrize("algorithm", [Algorithm.SHA256, Algorithm.SHA512])
@pytest.mark.parametrize("data", [b"small", _LARGE], ids=["small", "large"])
def test_a_source_that_is_not_what_it_should_be_is_refused(store, data, algorithm):
    """With another digest than expected nothing appears, and the error names both digests."""
    with pytest.raises(DamagedObject) as caught:
        store.put("key", io.BytesIO(data), expected=digest_of(b"another", algorithm))
    assert str(digest_of(data, algorithm)) in str(caught.value)
    assert str(digest_of(b"another", algorithm)) in str(caught.value)
    assert store.head("key") is None
    assert store.put("key", data, expected=digest_of(data, algorithm)) is True


def test_what_is_not_there_is_missing(store):
    """Reading names the key; asking and deleting are no errors."""
    for read in (store.open, lambda key: store.read(key, 0, 1), lambda key: store.read(key, 0, 0)):
        with pytest.raises(NoSuchKey) as caught:
            read("nothing/here")
        assert "nothing/here" in str(caught.value)
    assert store.head("nothing/here") is None
    store.delete("nothing/here")
    assert keys_of(store) == keys_of(store, "nothing") == []


def test_a_listing_holds_what_is_below_a_folder(store):
    """A folder is not a beginning of names, and what was deleted is gone."""
    for key in ("a", "b/one", "b/deep/two", "bb/three"):
        store.put(key, key.encode())
    assert keys_of(store) == ["a", "b/deep/two", "b/one", "bb/three"]
    assert keys_of(store, "b") == ["b/deep/two", "b/one"]
    assert {each.key: each.size for each in store.list("bb")} == {"bb/three": 8}
    store.delete("b/deep/two")
    assert keys_of(store, "b") == ["b/one"]


def test_many_objects_are_listed_in_portions(store):
    """More objects than one answer of a server holds."""
    for number in range(60):
        store.put(f"many/{number:03d}", b"x")
    assert keys_of(store, "many") == [f"many/{number:03d}" for number in range(60)]


@pytest.mark.parametrize(
    "key",
    ["", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", ".", "a/./b", "a\x00b", "a\nb", "a\\b", "C:/x", "\u202ex",
     "x" * 256, "/".join(["x" * 200] * 6), ".opilio-uploads/x", "\ud800", 7, None],
)  # fmt: skip
def test_hostile_keys_are_refused(store, key):
    """Every deed refuses a key that could lead elsewhere, before anything happens."""
    deeds = (
        lambda: store.put(key, b"x"), lambda: store.open(key), lambda: store.read(key, 0, 1), lambda: store.head(key),
        lambda: store.delete(key), lambda: store.replace(key, b"", instead_of=b""),
    )  # fmt: skip
    for deed in deeds:
        with pytest.raises(BadObjectKey):
            deed()
    if key:
        with pytest.raises(BadObjectKey):
            list(store.list(key))
    assert keys_of(store) == []


@pytest.mark.parametrize(("start", "length"), [(-1, 2), (0, -1)])
def test_parts_that_cannot_be_are_refused(store, start, length):
    """Negative numbers name no part."""
    store.put("key", b"0123")
    with pytest.raises(BadObjectKey):
        store.read("key", start, length)


def test_an_object_is_replaced_only_if_it_is_still_the_same(store):
    """Whoever saw an older content is told so; what is not there cannot be replaced."""
    store.put("inventory.json", b"one")
    store.replace("inventory.json", b"two", instead_of=b"one")
    with pytest.raises(ChangedMeanwhile):
        store.replace("inventory.json", b"three", instead_of=b"one")
    assert _content(store, "inventory.json") == b"two"
    with pytest.raises(Missing):
        store.replace("other.json", b"x", instead_of=b"")


def _all_at_once(*deeds):
    """What each deed gave, or its error."""
    barrier = threading.Barrier(len(deeds))
    found = [None] * len(deeds)

    def run(number, deed):
        barrier.wait(30)
        try:
            found[number] = deed()
        except OpilioError as error:
            found[number] = type(error)

    threads = [threading.Thread(target=run, args=each) for each in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


@pytest.mark.parametrize("size", [10, 5 << 20], ids=["small", "large"])
def test_of_several_writers_one_wins(store, size):
    """Four writers put different contents under one key: one is kept whole, three are told."""
    contents = [bytes([number]) * size for number in range(4)]
    found = _all_at_once(*(lambda data=data: store.put("key", data) for data in contents))
    assert sorted(map(str, found)) == sorted(map(str, [True, KeyTaken, KeyTaken, KeyTaken]))
    assert _content(store, "key") == contents[found.index(True)]


def test_of_several_replacements_one_wins(store):
    """Four writers replace what all of them have seen: one succeeds."""
    store.put("key", b"old")
    new = [f"new {number}".encode() for number in range(4)]
    found = _all_at_once(*(lambda data=data: store.replace("key", data, instead_of=b"old") for data in new))
    assert found.count(None) == 1
    assert found.count(ChangedMeanwhile) == 3
    assert _content(store, "key") == new[found.index(None)]


def test_unfinished_uploads_are_hidden_and_cleaned(store):
    """What a writer that fell left beside is never listed; `clean` removes what is old enough."""
    if isinstance(store, DiskStore):
        left = Path(store.address) / ".opilio-uploads" / "0123456789abcdef.tmp"
        left.parent.mkdir(parents=True)
        left.write_bytes(b"half")
    elif isinstance(store, S3Store):
        store._bucket.create(".opilio-uploads/0123456789abcdef", b"half")
    store.put("key", b"whole")
    assert keys_of(store) == ["key"]
    assert store.clean(SYSTEM.now() - timedelta(hours=1)) == 0
    assert store.clean(SYSTEM.now() + timedelta(hours=1)) == (0 if isinstance(store, MemoryStore) else 1)
    assert store.clean(SYSTEM.now() + timedelta(hours=1)) == 0
    assert keys_of(store) == ["key"]


_MEMORY = """
import resource, sys
from opilio.archive.store.addresses import open_store
from opilio.archive.store.s3_options import S3Options
from opilio.kernel.digests import digest_of_stream

class Zeros:
    left = 64 << 20
    def read(self, size=-1):
        size = min(size, self.left)
        self.left -= size
        return bytes(size)

address, endpoint = sys.argv[1:]
store = open_store(address, S3Options(endpoint=endpoint, access_key="a", secret_key="b"))
store.put("warm", bytes(9 << 20))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
store.put("large", Zeros())
with store.open("large") as stream:
    print(digest_of_stream(stream))
assert store.head("large").size == 64 << 20
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("kind", ["disk", "s3"])
def test_memory_does_not_grow_with_the_object(kind, request, tmp_path):
    """64 MB go in and out, and the process grows by less than that."""
    address, endpoint = str(tmp_path / "store"), ""
    if kind == "s3":
        server = request.getfixturevalue("s3")
        address, endpoint = f"s3://{server.make_bucket(f'addressed-{next(_NAMES)}')}", server.url
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY, address, endpoint], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    digest, grown = done.stdout.split()
    assert digest == str(digest_of(bytes(64 << 20)))
    assert int(grown) < 40 << 10  # kB


def test_an_address_opens_the_same_store(store, s3):
    """What was put into a store is found again through its address."""
    if isinstance(store, MemoryStore):
        return  # it ends with the process
    store.put("key", b"x")
    again = open_store(store.address, s3.options())
    assert type(again) is type(store)
    assert again.address == store.address
    assert keys_of(again) == ["key"]

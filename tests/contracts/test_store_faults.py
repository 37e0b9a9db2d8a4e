"""S3-compatible servers that are slow, wrong or half there, and disks that are hostile: every fault has words."""

import itertools
import os
import ssl
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
import trustme

from opilio.archive.store.addresses import open_store
from opilio.archive.store.disk import DiskStore
from opilio.archive.store.errors import (
    DamagedObject,
    KeyTaken,
    NoBucket,
    StoreDenied,
    StoreUnavailable,
)
from opilio.archive.store.s3 import S3Store
from opilio.archive.store.s3_options import S3Options
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import BadName, Missing, NotWritable, OpilioError
from tests.servers import s3_faults
from tests.servers.process import ROOT
from tests.servers.s3 import ACCESS_KEY, SECRET_KEY
from tests.servers.s3_faults import FaultyServer

_NAMES = itertools.count(1)
_LARGE = os.urandom(1 << 20) * 6


@pytest.fixture(scope="module")
def faulty(s3):
    with FaultyServer(s3.port) as server:
        yield server


@pytest.fixture
def store(s3, faulty):
    """A store behind the faulty server, which still behaves."""
    faulty.fault = s3_faults.honest
    faulty.seen.clear()
    bucket = s3.make_bucket(f"faulty-{next(_NAMES)}")
    S3Store(bucket, "p", s3.options()).put("there", b"0123456789")  # with patience; the machine may be busy
    return S3Store(bucket, "p", s3.options(endpoint=faulty.url, timeout=0.5, retries=1))


def _deeds(store):
    return {
        "put": lambda: store.put("new", b"x"),
        "put large": lambda: store.put("new", _LARGE),
        "read": lambda: store.read("there", 0, 5),
        "open": lambda: store.open("there").close(),
        "head": lambda: store.head("there"),
        "list": lambda: list(store.list()),
        "delete": lambda: store.delete("there"),
        "replace": lambda: store.replace("there", b"x", instead_of=b"0123456789"),
    }


def _failed(deed):
    with pytest.raises(OpilioError) as caught:
        deed()
    shown = f"{caught.value} {caught.value!r} {caught.value.__cause__}"
    assert SECRET_KEY not in shown
    assert ACCESS_KEY not in shown
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (s3_faults.silent, StoreUnavailable, "does not answer in time"),
        (s3_faults.failing(500, "InternalError"), StoreUnavailable, "answers 500"),
        (s3_faults.failing(503, "SlowDown"), StoreUnavailable, "answers 503"),
        (s3_faults.failing(403, "AccessDenied"), StoreDenied, "refuses"),
        (s3_faults.failing(401), StoreDenied, "refuses"),
    ],
    ids=["silent", "500", "503", "403", "401"],
)
@pytest.mark.parametrize("name", ["put", "put large", "read", "open", "head", "list", "delete", "replace"])
def test_a_server_that_does_not_serve_is_told_by_name(store, faulty, fault, kind, words, name):
    """Whatever is asked, the error comes in bounded time and says what, in which bucket, and what to do."""
    faulty.fault = fault
    error = _failed(_deeds(store)[name])
    assert isinstance(error, kind)
    assert words in str(error)
    assert error.where.startswith(store.address)


@pytest.mark.parametrize("name", ["read", "open", "list", "head"])
def test_an_answer_that_is_none_of_s3_is_refused(store, faulty, name):
    """A page of HTML in place of an object, its head or a listing is no content."""
    faulty.fault = s3_faults.wrong
    assert isinstance(_failed(_deeds(store)[name]), StoreUnavailable)


@pytest.mark.parametrize("name", ["read", "list", "replace"])
def test_half_an_answer_is_no_answer(store, faulty, name):
    """A body that breaks off is an error, never a shorter content."""
    faulty.fault = s3_faults.half
    assert isinstance(_failed(_deeds(store)[name]), StoreUnavailable)


def test_half_an_answer_in_the_middle_of_a_stream_is_an_error(store, faulty):
    """What was read before the fault is no end of the object."""
    store.put("large", _LARGE)
    with store.open("large") as stream:
        assert stream.read(10) == _LARGE[:10]
        faulty.fault = s3_faults.half
        with pytest.raises(StoreUnavailable):
            stream.read()


@pytest.mark.parametrize("data", [b"small", _LARGE], ids=["small", "large"])
def test_what_does_not_come_back_as_it_went_is_not_kept(store, faulty, data):
    """A server that gives back other bytes is caught when the upload is read back, and the object is removed."""
    faulty.fault = s3_faults.flipped
    assert isinstance(_failed(lambda: store.put("new", data)), DamagedObject)
    faulty.fault = s3_faults.honest
    assert sorted(each.key for each in store.list()) == ["there"]


@pytest.mark.parametrize(("name", "method"), [("put", "PUT"), ("put large", "POST"), ("replace", "PUT")])
def test_an_answer_that_is_lost_is_asked_for_again(store, faulty, name, method):
    """The server did it, the connection broke, the request is sent again: that is no conflict with ourselves."""
    faulty.fault = s3_faults.OnlyOnce(method)
    _deeds(store)[name]()
    faulty.fault = s3_faults.honest
    wanted = {"put": ("new", b"x"), "put large": ("new", _LARGE), "replace": ("there", b"x")}[name]
    with store.open(wanted[0]) as stream:
        assert stream.read() == wanted[1]


def test_a_server_that_comes_back_is_used(store, faulty):
    """One failure is tried again before it is told."""
    failures = iter([True])

    def first_fails(asked, forward, ended):
        return s3_faults.Answered(status=503) if next(failures, False) else forward(asked)

    faulty.fault = first_fails
    assert store.read("there", 2, 3) == b"234"


def test_a_bucket_that_is_not_there_is_named(s3):
    """The remedy is to make it."""
    store = S3Store("never-made", "p", s3.options())
    for deed in (lambda: store.put("x", b"x"), lambda: list(store.list())):
        with pytest.raises(NoBucket) as caught:
            deed()
        assert caught.value.where.startswith("s3://never-made/p")


def test_a_server_that_is_not_there_is_named(s3):
    """Nobody listens."""
    store = S3Store("bucket", "", s3.options(endpoint="http://127.0.0.1:9", timeout=0.5, retries=0))
    assert "cannot be reached" in str(_failed(lambda: store.put("x", b"x")))


def test_objects_larger_than_a_copy_go_up_directly(s3, tmp_path):
    """They are put if absent, read back, and compared when the key is taken."""
    store = S3Store(s3.make_bucket(f"faulty-{next(_NAMES)}"), "", s3.options(largest_copy=5 << 20))
    path = tmp_path / "huge"
    path.write_bytes(_LARGE)
    assert store.put("huge", path) is True
    assert store.put("huge", path) is False
    path.write_bytes(_LARGE[::-1])
    with pytest.raises(KeyTaken):
        store.put("huge", path)
    with store.open("huge") as stream:
        assert stream.read() == _LARGE


def test_a_certificate_authority_of_ones_own_is_used(s3, tmp_path):
    """With its file the server is trusted, without it the server is not; a file that is not there is named."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    bucket = s3.make_bucket(f"faulty-{next(_NAMES)}")
    with FaultyServer(s3.port, tls=context) as server:
        good = s3.options(endpoint=server.url, ca_file=str(tmp_path / "ca.pem"))
        S3Store(bucket, "", good).put("key", b"x")
        assert S3Store(bucket, "", good).read("key", 0, 1) == b"x"
        bad = S3Store(bucket, "", s3.options(endpoint=server.url, timeout=2, retries=0))
        assert "cannot be reached" in str(_failed(lambda: bad.head("key")))
    with pytest.raises(Missing):
        S3Store(bucket, "", s3.options(ca_file=str(tmp_path / "none.pem")))


_KILLED = """
import sys
from opilio.archive.store.addresses import open_store
from opilio.archive.store.s3_options import S3Options

class Endless:
    left = 3
    def read(self, size=-1):
        if not self.left:
            print("half", flush=True)
            sys.stdin.read()
        self.left -= 1
        return b"x" * size

store = open_store(sys.argv[1], S3Options(endpoint=sys.argv[2], access_key="a", secret_key="b", part=5 << 20))
store.put("key", Endless())
"""


@pytest.mark.parametrize("kind", ["disk", "s3"])
def test_a_writer_that_is_killed_leaves_no_object(s3, tmp_path, kind):
    """kill -9 in the middle of a large object: nothing is there, and the key can be used."""
    address = str(tmp_path / "store")
    if kind == "s3":
        address = f"s3://{s3.make_bucket(f'faulty-{next(_NAMES)}')}"
    command = [sys.executable, "-c", _KILLED, address, s3.url]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"half\n"
        process.kill()
    store = open_store(address, s3.options())
    assert list(store.list()) == []
    assert store.head("key") is None
    assert store.clean(SYSTEM.now() + timedelta(hours=1)) == (1 if kind == "disk" else 0)
    assert store.put("key", b"whole") is True


def test_keys_are_never_part_of_what_is_shown():
    """The options of a store may be logged."""
    assert SECRET_KEY not in repr(S3Options(access_key=ACCESS_KEY, secret_key=SECRET_KEY))


def test_a_link_does_not_lead_out_of_the_folder(tmp_path):
    """Through a link to somewhere else nothing is read, written, listed or deleted."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    root = tmp_path / "store"
    store = DiskStore(root)
    store.put("mine", b"x")
    (root / "door").symlink_to(outside)
    for deed in (
        lambda: store.open("door/secret"),
        lambda: store.read("door/secret", 0, 1),
        lambda: store.put("door/new", b"x"),
        lambda: store.delete("door/secret"),
        lambda: store.head("door/secret"),
    ):
        with pytest.raises(BadName):
            deed()
    assert sorted(each.key for each in store.list()) == ["door", "mine"]
    assert sorted(path.name for path in outside.iterdir()) == ["secret"]


def test_a_file_where_a_folder_should_be_is_told(tmp_path):
    """A key below another key cannot be kept on a disk."""
    store = DiskStore(tmp_path / "store")
    store.put("a", b"x")
    with pytest.raises(NotWritable) as caught:
        store.put("a/b", b"x")
    assert "a/b" in str(caught.value)


class _Broken:
    """A source that goes away after its first bytes."""

    def __init__(self):
        self._pieces = iter([b"x" * (5 << 20)])

    def read(self, size=-1):
        return next(self._pieces, None) or self._fall()

    def _fall(self):
        raise ConnectionResetError("the source went away")


def test_a_source_that_breaks_leaves_nothing(tmp_path, store):
    """Its error passes as it is, for the store is not to blame, and no half object appears."""
    disk = DiskStore(tmp_path / "store")
    for each in (disk, store):
        with pytest.raises(ConnectionResetError):
            each.put("key", _Broken())
        assert each.head("key") is None
    assert list((tmp_path / "store").rglob("*")) == []


def test_deleting_and_putting_in_one_folder_do_not_hinder_each_other(tmp_path):
    """An empty folder is removed, also while somebody else wants to put something there."""
    store = DiskStore(tmp_path / "store")
    errors = []

    def work(name):
        try:
            for _ in range(100):
                store.put(f"deep/folder/{name}", name.encode())
                store.delete(f"deep/folder/{name}")
        except OpilioError as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(f"n{number}",)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert list((tmp_path / "store").rglob("*")) == []

"""A file is fetched whole, or not at all."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from opilio.deliveries.errors import FileChanged, NotAtSource, SourceAway, TransferDamaged
from opilio.deliveries.pull import Pull, Wanted
from opilio.deliveries.source import Entry
from opilio.deliveries.throttle import Throttle
from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import NoSpace

CONTENT = bytes(range(256)) * 2_000
WANTED = Wanted(source="barn", path="add/a.zip", largest=10_000_000)
WHEN = datetime(2024, 5, 1, tzinfo=UTC)


class Server:
    """A source that does what a test tells it to."""

    def __init__(self, content=CONTENT, **files):
        self.files = {"add/a.zip": content, **files}
        self.when = WHEN
        self.asked = []
        self.breaks_at = None
        self.after = None  # what happens after a fetch
        self.lies = 0

    def look(self, path):
        if path not in self.files:
            raise NotAtSource("no")
        return Entry(name=path, size=len(self.files[path]) + self.lies, modified=self.when)

    def fetch(self, path, offset, take):
        self.asked.append((path, offset))
        content = self.files[path][offset:]
        end = len(content) if self.breaks_at is None else max(self.breaks_at - offset, 0)
        for start in range(0, min(end, len(content)), 10_000):
            take(content[start : min(start + 10_000, end)])
        if self.breaks_at is not None:
            raise SourceAway("The server broke off")
        if self.after:
            self.after()


@pytest.fixture
def final(tmp_path):
    """Where the file is to be."""
    return tmp_path / "a.zip"


def broken_off(server, final, at=300_000):
    """A transfer that ended in the middle."""
    server.breaks_at = at
    with pytest.raises(SourceAway):
        Pull(server).pull(WANTED, final)
    server.breaks_at = None
    server.asked.clear()


def left(final):
    """What lies beside."""
    return sorted(one.name for one in final.parent.iterdir())


def test_a_file_is_fetched(final):
    """With its digests, and nothing beside it."""
    seen = []
    pulled = Pull(Server(), told=seen.append).pull(WANTED, final)
    assert final.read_bytes() == CONTENT
    assert pulled.size == len(CONTENT) == seen[-1]
    assert pulled.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert pulled.md5 == hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()
    assert left(final) == ["a.zip"]


def test_a_transfer_that_broke_off_goes_on(final):
    """From a little before the end of what is there, and the digest is that of the whole."""
    server = Server()
    broken_off(server, final)
    assert not final.exists()
    pulled = Pull(server).pull(WANTED, final)
    assert final.read_bytes() == CONTENT
    assert server.asked == [("add/a.zip", 300_000 - (1 << 16))]
    assert pulled.resumed_at == 300_000 - (1 << 16)
    assert pulled.sha256 == hashlib.sha256(CONTENT).hexdigest()


@pytest.mark.parametrize("how", ["time", "size", "source", "no time"])
def test_another_file_is_never_spliced_onto_the_old(final, how):
    """What differs begins anew."""
    server, wanted = Server(), WANTED
    broken_off(server, final)
    new = CONTENT[::-1]
    server.files["add/a.zip"] = new
    if how == "time":
        server.when = datetime(2024, 5, 2, tzinfo=UTC)
    elif how == "size":
        server.files["add/a.zip"] = new = new + b"!"
    elif how == "source":
        wanted = replace(WANTED, source="stable")
    else:
        server.when = None
    Pull(server).pull(wanted, final)
    assert final.read_bytes() == new
    assert server.asked == [("add/a.zip", 0)]
    assert left(final) == ["a.zip"]


def test_the_same_size_and_time_do_not_deceive(final):
    """The bytes at the seam differ: nothing is kept, and the next attempt begins anew."""
    server = Server()
    broken_off(server, final)
    server.files["add/a.zip"] = CONTENT[::-1]
    with pytest.raises(FileChanged, match="not the one"):
        Pull(server).pull(WANTED, final)
    assert left(final) == []
    Pull(server).pull(WANTED, final)
    assert final.read_bytes() == CONTENT[::-1]


def test_a_file_that_changes_under_way_is_not_taken(final):
    """Neither the old nor the new, nor a mixture."""
    server = Server()
    server.after = lambda: setattr(server, "when", datetime(2024, 6, 1, tzinfo=UTC))
    with pytest.raises(FileChanged, match="changed"):
        Pull(server).pull(WANTED, final)
    assert left(final) == []


@pytest.mark.parametrize("lies", [5, -5])
def test_a_server_that_lies_about_the_size(final, lies):
    """Is not believed."""
    server = Server()
    server.lies = lies
    with pytest.raises(TransferDamaged, match="bytes came"):
        Pull(server).pull(WANTED, final)
    assert left(final) == []


def test_a_file_that_grows_beyond_the_limit(final):
    """Ends at the limit, whatever was announced."""
    server = Server()
    with pytest.raises(FileChanged, match="allowed"):
        Pull(server).pull(replace(WANTED, largest=1_000), final)
    server.lies = -len(CONTENT)
    with pytest.raises(FileChanged, match="came"):
        Pull(server).pull(replace(WANTED, largest=1_000), final)
    assert left(final) == []


@pytest.mark.parametrize("kind", ["md5", "sha1", "sha256", "sha512"])
def test_the_declared_checksum_is_compared(final, kind):
    """And said which it was."""
    digest = hashlib.new(kind, CONTENT).hexdigest()
    server = Server(**{"add/sums": f"{digest}  a.zip\n".encode()})
    assert Pull(server).pull(replace(WANTED, checksum="add/sums"), final).declared == kind


def test_a_checksum_that_differs_refuses_the_file(final):
    """Nothing is kept."""
    server = Server(**{"add/sums": b"0" * 64 + b"  a.zip"})
    with pytest.raises(TransferDamaged, match="sha256"):
        Pull(server).pull(replace(WANTED, checksum="add/sums"), final)
    assert left(final) == []


def test_a_file_of_checksums_without_ours_declares_nothing(final):
    """And one that is too large is refused."""
    server = Server(**{"add/sums": b"0" * 64 + b"  b.zip\n" + b"1" * 64 + b"  c.zip"})
    assert Pull(server).pull(replace(WANTED, checksum="add/sums"), final).declared == ""
    server.files["add/sums"] = b"0" * (2 << 20)
    with pytest.raises(TransferDamaged, match="too large"):
        Pull(server).pull(replace(WANTED, checksum="add/sums"), final)


def test_a_full_disk_is_seen_before(final, monkeypatch):
    """With the bytes that are missing."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1_000})())
    with pytest.raises(NoSpace, match="bytes are missing"):
        Pull(Server()).pull(WANTED, final)


def test_a_rate_is_kept_by_all_together():
    """By waiting as long as the bytes should have taken."""
    clock, rests = ManualClock(), []

    def rest(seconds):
        rests.append(seconds)
        clock.advance(seconds)

    throttle = Throttle(1_000, clock, rest)
    for _ in range(10):
        throttle.took(500)
    assert sum(rests) == pytest.approx(5.0, abs=0.3)
    Throttle(None, clock, rest).took(10**9)
    assert sum(rests) == pytest.approx(5.0, abs=0.3)

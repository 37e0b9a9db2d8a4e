"""Bodies in memory and in files."""

import hashlib
import os

import pytest

from opilio.kernel.bodies import IN_MEMORY, FileBody, Spool, digest_of_body, pieces_of
from opilio.kernel.digests import Algorithm, digest_of
from opilio.kernel.errors import NotWritable

LARGE = os.urandom(1 << 16) * 48  # 3 MiB


def spooled(data, folder, *, piece=10_000):
    spool = Spool(folder)
    for at in range(0, len(data), piece):
        spool.write(data[at : at + piece])
    return spool.body()


def test_a_small_body_stays_in_memory(tmp_path):
    """Up to its limit it is bytes."""
    assert spooled(LARGE[:IN_MEMORY], tmp_path) == LARGE[:IN_MEMORY]


def test_a_large_body_lies_in_a_file_that_nobody_sees(tmp_path):
    """It has no name, so that nothing is left behind whatever happens, and it is closed with the body."""
    body = spooled(LARGE, tmp_path)
    assert isinstance(body, FileBody)
    assert list(tmp_path.iterdir()) == []
    number = body._file.number
    os.fstat(number)
    del body
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(number)


def test_a_body_in_a_file_reads_like_bytes(tmp_path):
    """Length, slices and places are those of the bytes."""
    body = spooled(LARGE, tmp_path)
    assert len(body) == len(LARGE)
    for part in (
        slice(0, 10),
        slice(None, 5),
        slice(-7, None),
        slice(2_000_000, 2_000_100),
        slice(5, 1),
        slice(0, 9, 2),
    ):
        assert body[part] == LARGE[part]
    wanted = LARGE[70_000:70_020]
    assert body.find(wanted, 69_000, 71_000) == LARGE.find(wanted, 69_000, 71_000)
    assert body.find(b"nowhere in it", 0, 1_000) == -1
    assert b"".join(pieces_of(body, 100, 2_000_000)) == LARGE[100:2_000_000]


def test_the_rest_of_a_body_is_a_body(tmp_path):
    """It begins where it was cut, and outlives the whole."""
    rest = spooled(LARGE, tmp_path).since(1_234)
    assert (len(rest), rest[:10], rest[-3:]) == (len(LARGE) - 1_234, LARGE[1_234:1_244], LARGE[-3:])
    assert len(rest.since(len(LARGE))) == 0


@pytest.mark.parametrize("algorithm", [Algorithm.SHA1, Algorithm.SHA256])
def test_a_digest_does_not_tell_where_a_body_lies(tmp_path, algorithm):
    """Both ways of keeping it give the same."""
    assert digest_of_body(spooled(LARGE, tmp_path), algorithm) == digest_of(LARGE, algorithm)
    assert digest_of_body(b"small", Algorithm.SHA256).value == hashlib.sha256(b"small").digest()


@pytest.mark.parametrize("size", [0, 1, 1 << 18, (1 << 18) + 1, 1 << 20])
def test_pieces_make_up_the_body(size):
    """For bytes in memory too, and for parts of them."""
    data = LARGE[:size]
    assert b"".join(pieces_of(data)) == data
    assert b"".join(pieces_of(data, 10, 300_000)) == data[10:300_000]


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    """The message says where."""
    with pytest.raises(NotWritable, match="cannot write"):
        spooled(LARGE, tmp_path / "missing")

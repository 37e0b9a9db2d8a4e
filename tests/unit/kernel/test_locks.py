"""A lock is held by one process, says by whom, and ends with it."""

import os
import subprocess
import sys

import pytest

from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import Conflict, NotWritable
from opilio.kernel.locks import holder, locked

HOLDING = """
import pathlib, sys
from opilio.kernel.locks import locked
with locked(pathlib.Path(sys.argv[1]), purpose="crawl"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path):
    """Another process that holds the lock until its input ends."""
    arguments = [sys.executable, "-c", HOLDING, str(tmp_path / "lock")]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_the_second_taker_is_told_who_holds_it(tmp_path, other):
    """A lock held by another process is a Conflict that names its number and purpose."""
    with (
        pytest.raises(Conflict, match=f"process {other.pid} on .* for crawl"),
        locked(tmp_path / "lock", purpose="review"),
    ):
        pass


def test_the_lock_ends_with_its_holder(tmp_path, other):
    """When the holder is killed, the next one gets the lock."""
    other.kill()
    other.wait()
    with locked(tmp_path / "lock", purpose="review") as me:
        assert me.pid == os.getpid()


def test_a_lock_is_exclusive_inside_one_process_too(tmp_path):
    """The second claim in the same process is refused, and possible after the first ended."""
    path = tmp_path / "lock"
    with locked(path, purpose="a"), pytest.raises(Conflict), locked(path, purpose="b"):
        pass
    with locked(path, purpose="b"):
        assert holder(path).purpose == "b"


def test_the_holder_writes_since_when(tmp_path):
    """The time comes from the clock, and a released lock names nobody."""
    path = tmp_path / "lock"
    assert holder(path) is None
    with locked(path, purpose="crawl", clock=ManualClock()):
        assert holder(path).since == "2026-01-01T00:00:00+00:00"
    assert holder(path) is None


def test_a_failing_holder_lets_go(tmp_path):
    """An error inside the block passes through and frees the lock."""
    path = tmp_path / "lock"
    with pytest.raises(ZeroDivisionError), locked(path, purpose="crawl"):
        raise ZeroDivisionError
    assert holder(path) is None


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"{}", b'{"pid": "x"}', b"[" * 1900, b"x" * 10_000])
def test_a_strange_lock_file_is_no_obstacle(tmp_path, content):
    """Whatever stands in the file, the holder is unknown and the lock can be had."""
    path = tmp_path / "lock"
    path.write_bytes(content)
    assert holder(path) is None
    with locked(path, purpose="crawl"):
        assert holder(path).purpose == "crawl"


def test_a_lock_in_a_missing_folder(tmp_path):
    """The error names the path."""
    with pytest.raises(NotWritable, match="missing"), locked(tmp_path / "missing" / "lock", purpose="crawl"):
        pass

"""Keeping readers away from a node: the state file and the hook of a load balancer."""

import sys

import pytest

from opilio.kernel.clock import ManualClock
from opilio.search.nodes.errors import HookFailed
from opilio.search.nodes.hook import run_hook
from opilio.search.nodes.nodes_file import HookCommand
from opilio.search.nodes.reader_state import DrainedBy, ReaderState


@pytest.fixture
def state(tmp_path):
    return ReaderState(tmp_path / "reader.json", clock=ManualClock())


def test_others_see_who_is_drained(state, tmp_path):
    """A second reader of the file follows each change."""
    other = ReaderState(tmp_path / "reader.json")
    assert other.drained() == {}
    state.drain("a", DrainedBy.PUBLISH)
    assert other.drained()["a"].by is DrainedBy.PUBLISH
    assert state.restore("a", DrainedBy.PUBLISH)
    assert other.drained() == {}
    assert not state.restore("a", DrainedBy.PUBLISH)


def test_what_an_operator_drained_stays_drained(state):
    """Neither the beginning nor the end of a publish changes it."""
    state.drain("a", DrainedBy.OPERATOR)
    state.drain("a", DrainedBy.PUBLISH)
    assert not state.restore("a", DrainedBy.PUBLISH)
    assert state.drained()["a"].by is DrainedBy.OPERATOR
    assert state.restore("a", DrainedBy.OPERATOR)


@pytest.mark.parametrize("text", [b"", b"[]", b'{"drained": 1}', b'{"drained": {"a": 1}}', b"\xff", b"[" * 100_000])
def test_a_senseless_file_keeps_readers_from_nothing(state, tmp_path, text):
    """Better an answer than none; the next change mends the file."""
    (tmp_path / "reader.json").write_bytes(text)
    assert state.drained() == {}
    state.drain("b", DrainedBy.PUBLISH)
    assert set(state.drained()) == {"b"}


def hook(code, timeout=30.0):
    return HookCommand(command=(sys.executable, "-c", code), timeout=timeout)


def test_the_hook_is_told_what_and_whom(tmp_path):
    """It gets the verb and the name behind its own arguments; without a hook nothing happens."""
    said = tmp_path / "said"
    run_hook(hook(f"import sys; open({str(said)!r}, 'w').write(' '.join(sys.argv[1:]))"), "drain", "north")
    assert said.read_text() == "drain north"
    run_hook(None, "drain", "north")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (hook("import sys; print('no such pool', file=sys.stderr); sys.exit(3)"), "code 3 .*no such pool"),
        (hook("import time; time.sleep(600)", timeout=0.2), "in time"),
        (hook("import subprocess; subprocess.run(['sleep', '600'])", timeout=1.0), "in time"),
        (HookCommand(command=("/nowhere/at/all",)), "cannot be run"),
    ],
)
def test_a_hook_that_fails_is_an_error(command, told):
    """Its exit code, its last words and its time count."""
    with pytest.raises(HookFailed, match=told):
        run_hook(command, "drain", "north")

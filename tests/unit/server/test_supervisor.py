"""Processes that are kept running."""

import sys

import psutil
import pytest

from opilio.server.errors import ServerDied
from opilio.server.supervisor import Role, Supervisor

_SLEEPER = [sys.executable, "-c", "import sys; sys.stdin.read()"]
_DEAF = [
    sys.executable, "-c",
    "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); open(sys.argv[1], 'w').close(); "
    "sys.stdin.read(); signal.pause()",
]  # fmt: skip


@pytest.fixture(autouse=True)
def others():
    """Processes that other tests keep running meanwhile, such as servers; they are none of ours."""
    before = set(psutil.Process().children())
    _others.update(before)
    yield
    _others.clear()


_others: set[psutil.Process] = set()


def _children():
    return [process for process in psutil.Process().children() if process not in _others]


def test_everything_ends_when_told(capfd):
    """When it is not to go on, all processes are ended."""
    supervisor = Supervisor(roles=[Role(name="server", command=_SLEEPER, essential=True)], say=print)
    seen = []
    supervisor.run(ready=lambda: bool(_children()), when_ready=lambda: bool(seen.extend(_children())))
    assert seen
    assert psutil.wait_procs(seen, timeout=10)[1] == []


def test_helper_is_started_again(tmp_path, capfd):
    """A helper that ends is started again; who asks for the end gets it."""
    said = []
    mark = tmp_path / "mark"
    helper = [sys.executable, "-c", f"open({str(mark)!r}, 'a').write('x')"]
    supervisor = Supervisor(
        roles=[Role(name="server", command=_SLEEPER, essential=True), Role(name="helper", command=helper)],
        say=said.append, first_pause=0.01,
    )  # fmt: skip
    supervisor.run(ready=lambda: mark.exists() and mark.stat().st_size >= 3, when_ready=lambda: False)
    assert said[0] == "The helper ended with code 0; it is started again in 0.01 s."
    assert "0.02 s" in said[1]


def test_end_of_what_is_essential_ends_all(capfd):
    """When the server ends by itself, that is an error, and the helpers end too."""
    dying = Role(name="server", command=[sys.executable, "-c", "raise SystemExit(3)"], essential=True)
    supervisor = Supervisor(roles=[Role(name="helper", command=_SLEEPER), dying], say=print)
    with pytest.raises(ServerDied) as caught:
        supervisor.run(ready=lambda: False, when_ready=lambda: True)
    assert caught.value.what == "The server ended with code 3"
    assert _children() == []


def test_server_that_never_answers(capfd):
    """A server that is not ready in time is given up."""
    roles = [Role(name="server", command=_SLEEPER, essential=True)]
    with pytest.raises(ServerDied):
        Supervisor(roles=roles, say=print, deadline=0.0).run(ready=lambda: False, when_ready=lambda: True)


def test_deaf_process_is_killed(tmp_path, capfd):
    """Who hears neither the first nor the second word is killed."""
    mark = tmp_path / "deaf"
    roles = [Role(name="server", command=[*_DEAF, str(mark)], essential=True)]
    supervisor = Supervisor(roles=roles, say=print, patience=0.1)
    supervisor.run(ready=mark.exists, when_ready=lambda: False)
    assert _children() == []

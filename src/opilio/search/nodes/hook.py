"""Moves readers at a load balancer: a program of the operator, run with `drain NAME` or `restore NAME`."""

import contextlib
import os
import signal
import subprocess
import tempfile
from typing import BinaryIO

from opilio.search.nodes.errors import HookFailed
from opilio.search.nodes.nodes_file import HookCommand

_SHOWN = 300  # bytes of what the program said last
_LATE = -1_000  # instead of an exit code


def run_hook(hook: HookCommand | None, verb: str, name: str) -> None:
    """Run it and wait for its end; `HookFailed` unless it ended in time with exit code 0."""
    if hook is None:
        return
    with tempfile.TemporaryFile() as said:  # no pipe: whatever it leaves running could hold that open
        code = _ran(hook, [*hook.command, verb, name], said)
        if code:
            ending = "did not end in time" if code == _LATE else f"ended with code {code}"
            raise _failed(f"the hook {ending} at `{verb} {name}`: {_last_words(said)}", hook)


def _ran(hook: HookCommand, command: list[str], said: BinaryIO) -> int:
    """The exit code; a program that takes too long is killed with all that it started."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
        )
    except OSError as error:
        raise _failed(f"the hook cannot be run: {error.strerror}", hook) from error
    try:
        return process.wait(hook.timeout)
    except subprocess.TimeoutExpired:
        return _LATE
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _last_words(said: BinaryIO) -> str:
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - _SHOWN))
    return said.read().decode("utf-8", "replace").strip()


def _failed(what: str, hook: HookCommand) -> HookFailed:
    remedy = "Run it by hand to see what it needs; the node was left as it is."
    return HookFailed(what, where=hook.command[0], remedy=remedy)

"""Starts worker processes: forked off a copy of this program where that is safe, else as programs of their own.

The copy (`_Nest`) is made before the crawl opens anything, and only while the program has one thread: nothing of it can
be half done then. It waits with all modules loaded, and forks a worker whenever it is asked, which takes a hundredth of
the time that a new Python needs. Where there are more threads, as in agents, each worker is a new program.
"""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from opilio.crawl.engine.fleet import Start, WorkerProcess
from opilio.works import crawl_process

_NUMBER: Final = 8  # bytes of a number in a pipe
_UNKNOWN = 255  # the exit code of a worker whose nest is gone


@contextlib.contextmanager
def starting(workers: int) -> Iterator[Start]:
    """What starts a worker process with its end of a pipe. To be entered before the crawl opens its files."""
    if workers < 2 or not _may_fork():
        yield as_program
        return
    nest = _Nest()
    try:
        yield nest.start
    finally:
        nest.close()


def _may_fork() -> bool:
    """Whether the program has one thread, those of its libraries counted, on a system that tells."""
    tasks = Path("/proc/self/task")
    return hasattr(os, "pidfd_open") and tasks.is_dir() and len(list(tasks.iterdir())) == 1


def as_program(end: socket.socket) -> WorkerProcess:
    """A worker as a program of its own; it is deaf to Ctrl-C, which the parent hears."""
    number = end.fileno()
    command = [sys.executable, "-m", "opilio.works.crawl_process_start", str(number)]
    return subprocess.Popen(command, pass_fds=[number], stdin=subprocess.DEVNULL, start_new_session=True)


class Forked:
    """A worker that the nest forked, as far as `Popen` would be asked; its life is told in a pipe."""

    def __init__(self, life: int) -> None:
        self._life = life
        self._code: int | None = None
        self._lock = threading.Lock()
        self.pid = _read(life)  # 0: the nest is gone

    def poll(self) -> int | None:
        """Its exit code, if it ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it ended; `TimeoutExpired` if that takes longer."""
        with self._lock:
            if self._code is None:
                if not select.select([self._life], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired("a worker", timeout or 0)
                self._code = _read(self._life, _UNKNOWN)
                os.close(self._life)
            return self._code

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


class _Nest:
    """The copy of this program from which workers are forked."""

    def __init__(self) -> None:
        self._end, theirs = socket.socketpair()
        self._lock = threading.Lock()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            _alone(lambda: _brood(theirs))
        theirs.close()

    def start(self, end: socket.socket) -> WorkerProcess:
        """Fork a worker; a program of its own if the nest is gone."""
        life, theirs = os.pipe()
        try:
            with self._lock:
                socket.send_fds(self._end, [b"w"], [end.fileno(), theirs])
        except OSError:
            os.close(life)
            return as_program(end)
        finally:
            os.close(theirs)
        worker = Forked(life)
        if worker.pid:
            return worker
        os.close(life)
        return as_program(end)

    def close(self) -> None:
        """Let the nest go; its workers have ended, or hear of it from their own pipes."""
        self._end.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _alone(work: Callable[[], int]) -> None:
    """Do something in a process that was forked just now, and end it without a look at what the parent had open."""
    code = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        code = work()
    except BaseException:  # noqa: BLE001 - it is told, and the process ends
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _brood(end: socket.socket) -> int:
    """In the nest: fork workers until the parent hangs up; tell each one's number, and how it ended."""
    _close_all_but(end.fileno())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    lives: dict[int, tuple[int, int]] = {}  # descriptor of a process → its number, and the pipe in which it is told
    while True:
        for ready in select.select([end.fileno(), *lives], [], [])[0]:
            if ready == end.fileno():
                data, given, *_ = socket.recv_fds(end, 1, 2)
                if not data:
                    return 0
                process, pid = _forked(*given)
                lives[process] = (pid, given[1])
            else:
                _buried(ready, *lives.pop(ready))


def _forked(end: int, life: int) -> tuple[int, int]:
    pid = os.fork()
    if pid == 0:
        _alone(lambda: _worker(end))
    os.close(end)
    process = os.pidfd_open(pid)
    _tell(life, pid)
    return process, pid


def _worker(end: int) -> int:
    _close_all_but(end)
    return crawl_process.main(end)


def _buried(process: int, pid: int, life: int) -> None:
    """A worker ended: what it used counts for the crawl from here on."""
    _, status = os.waitpid(pid, 0)
    os.close(process)
    _tell(life, os.waitstatus_to_exitcode(status))
    os.close(life)


def _tell(pipe: int, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # the parent is gone, and the next look at its end says so
        os.write(pipe, number.to_bytes(_NUMBER, "big", signed=True))


def _read(pipe: int, missing: int = 0) -> int:
    data = os.read(pipe, _NUMBER)
    return int.from_bytes(data, "big", signed=True) if data else missing


def _close_all_but(kept: int) -> None:
    """Whatever the parent had open stays the parent's: files, locks, other workers' pipes."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))

"""Starts programs quickly: a process that has read the libraries forks itself for each one that tests run.

What it starts is a process like any other, with arguments, environment, folder and streams of its own; only the
reading of modules that ask neither the environment nor the settings is done once instead of each time.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import selectors
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from opilio.cli.nouns import NOUNS

_ROOT = Path(__file__).parents[1]
_LONGEST_REQUEST = 1 << 17  # bytes
_PATIENCE = 240  # seconds
_OURS = ("OPILIO_", "DJANGO_", "CRAWL_", "PYTEST_")  # variables that the interpreter does not read
OPILIO = (sys.executable, "-m", "opilio")
_VERBS = ("archive_", "crawl_", "index_")
#: What commands on the catalogue read before they ask for settings.
_LIBRARIES = (
    "django.contrib.auth.hashers", "django.contrib.auth.password_validation", "django.contrib.messages.storage.base",
    "django.contrib.staticfiles.finders", "django.core.cache.backends.filebased", "django.core.checks",
    "django.core.mail", "django.core.management", "django.core.paginator", "django.core.serializers.json",
    "django.core.signing", "django.db.backends.sqlite3.base", "django.db.backends.postgresql.base",
    "django.db.migrations.executor", "django.db.models", "django.forms", "django.middleware.csrf",
    "django.template.loader", "django.utils.translation.trans_real", "django.views.generic",
    "pydantic.main", "pydantic.root_model", "pydantic.type_adapter", "OpenSSL", "asyncssh", "ldap3",
)  # fmt: skip
#: What agents do their work with: all modules of these, which know no catalogue.
_ENGINES = ("opilio.deliveries", "opilio.works")


def run(
    command: Sequence[str], *, given: str | bytes | None = None, timeout: float = _PATIENCE, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end and keep what it says, as `subprocess.run` does."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with Process(command, **streams, **options) as process:
        try:
            said = process.communicate(given, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, *said)


class Process(subprocess.Popen):
    """`python -m MODULE …`: takes what `subprocess.Popen` takes, and can do what that can.

    What must not be a fork, for its environment or for what is to be done before it starts, is started as usual.
    """

    def __init__(self, command: Sequence[str], **options: Any) -> None:
        self._answers: IO[str] | None = None
        super().__init__(list(command), **options)

    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *rest):
        _, _, _, stdin, p2cwrite, c2pread, stdout, errread, stderr, _, *more = rest
        wished = any(one not in (None, False, -1) for one in (preexec_fn, *pass_fds, *more))
        if wished or args[:2] != [sys.executable, "-m"] or _is_special(env):
            super()._execute_child(args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *rest)
            return
        streams = [number if stream == -1 else stream for number, stream in enumerate((stdin, stdout, stderr))]
        request = {
            "words": [str(one) for one in args[2:]], "cwd": str(cwd or Path.cwd()),
            "env": dict(os.environ if env is None else env),
        }  # fmt: skip
        self._answers = _nursery().begin(json.dumps(request).encode(), streams)
        self.pid = int(self._answers.readline())
        self._child_created = True
        self._close_pipe_fds(stdin, p2cwrite, c2pread, stdout, errread, stderr)

    def _try_wait(self, wait_flags):
        if self._answers is None:
            return super()._try_wait(wait_flags)
        if wait_flags & os.WNOHANG and not select.select([self._answers], [], [], 0)[0]:
            return 0, 0
        with self._answers as answers:
            return self.pid, int(answers.readline())

    def _internal_poll(self, *arguments, **named):
        if self._answers is None:
            return super()._internal_poll(*arguments, **named)
        if self.returncode is None and self._waitpid_lock.acquire(blocking=False):
            try:
                pid, status = self._try_wait(os.WNOHANG) if self.returncode is None else (0, 0)
                if pid:
                    self._handle_exitstatus(status)
            finally:
                self._waitpid_lock.release()
        return self.returncode


def _is_special(env: Mapping[str, str] | None) -> bool:
    """Whether something is set anew that the interpreter or its loader reads when it starts."""
    changed = {name for name, _ in (os.environ.items() ^ (os.environ if env is None else env).items())}
    return any(not name.startswith(_OURS) for name in changed)


class _Nursery:
    """The process that forks, seen from the tests."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        env = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.nursery", str(theirs.fileno())], cwd=_ROOT, env=env,
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            )  # fmt: skip

    def begin(self, request: bytes, streams: Sequence[int]) -> IO[str]:
        """Begin a process; a stream that tells its number, and when it has ended how."""
        assert len(request) <= _LONGEST_REQUEST, len(request)
        reader, writer = os.pipe()
        try:
            socket.send_fds(self._socket, [request], [*streams, writer])
        finally:
            os.close(writer)
        return os.fdopen(reader)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def close(self) -> None:
        """Let it end."""
        self._socket.close()
        self._process.wait(timeout=_PATIENCE)


_STARTING = threading.Lock()
_STARTED: dict[int, _Nursery] = {}  # by process: a fork of a test's process must not use its parent's


def _nursery() -> _Nursery:
    with _STARTING:
        if os.getpid() not in _STARTED:
            _STARTED[os.getpid()] = made = _Nursery()
            atexit.register(made.close)
        return _STARTED[os.getpid()]


def numbers() -> list[int]:
    """Of the processes that have forked programs for this one."""
    return [nursery.pid for nursery in _STARTED.values()]


def _read_libraries() -> None:
    for noun in NOUNS:
        if not noun.django:
            importlib.import_module(noun.module)
    for file in sorted(Path(importlib.import_module("opilio.cli").__path__[0]).glob("*.py")):
        if file.stem.startswith(_VERBS):
            importlib.import_module(f"opilio.cli.{file.stem}")
    found = (pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}.") for name in _ENGINES)
    for name in (*_LIBRARIES, *(module.name for modules in found for module in modules)):
        importlib.import_module(name)
    assert not importlib.import_module("django.conf").settings.configured
    gc.collect()
    gc.freeze()


class _Mother:
    """The process that forks, in itself."""

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._children: dict[int, tuple[int, int]] = {}  # by their handles: number, and where to tell their end
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(requests, selectors.EVENT_READ)

    def bear(self) -> dict[str, Any]:
        """Fork for each request; returns in a child, with its request, and empty in the parent at the end."""
        while True:
            for key, _ in self._waiting.select():
                if key.fileobj is not self._requests:
                    self._tell_end(key.fd)
                    continue
                request, descriptors, _, _ = socket.recv_fds(self._requests, _LONGEST_REQUEST, 4)
                if not request or self._forked(descriptors):
                    return json.loads(request or b"{}")

    def _forked(self, descriptors: list[int]) -> bool:
        """Whether this is the child, which has its streams; the parent remembers it."""
        *streams, writer = descriptors
        pid = os.fork()
        if not pid:
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            self._let_go([*descriptors, *self._children, *(told for _, told in self._children.values())])
            return True
        self._let_go(streams)
        os.write(writer, f"{pid}\n".encode())
        handle = os.pidfd_open(pid)
        self._children[handle] = pid, writer
        self._waiting.register(handle, selectors.EVENT_READ)
        return False

    def _tell_end(self, handle: int) -> None:
        self._waiting.unregister(handle)
        pid, writer = self._children.pop(handle)
        status = os.waitpid(pid, 0)[1]
        with contextlib.suppress(BrokenPipeError):  # whoever asked has given up
            os.write(writer, f"{status}\n".encode())
        self._let_go([writer, handle])

    def _let_go(self, descriptors: list[int]) -> None:
        for one in descriptors:
            os.close(one)


def _main() -> None:
    _read_libraries()
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        request = _Mother(requests).bear()
    if request:
        os.chdir(request["cwd"])
        os.environ.clear()
        os.environ.update(request["env"])
        sys.argv = request["words"]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()

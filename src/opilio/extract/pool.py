"""The helper processes of a worker: started when first needed, killed when a resource takes too long, started anew.

`run` blocks, `submit` gives a future and `read` awaits. A helper that dies, hangs or grows never harms the caller: the
resource's outcome is `unparsable`, with the reason.
"""

import asyncio
import os
import queue
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from opilio.extract.codec import HEADER_BYTES, READY, BadAnswer, answer_of, lengths, resource_frame
from opilio.extract.extracted import Extracted
from opilio.extract.reading import Resource, unparsable
from opilio.kernel.errors import Unavailable

_CHUNK = 65_536
_LARGEST_ANSWER = 512 * 1024 * 1024  # bytes
_SLOW = "it took too long"


class HelperUnavailable(Unavailable):
    """A helper process cannot be started."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HelperLimits:
    """What a helper process may use."""

    cpu_seconds: int = 20  # per resource
    wall_seconds: float = 60.0  # per resource
    start_seconds: float = 60.0  # until a new process is ready
    megabytes: int = 1_024  # of address space
    resources: int = 200  # after which a process is replaced, so that leaks do not add up


DEFAULT_LIMITS = HelperLimits()


class HelperPool:
    """Up to `size` helper processes. Close it, or use it as a context manager."""

    def __init__(self, size: int = 1, limits: HelperLimits = DEFAULT_LIMITS) -> None:
        self._helpers = tuple(_Helper(limits) for _ in range(size))
        self._idle: queue.SimpleQueue[_Helper] = queue.SimpleQueue()
        for helper in self._helpers:
            self._idle.put(helper)
        self._threads = ThreadPoolExecutor(max_workers=size, thread_name_prefix="helper")

    def run(self, resource: Resource) -> Extracted:
        """Read a resource in a helper process and wait for the outcome."""
        return self.submit(resource).result()

    def submit(self, resource: Resource) -> "Future[Extracted]":
        """Read a resource in a helper process as soon as one is free."""
        return self._threads.submit(self._run, resource)

    async def read(self, resource: Resource) -> Extracted:
        """Read a resource in a helper process without blocking the event loop."""
        return await asyncio.wrap_future(self.submit(resource))

    def close(self) -> None:
        """End all helper processes; what is still being read is given up."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for helper in self._helpers:
            helper.kill()
        self._threads.shutdown(wait=True)
        for helper in self._helpers:
            helper.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, resource: Resource) -> Extracted:
        helper = self._idle.get()
        try:
            return helper.read(resource)
        finally:
            self._idle.put(helper)


class _Gone(Unavailable):
    """The helper did not answer; the text is the reason."""


class _Helper:
    """One place for a helper process; used by one thread at a time, `kill` by any."""

    def __init__(self, limits: HelperLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0

    def read(self, resource: Resource) -> Extracted:
        """Read a resource; an outcome in any case."""
        process = self._ready()
        deadline = time.monotonic() + self._limits.wall_seconds
        try:
            _send(process, resource_frame(resource, self._limits.cpu_seconds), deadline)
            found = answer_of(_receive(process, deadline))
        except (_Gone, BadAnswer) as gone:
            self.kill()
            return unparsable(resource, self._reason(process, gone.what))
        self._served += 1
        if self._served >= self._limits.resources:
            self.kill()
        return found

    def kill(self) -> None:
        """End the process; the next resource starts another."""
        process, self._process, self._served = self._process, None, 0
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _ready(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = _started(self._limits.megabytes)
            try:
                _take(self._process, len(READY), time.monotonic() + self._limits.start_seconds)
            except _Gone as gone:
                self.kill()
                raise HelperUnavailable(
                    f"a helper process for extraction did not start: {gone.what}",
                    where=sys.executable,
                    remedy="Run `python -m opilio.extract.helper 1024 < /dev/null` to see why.",
                ) from None
        return self._process

    def _reason(self, process: subprocess.Popen[bytes], otherwise: str) -> str:
        if process.returncode == -signal.SIGXCPU:
            return f"it took more than {self._limits.cpu_seconds} seconds of CPU time"
        return otherwise


def _started(megabytes: int) -> subprocess.Popen[bytes]:
    """A new helper process. It gets our search path and nothing else of our environment."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "opilio.extract.helper", str(megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            start_new_session=True,
        )
    except OSError as error:
        raise HelperUnavailable(
            f"a helper process for extraction cannot be started: {error.strerror}",
            where=sys.executable,
            remedy="Look for a limit of processes or memory (`ulimit -a`).",
        ) from None
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            os.set_blocking(pipe.fileno(), False)
    return process


def _send(process: subprocess.Popen[bytes], data: bytes, deadline: float) -> None:
    pipe = process.stdin
    view = memoryview(data)
    try:
        while view and pipe is not None:
            if not select.select([], [pipe], [], _left(deadline))[1]:
                raise _Gone(_SLOW)
            view = view[os.write(pipe.fileno(), view[:_CHUNK]) :]
    except (BrokenPipeError, ValueError, OSError):
        raise _Gone(_ended(process)) from None


def _receive(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    head, body = lengths(_take(process, HEADER_BYTES, deadline))
    if head + body > _LARGEST_ANSWER:
        raise _Gone("its extraction is too large")
    return _take(process, head + body, deadline)


def _take(process: subprocess.Popen[bytes], length: int, deadline: float) -> bytes:
    pipe = process.stdout
    pieces: list[bytes] = []
    try:
        while length > 0 and pipe is not None:
            if not select.select([pipe], [], [], _left(deadline))[0]:
                raise _Gone(_SLOW)
            piece = os.read(pipe.fileno(), min(length, _CHUNK))
            if not piece:
                raise _Gone(_ended(process))
            pieces.append(piece)
            length -= len(piece)
    except (ValueError, OSError):
        raise _Gone(_ended(process)) from None
    return b"".join(pieces)


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _ended(process: subprocess.Popen[bytes]) -> str:
    """Why a process ended."""
    try:
        code = process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return "the helper process closed its pipe"
    return f"the helper process ended with {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"

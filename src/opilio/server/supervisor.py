"""Keeps a server and its helpers running: a helper that dies is started again, the end of the server ends all.

Children lead sessions of their own, so that Ctrl-C reaches only us, and end with us however we end (`lifeline`).
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from types import FrameType

from opilio.kernel.clock import SYSTEM, Clock
from opilio.server.errors import ServerDied

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_STOP = ""  # in the inbox: somebody wants us to end


@dataclass(frozen=True, kw_only=True)
class Role:
    """A process to run."""

    name: str
    command: Sequence[str]
    essential: bool = False  # its end is the end of all


@dataclass(kw_only=True)
class Supervisor:
    """Runs processes until it is told to stop."""

    roles: Sequence[Role]
    say: Callable[[str], None]
    clock: Clock = SYSTEM
    patience: float = 6.0  # seconds between the first word to stop, the second, and the kill
    first_pause: float = 1.0  # seconds before a helper is started again; doubled each time
    longest_pause: float = 30.0
    deadline: float = 120.0  # seconds in which the server must be ready
    _running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)
    _due: dict[str, float] = field(default_factory=dict)
    _deaths: dict[str, int] = field(default_factory=dict)
    _inbox: SimpleQueue[str] = field(default_factory=SimpleQueue)

    def run(self, ready: Callable[[], bool], when_ready: Callable[[], bool]) -> None:
        """Start everything, call `when_ready` once `ready` says so, and go on, if it says so, until a signal comes.

        `ServerDied` when an essential process ends by itself.
        """
        with self._hearing_signals():
            try:
                for role in self.roles:
                    self._start(role)
                if self._wait_until(ready) and when_ready():
                    while self._turn(None):
                        pass
            finally:
                self._stop()

    def stop(self) -> None:
        """End; may be called from a signal handler or another thread."""
        self._inbox.put(_STOP)

    def _wait_until(self, ready: Callable[[], bool]) -> bool:
        end = self.clock.monotonic() + self.deadline
        while not ready():
            if not self._turn(0.05):
                return False
            if self.clock.monotonic() > end:
                raise ServerDied(
                    f"The server did not answer within {self.deadline:g} s", where="opilio serve",
                    remedy="The lines above say why.",
                )  # fmt: skip
        return True

    def _turn(self, seconds: float | None) -> bool:
        """Wait for something to happen and deal with it; False when it is time to end."""
        try:
            name = self._inbox.get(timeout=self._pause(seconds))
        except Empty:
            self._start_due()
            return True
        if name == _STOP:
            return False
        self._bury(name)
        return True

    def _pause(self, seconds: float | None) -> float | None:
        waits = [max(0.0, due - self.clock.monotonic()) for due in self._due.values()]
        return min([*waits, *([] if seconds is None else [seconds])], default=None)

    def _start(self, role: Role) -> None:
        child = subprocess.Popen(
            role.command, stdin=subprocess.PIPE, stdout=sys.stderr.fileno(), start_new_session=True
        )
        self._running[role.name] = child
        threading.Thread(target=self._watch, args=(role.name, child), daemon=True).start()

    def _watch(self, name: str, child: "subprocess.Popen[bytes]") -> None:
        child.wait()
        self._inbox.put(name)

    def _bury(self, name: str) -> None:
        role = next(role for role in self.roles if role.name == name)
        child = self._running.pop(name)
        _hang_up(child)
        code = child.returncode
        if role.essential:
            raise ServerDied(
                f"The {name} ended with code {code}", where="opilio serve", remedy="The lines above say why."
            )
        deaths = self._deaths[name] = self._deaths.get(name, 0) + 1
        pause = min(self.first_pause * 2 ** (deaths - 1), self.longest_pause)
        self.say(f"The {name} ended with code {code}; it is started again in {pause:g} s.")
        self._due[name] = self.clock.monotonic() + pause

    def _start_due(self) -> None:
        now = self.clock.monotonic()
        for role in self.roles:
            if self._due.get(role.name, now + 1) <= now:
                del self._due[role.name]
                self._start(role)

    def _stop(self) -> None:
        """Ask, ask again, kill."""
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
            self._signal_all(number)
            if self._all_gone():
                break
        for child in self._running.values():
            _hang_up(child)

    def _signal_all(self, number: signal.Signals) -> None:
        for child in self._running.values():
            if child.poll() is None:
                child.send_signal(number)

    def _all_gone(self) -> bool:
        end = self.clock.monotonic() + self.patience
        for child in self._running.values():
            try:
                child.wait(max(0.05, end - self.clock.monotonic()))
            except subprocess.TimeoutExpired:
                return False
        return True

    @contextlib.contextmanager
    def _hearing_signals(self) -> Iterator[None]:
        def heard(_number: int, _frame: FrameType | None) -> None:
            self.stop()

        before = {number: signal.signal(number, heard) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _hang_up(child: "subprocess.Popen[bytes]") -> None:
    """Let go of a child that has ended, and of what it left running in its session."""
    if child.stdin is not None:
        child.stdin.close()
    with contextlib.suppress(ProcessLookupError):  # it left nothing
        os.killpg(child.pid, signal.SIGKILL)

"""Starts processes of `jobs_process`, lets them begin together, and listens to them."""

import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import nursery
from tests.contracts.jobs_database import ROOT, Database

PATIENCE = 120  # seconds; for a busy machine


class Process:
    """One process, whose lines can be waited for."""

    def __init__(self, database: Database, role: str, *arguments: str, errors: Path, **environ: str) -> None:
        self._errors = errors
        with errors.open("ab") as stream:
            self.popen = nursery.Process(
                [sys.executable, "-m", "tests.contracts.jobs_process", role, *arguments],
                cwd=ROOT,
                text=True,
                env={**database.installation.env, **environ},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
            )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def line(self) -> str | None:
        """The next line that it prints, or None at the end."""
        try:
            return self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"nothing was printed; {self._end_of_errors()}") from None

    def expect(self, wanted: str) -> None:
        """The next line must be this one."""
        line = self.line()
        assert line == wanted, f"{line!r} instead of {wanted!r}; {self._end_of_errors()}"

    def begin(self) -> None:
        """Let it begin, once it is ready."""
        self.expect("ready")
        self.go()

    def go(self) -> None:
        """Let it begin."""
        self.write("")

    def write(self, line: str) -> None:
        """Hand it a line."""
        assert self.popen.stdin is not None
        self.popen.stdin.write(f"{line}\n")
        self.popen.stdin.flush()

    def rest(self) -> list[str]:
        """Everything that it prints until its end."""
        lines = list(iter(self.line, None))
        assert self.popen.wait(PATIENCE) == 0, self._end_of_errors()
        return [line for line in lines if line is not None]

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.popen.send_signal(number)

    def errors(self) -> str:
        """What it wrote to standard error, the logs above all."""
        return self._errors.read_text(errors="replace")

    def close(self) -> None:
        """Kill it if it lives, and give back what it cost."""
        self.popen.kill()
        self.popen.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for stream in (self.popen.stdin, self.popen.stdout):
            assert stream is not None
            stream.close()

    def _end_of_errors(self) -> str:
        return f"standard error: {self.errors()[-4000:]}"

    def _read(self) -> None:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)


@contextmanager
def started(database: Database, role: str, *arguments: str, folder: Path, **environ: str) -> Iterator[Process]:
    """One process for the length of the block, ready to begin."""
    process = Process(database, role, *arguments, errors=folder / f"{role}.log", **environ)
    try:
        yield process
    finally:
        process.close()


def together(database: Database, role: str, *arguments: str, count: int, folder: Path) -> Sequence[list[str]]:
    """What each of `count` processes printed that began at once."""
    errors = folder / f"{role}.log"
    processes = [Process(database, role, *arguments, errors=errors) for _ in range(count)]
    try:
        for process in processes:
            process.expect("ready")
        for process in processes:
            process.go()
        return [process.rest() for process in processes]
    finally:
        for process in processes:
            process.close()

"""A server as a process of its own: started, asked for its address, stopped; it ends with us even if we are killed."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from opilio.kernel.errors import Unavailable
from tests.nursery import Process

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds; for a busy machine


class ServerProcess:
    """A module run with `python -m`, which prints its address as one JSON line and ends when its stdin closes."""

    def __init__(self, module: str, arguments: Sequence[str], *, errors: Path) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self._errors = errors
        self._process: subprocess.Popen[bytes] | None = None
        self.address: dict[str, Any] = {}

    def start(self) -> Self:
        """Start it and wait for its address."""
        with self._errors.open("wb") as errors:
            self._process = Process(
                self._command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )
        line = _first_line(self._process)
        if not line:
            self.stop()
            raise Unavailable(
                f"The server did not start: {self._errors.read_text(errors='replace')[-2000:]}",
                where=" ".join(self._command),
                remedy="Run the command by hand to see what it needs.",
            )
        self.address = json.loads(line)
        return self

    def stop(self) -> None:
        """Let it end, and insist if it does not; harmless when it has ended."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=PATIENCE)
        assert process.stdout is not None
        process.stdout.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def _first_line(process: subprocess.Popen[bytes]) -> bytes:
    """The line it prints, or nothing when it ended or stayed silent."""
    assert process.stdout is not None
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=lambda read=process.stdout.readline: lines.put(read()), daemon=True).start()
    try:
        return lines.get(timeout=PATIENCE)
    except queue.Empty:
        process.kill()
        return b""

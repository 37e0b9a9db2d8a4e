"""A crawl of the command line that dies again and again, and is resumed each time."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from opilio.works.crawl_folder import StoreAddress
from tests import nursery
from tests.acceptance.crawl.crawls import worker_processes

PATIENCE = 300.0  # seconds without any progress
_STILL_THERE = "another process writes"  # workers of a killed parent need a moment to notice


@dataclass(frozen=True, kw_only=True)
class Kill:
    """One kill -9."""

    at: float  # monotonic seconds
    victims: int  # workers that died, or are about to because their parent did


@dataclass(eq=False, kw_only=True)
class CrawlLives:
    """The process of a crawl, whichever it is by now."""

    folder: Path
    starts: list[str]
    address: StoreAddress
    said: Path  # what its processes say on standard error
    workers: int = 3
    options: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)  # beside this process's own
    kills: list[Kill] = field(default_factory=list)
    _process: "subprocess.Popen[bytes] | None" = None
    _read: int = 0  # bytes of the crawl log
    _recorded: int = 0

    def begin(self):
        """Start the crawl."""
        self._run("start", *self.starts, "--into", str(self.folder), "--preset", "own-site", "--allow-private",
                  *self.options)  # fmt: skip

    def resume(self):
        """Go on with it in a new process."""
        self._run("resume", str(self.folder))

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def recorded(self) -> int:
        """How many lines the crawl log has."""
        log = self.folder / "logs" / "crawl.log"
        if log.exists():
            with log.open("rb") as file:
                file.seek(self._read)
                more = file.read()
            self._read += len(more)
            self._recorded += more.count(b"\n")
        return self._recorded

    def wait_for(self, recorded: int):
        """Wait until so many URLs are recorded."""
        before, end = self.recorded(), time.monotonic() + PATIENCE
        while (now := self.recorded()) < recorded:
            if self._process.poll() is not None:
                self._again()
            assert now > before or time.monotonic() < end, f"no progress at {now} of {recorded}: {self.errors()}"
            before, end = now, end if now == before else time.monotonic() + PATIENCE
            time.sleep(0.02)

    def kill(self, chance: random.Random):
        """Kill the parent, one time in three, or one of its workers."""
        workers = worker_processes(self._process.pid)
        parent = not workers or chance.random() < 1 / 3
        self.kills.append(Kill(at=time.monotonic(), victims=self.workers if parent else 1))
        if not parent:
            chance.choice(workers).kill()
            return
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        psutil.wait_procs(workers, timeout=chance.choice([0, PATIENCE]))
        self.resume()

    def end(self):
        """Wait until the crawl has come to its end."""
        while self.exit_code():
            self._again()

    def exit_code(self) -> int:
        """How the process ended that runs now."""
        return self._process.wait(PATIENCE)

    def stop(self):
        """End it at once."""
        if self._process is not None and self._process.poll() is None:
            workers = worker_processes(self._process.pid)
            self._process.kill()
            self._process.wait()
            psutil.wait_procs(workers, timeout=PATIENCE)

    def errors(self) -> str:
        """The end of what its processes said on standard error."""
        return self.said.read_text(errors="replace")[-3000:]

    def _again(self):
        assert self._process.returncode, "the crawl ended too soon"
        assert _STILL_THERE in self.errors(), self.errors()
        self.resume()

    def _run(self, verb, *arguments):
        command = [*nursery.OPILIO, "crawl", verb, *arguments, "--workers", str(self.workers)]
        command += ["--store", self.address.url] if self.address.url else []
        with self.said.open("wb") as said:
            env = {**os.environ, **self.env}
            self._process = nursery.Process(command, stdout=subprocess.DEVNULL, stderr=said, env=env)

"""Runs a program on chosen cores and says what it used: its own and its children's CPU time, its memory."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import cache


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What a program used."""

    cpu: float  # seconds, user and system, children included
    wall: float  # seconds
    rss: int  # bytes; of the largest of its processes
    code: int  # exit code
    started: float  # seconds since 1970


def cores() -> tuple[int, int]:
    """The core for the program that is measured, and the one for the server; the same where there is only one."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[-1]


def pinned(command: Sequence[str], *on: int) -> list[str]:
    """The command, kept to some cores."""
    return ["taskset", "--cpu-list", ",".join(map(str, sorted(set(on)))), *command]


def compiled(command: Sequence[str]) -> None:
    """Run a Python program once for its compiled modules, which a user's installation has too."""
    subprocess.run(command, env=_installed(dict(os.environ)), check=True, capture_output=True)


def _installed(env: dict[str, str]) -> dict[str, str]:
    """The environment of an installed program: with its compiled modules, wherever this one keeps them."""
    if env.pop("PYTHONDONTWRITEBYTECODE", ""):
        env.setdefault("PYTHONPYCACHEPREFIX", str(cache.folder("bytecode")))
    return env


def run(command: Sequence[str], *, folder: Path, log: Path, env: Mapping[str, str] | None = None) -> Usage:
    """Run a program to its end; its output goes into the log."""
    with log.open("wb") as output:
        started, begun = time.time(), time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            env=_installed({**os.environ, **(env or {})}),
        )  # fmt: skip
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
    return Usage(
        cpu=used.ru_utime + used.ru_stime, wall=wall, rss=used.ru_maxrss * 1024, code=process.returncode,
        started=started,
    )  # fmt: skip

"""Reads many files in several processes: each makes one sorted file of lines, and these are merged as they are read."""

import heapq
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from opilio.archive.cdx.rows import CdxRow
from opilio.archive.indexing.captures import captures
from opilio.archive.indexing.flaws import Flaw
from opilio.archive.sorting import sorted_lines
from opilio.kernel.errors import Unavailable

_WORTH_IT = 256 << 20  # bytes for which a further process pays for its start
_PAUSE = 0.2  # seconds between two words about how far they came

#: A row as a line, in whatever form is wanted; it must be possible to hand it to another process.
Line = Callable[[CdxRow], bytes]
#: Told how many bytes were read.
Told = Callable[[int], None]

_progress: "Synchronized[int] | None" = None  # of a process that reads


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """What one process does."""

    files: Sequence[Path]
    line: Line
    into: Path
    memory: int


def lines_of(
    files: Sequence[Path], line: Line, flaws: list[Flaw], *, folder: Path, memory: int, told: Told
) -> Iterator[bytes]:
    """The lines of all captures in byte order. `folder` holds what does not fit into memory."""
    count = workers_for(files)
    if count < 2:
        yield from sorted_lines(map(line, _rows(files, flaws, told)), folder=folder, memory=memory)
        return
    with tempfile.TemporaryDirectory(prefix=".opilio-runs-", dir=folder) as place:
        jobs = [
            Job(files=part, line=line, into=Path(place) / f"{number}", memory=memory // count)
            for number, part in enumerate(shares(files, count))
        ]
        for found in _worked(jobs, told):
            flaws.extend(found)
        with ExitStack() as stack:
            yield from heapq.merge(*(stack.enter_context(job.into.open("rb")) for job in jobs))


def workers_for(files: Sequence[Path]) -> int:
    """How many processes are worth it: no more than there are cores, files, and bytes that pay for them."""
    size = sum(path.stat().st_size for path in files)
    return min(len(os.sched_getaffinity(0)), len(files), size // _WORTH_IT)


def shares(files: Sequence[Path], count: int) -> list[list[Path]]:
    """The files in so many parts of about the same size."""
    parts: list[list[Path]] = [[] for _ in range(count)]
    sizes = [0] * count
    for path in sorted(files, key=lambda each: each.stat().st_size, reverse=True):
        least = sizes.index(min(sizes))
        parts[least].append(path)
        sizes[least] += path.stat().st_size
    return parts


def _worked(jobs: Sequence[Job], told: Told) -> list[list[Flaw]]:
    """Run all; the flaws that each found."""
    context = multiprocessing.get_context("spawn")
    progress: Synchronized[int] = context.Value("q", 0)
    pool = ProcessPoolExecutor(len(jobs), mp_context=context, initializer=_begin, initargs=(progress,))
    try:
        futures = [pool.submit(_work, job) for job in jobs]
        waiting: set[Future[list[Flaw]]] = set(futures)
        while waiting:
            _, waiting = wait(waiting, timeout=_PAUSE)
            told(progress.value)
        return [future.result() for future in futures]
    except BrokenProcessPool as error:
        remedy = "Look for a lack of memory, then try again."
        where = str(jobs[0].into.parent)
        raise Unavailable("a process that read the files was ended", where=where, remedy=remedy) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(progress: "Synchronized[int]") -> None:
    """Runs in each process first."""
    global _progress
    _progress = progress


def _work(job: Job) -> list[Flaw]:
    flaws: list[Flaw] = []
    rows = _rows(job.files, flaws, _Counter())
    with job.into.open("wb") as stream:
        stream.writelines(sorted_lines(map(job.line, rows), folder=job.into.parent, memory=job.memory))
    return flaws


class _Counter:
    """Adds what this process read to what all did."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self, read: int) -> None:
        if _progress is not None:
            with _progress.get_lock():
                _progress.value += read - self._last
        self._last = read


def _rows(files: Sequence[Path], flaws: list[Flaw], told: Told) -> Iterator[CdxRow]:
    done = 0
    for path in files:
        yield from captures(path, flaws, partial(_add, told, done))
        done += path.stat().st_size
        told(done)


def _add(told: Told, before: int, at: int) -> None:
    told(before + at)

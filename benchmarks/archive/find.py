"""Ten million captures: how much memory making their index takes, and how long look-ups in it take.

OPILIO_TEST_BENCH_LINES makes it smaller. The captures are made up, always the same ones, and come in no order: four of
each URL, but for one URL that has a hundredth of all.
"""

import hashlib
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from benchmarks import cache, usage
from benchmarks.archive import mark
from opilio.archive.cdx.keys import Match
from opilio.archive.cdx.opening import open_index
from opilio.archive.cdx.searching import Searchable, whole
from opilio.archive.cdx.zipping import write_zipnum
from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.kernel.digests import Algorithm, Digest

LINES = int(os.environ.get("OPILIO_TEST_BENCH_LINES", "10000000"))
MOST_MEMORY = 200e6  # bytes
MOST_TIME = 5.0  # milliseconds
TRIES = 2_000
COLD = 100
_HOSTS = 20_000
_STEP = 7_368_787  # a prime: all numbers come, in no order
_BEGUN = datetime(2016, 1, 1, tzinfo=UTC)
_OFTEN = "http://often.example.test/"
_COLD = "exact, file not in memory"
_SECONDS = 10 * 365 * 86_400


class Times(NamedTuple):
    """Of many look-ups, sorted, in milliseconds."""

    wall: Sequence[float]
    cpu: Sequence[float]

    def wall_at(self, share: float) -> float:
        """By the clock."""
        return self.wall[int(len(self.wall) * share)]

    def cpu_at(self, share: float) -> float:
        """Of the processor."""
        return self.cpu[int(len(self.cpu) * share)]

    def __str__(self) -> str:
        wall = " | ".join(f"{self.wall_at(share):.2f}" for share in (0.5, 0.95))
        return f"{wall} | {self.wall[-1]:.2f} | {self.cpu_at(0.95):.2f}"


def run() -> list[str]:
    """Make both kinds of index, look up in them, and say it in lines of Markdown."""
    with tempfile.TemporaryDirectory(prefix="find-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        plain, packed = place / "index.cdxj", place / "index.idx"
        made = {path: _made(path, place) for path in (plain, packed)}
        lines = [
            f"{LINES:,} lines of CDXJ.", "",
            "| index | made in CPU s | wall s | max RSS MB | MB |", "|---|---|---|---|---|",
            *(_built(path, used) for path, used in made.items()), "",
            "| look-up | index | p50 ms | p95 ms | max ms | p95 CPU ms |", "|---|---|---|---|---|---|",
        ]  # fmt: skip
        measured: list[Times] = []
        for path in (plain, packed):
            for name, times in _looked_up(path):
                if name != _COLD:
                    measured.append(times)
                lines.append(f"| {name} | {path.suffix} | {times} |")
        memory = max(used.rss for used in made.values())
        clock = max(times.wall_at(0.95) for times in measured)
        cpu = max(times.cpu_at(0.95) for times in measured)
        return [
            *lines, "",
            f"- memory while it is made: {memory / 1e6:.0f} MB (at most 200){mark(memory <= MOST_MEMORY)}",
            f"- slowest p95 of look-ups: {clock:.2f} ms by the clock (at most {MOST_TIME:g})"
            f"{mark(clock <= MOST_TIME)}; "
            f"{cpu:.2f} ms of CPU",
        ]  # fmt: skip


def make(path: Path) -> None:
    """What the measured process does: rows, sorted into a file; or the lines of that file, compressed."""
    if path.suffix == ".cdxj":
        write_cdxj(path, (_row(number * _STEP % LINES) for number in range(LINES)))
    else:
        lines = open_index(path.with_suffix(".cdxj")).lines(whole())
        write_zipnum(path, (line.text + b"\n" for line in lines))


def _row(number: int) -> CdxRow:
    return CdxRow(
        url=_OFTEN if number % 100 == 0 else _url(number // 4),
        at=_BEGUN + timedelta(seconds=number * 7919 % _SECONDS),
        mime="text/html",
        status=200,
        digest=Digest(Algorithm.SHA1, hashlib.sha1(b"%d" % number, usedforsecurity=False).digest()),
        file=f"opilio-20260101000000000-{number // 50_000:05d}-w0.warc.gz",
        offset=number % 50_000 * 20_011,
        length=20_011,
    )


def _url(number: int) -> str:
    return f"http://www.site{number % _HOSTS:05d}.example.test/articles/{number // _HOSTS % 12 + 1:02d}/{number}.html"


def _made(path: Path, place: Path) -> usage.Usage:
    command = [sys.executable, "-c", _MAKE, str(path)]
    used = usage.run(command, folder=Path.cwd(), log=place / "output", env={"OPILIO_TEST_BENCH_LINES": str(LINES)})
    if used.code:
        raise SystemExit(f"The index was not made:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
    print(f"{path.name}: {used.cpu:.0f} s CPU, {used.rss / 1e6:.0f} MB", flush=True)
    return used


_MAKE = "import sys, pathlib; from benchmarks.archive.find import make; make(pathlib.Path(sys.argv[1]))"


def _built(path: Path, used: usage.Usage) -> str:
    size = sum(each.stat().st_size for each in path.parent.iterdir() if _belongs(each, path))
    return f"| {path.suffix} | {used.cpu:.0f} | {used.wall:.0f} | {used.rss / 1e6:.0f} | {size / 1e6:,.0f} |"


def _belongs(each: Path, path: Path) -> bool:
    return each == path or (path.suffix == ".idx" and each.name.startswith(f"{path.stem}-"))


def _looked_up(path: Path) -> Iterator[tuple[str, Times]]:
    """The times of each kind of look-up."""
    index, dice = open_index(path), random.Random(1)
    urls = [_url(number // 4) for number in dice.sample(range(LINES), TRIES) if number % 100]
    moments = [_BEGUN + timedelta(seconds=dice.randrange(_SECONDS)) for _ in range(TRIES)]
    yield "exact, all captures of a URL", _timed([lambda url=url: _found(list(index.exact(url))) for url in urls])
    yield "exact, nothing there", _timed([lambda url=url: list(index.exact(f"{url}?none")) for url in urls])
    hosts = [lambda url=url: _found(_first(index, url[: url.index("/", 8) + 1], Match.PREFIX)) for url in urls]
    yield "prefix, the first 50 of a host", _timed(hosts)
    near = [lambda at=at: _found([index.nearest(_OFTEN, at)]) for at in moments]
    yield f"nearest of {LINES // 100:,} captures of a URL", _timed(near)
    both = [lambda url=url, at=at: _found([index.nearest(url, at)]) for url, at in zip(urls, moments, strict=False)]
    yield "nearest of 4 captures of a URL", _timed(both)
    cold = [lambda url=url: _found(list(index.exact(url))) for url in urls[:COLD]]
    yield _COLD, _timed(cold, before=lambda: _forget(path.parent))


def _first(index: Searchable, url: str, match: Match) -> list[CdxRow]:
    return list(itertools.islice(index.find(url, match), 50))


def _found(rows: list[CdxRow] | list[CdxRow | None]) -> None:
    if not rows or rows[0] is None:
        raise SystemExit("A capture was not found.")


def _timed(asks: list[Callable[[], object]], before: Callable[[], None] = lambda: None) -> Times:
    wall, cpu = [], []
    for ask in asks:
        before()
        begun, worked = time.perf_counter(), time.thread_time()
        ask()
        wall.append((time.perf_counter() - begun) * 1000)
        cpu.append((time.thread_time() - worked) * 1000)
    return Times(sorted(wall), sorted(cpu))


def _forget(folder: Path) -> None:
    """Let the system drop what it holds of the files."""
    for path in folder.iterdir():
        with path.open("rb") as stream:
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

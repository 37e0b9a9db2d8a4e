"""Indexing the same WARC files by Opilio and by cdxj-indexer: both sort, and must write the same lines.

Opilio runs twice: as users start it, when it may take all cores, and on one core. cdxj-indexer never takes more.

OPILIO_TEST_BENCH_COPIES is how many times the files are there (6), so that starting Python does not count for much.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks import cache, usage
from benchmarks.archive import corpus, mark
from benchmarks.crawl.programs import environment
from benchmarks.usage import Usage, compiled, cores, pinned

PEER = ("cdxj-indexer==1.5.0",)
COPIES = int(os.environ.get("OPILIO_TEST_BENCH_COPIES", "6"))
ROUNDS = int(os.environ.get("OPILIO_TEST_BENCH_ROUNDS", "3"))
_OURS, _ONE_CORE, _THEIRS = "Opilio", "Opilio on one core", PEER[0].replace("==", " ")
WANTED = 3.0  # times as fast as the peer


def run() -> list[str]:
    """Measure, and say it in lines of Markdown."""
    with tempfile.TemporaryDirectory(prefix="cdxj-", dir=cache.folder("scratch")) as scratch:
        return _table(*_measured(Path(scratch)))


def _measured(place: Path) -> tuple[dict[str, Usage], int, int]:
    """Both programs, in turns; of each the run with the least CPU, then bytes and lines."""
    files = [_copy(path, place / "warcs", number) for number in range(COPIES) for path in corpus.files()]
    peer = environment("cdxj-indexer", PEER) / "bin" / "cdxj-indexer"
    ours = [sys.executable, "-m", "opilio", "archive", "index"]
    compiled([*ours, "--help"])
    index = [*ours, *map(str, files), "--output", str(place / "ours.cdxj"), "--json"]
    commands = {
        _OURS: index,
        _ONE_CORE: pinned(index, cores()[0]),
        _THEIRS: [str(peer), "--sort", "--output", str(place / "theirs.cdxj"), *map(str, files)],
    }
    best: dict[str, Usage] = {}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            used = usage.run(command, folder=place, log=place / "output")
            if used.code:
                raise SystemExit(f"{name} failed:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
            best[name] = min(used, best.get(name, used), key=lambda each: each.cpu)
    lines = (place / "ours.cdxj").read_bytes()
    if lines != (place / "theirs.cdxj").read_bytes():
        raise SystemExit("The two indexes differ.")
    return best, sum(path.stat().st_size for path in files), lines.count(b"\n")


def _table(used: dict[str, Usage], size: int, lines: int) -> list[str]:
    """The figures as a table, and the promise."""
    table = [
        f"{size / 1e6:.0f} MB of WARC files, {lines:,} captures; the two indexes are the same, byte for byte.",
        "",
        "| program | CPU s | wall s | captures/CPU s | MB/CPU s | max RSS MB |",
        "|---|---|---|---|---|---|",
    ]
    for name, each in used.items():
        table.append(
            f"| {name} | {each.cpu:.1f} | {each.wall:.1f} | {lines / each.cpu:,.0f} | {size / 1e6 / each.cpu:.0f} "
            f"| {each.rss / 1e6:.0f} |"
        )
    ratio, cpu = used[_THEIRS].wall / used[_OURS].wall, used[_THEIRS].cpu / used[_ONE_CORE].cpu
    return [
        *table,
        "",
        f"- {ratio:.1f} times as fast as cdxj-indexer by the clock (wanted: {WANTED:g}){mark(ratio >= WANTED)}",
        f"- {cpu:.1f} times as fast on one core, by CPU time (wanted: {WANTED:g}){mark(cpu >= WANTED)}",
    ]


def _copy(path: Path, folder: Path, number: int) -> Path:
    folder.mkdir(exist_ok=True)
    return Path(shutil.copy(path, folder / f"{number}-{path.name}"))

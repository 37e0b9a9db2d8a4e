"""Packing the same WARC files as WACZ by Opilio and by `wacz create`, each on one core; `wacz validate` checks both.

Opilio packs a sealed crawl, whose index and titles are there already; `wacz create` reads the WARC files for them. So
the way from WARC files alone (import with text and links, then pack) is told beside it.
"""

import os
import sys
import tempfile
from pathlib import Path

from benchmarks import cache, usage
from benchmarks.archive import corpus, mark
from benchmarks.crawl.programs import environment
from benchmarks.usage import Usage, compiled, cores, pinned

PEER = ("wacz==0.6.0", "setuptools==80.9.0")
ROUNDS = int(os.environ.get("OPILIO_TEST_BENCH_ROUNDS", "3"))
WANTED = 2.0  # times as fast as the peer
_OURS, _THEIRS, _IMPORT = "Opilio, pack", "wacz create --detect-pages", "Opilio, import"


def run() -> list[str]:
    """Measure, and say it in lines of Markdown."""
    with tempfile.TemporaryDirectory(prefix="wacz-", dir=cache.folder("scratch")) as scratch:
        return _table(*_measured(Path(scratch)))


def _measured(place: Path) -> tuple[dict[str, Usage], int]:
    files = corpus.files()
    peer = str(environment("wacz", PEER) / "bin" / "wacz")
    opilio = [sys.executable, "-m", "opilio", "archive"]
    compiled([*opilio, "pack", "--help"])
    best = {_IMPORT: _run(place, [*opilio, "import", *map(str, files), "--into", str(place / "crawl"), "--json"])}
    ours, theirs = place / "ours.wacz", place / "theirs.wacz"
    commands = {
        _OURS: [*opilio, "pack", str(place / "crawl"), "--output", str(ours), "--json"],
        _THEIRS: [peer, "create", "--detect-pages", "--output", str(theirs), *map(str, files)],
    }
    for _ in range(ROUNDS):
        for name, command in commands.items():
            for made in (ours, theirs):
                made.unlink(missing_ok=True)
            used = _run(place, command)
            best[name] = min(used, best.get(name, used), key=lambda each: each.cpu)
    _run(place, commands[_OURS])
    for made in (ours, theirs):
        _run(place, [peer, "validate", "--file", str(made)])
    return best, sum(path.stat().st_size for path in files)


def _run(place: Path, command: list[str]) -> Usage:
    env = {"OPILIO_HOME": str(place / "home"), "PYTHONWARNINGS": "ignore"}
    used = usage.run(pinned(command, cores()[0]), folder=place, log=place / "output", env=env)
    if used.code:
        raise SystemExit(f"{command[:4]} failed:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
    return used


def _table(used: dict[str, Usage], size: int) -> list[str]:
    """The figures as a table, and the promise."""
    table = [
        f"{size / 1e6:.0f} MB of WARC files; `wacz validate` accepts both packages.",
        "",
        "| program | CPU s | wall s | MB/CPU s | max RSS MB |",
        "|---|---|---|---|---|",
    ]
    for name in (_OURS, _THEIRS, _IMPORT):
        each = used[name]
        table.append(
            f"| {name} | {each.cpu:.1f} | {each.wall:.1f} | {size / 1e6 / each.cpu:.0f} | {each.rss / 1e6:.0f} |"
        )
    ratio = used[_THEIRS].cpu / used[_OURS].cpu
    told = f"- {ratio:.1f} times as fast as wacz create (wanted: {WANTED:g}){mark(ratio >= WANTED)}"
    whole = used[_THEIRS].cpu / (used[_OURS].cpu + used[_IMPORT].cpu)
    return [*table, "", told, f"- {whole:.2f} times as fast from WARC files alone, with text and links of every page"]

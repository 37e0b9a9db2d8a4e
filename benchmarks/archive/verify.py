"""Verifying the same WARC file by Opilio and by `fastwarc check`, in turns.

Opilio checks more: packing, framing, fields, references, payload digests. `fastwarc check` makes the digests of blocks,
`fastwarc check -p` those of payloads too. Opilio takes a process for each core, as it does for its users.
OPILIO_TEST_BENCH_COPIES is how many times the records are there (3).
"""

import os
import re
import sys
import tempfile
from pathlib import Path

from isal import isal_zlib

from benchmarks import cache, usage
from benchmarks.archive import corpus, mark
from benchmarks.usage import Usage, compiled
from opilio.archive.verify.copying import record_pieces
from opilio.archive.verify.scanning import scan

COPIES = int(os.environ.get("OPILIO_TEST_BENCH_COPIES", "3"))
ROUNDS = int(os.environ.get("OPILIO_TEST_BENCH_ROUNDS", "3"))
OURS, ALONE, FAST = "Opilio", "Opilio --workers 1", "Opilio --workers 1 --fast"
BLOCKS, PAYLOADS = "fastwarc check", "fastwarc check -p"
_ID = re.compile(rb"(<urn:uuid:)([0-9a-f])")
WANTED = 0.8  # times as fast as the peer


def run() -> list[str]:
    """Measure, and say it in lines of Markdown."""
    with tempfile.TemporaryDirectory(prefix="verify-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        path = _joined(place / "joined.warc.gz")
        return _table(_measured(path, place), path.stat().st_size)


def _joined(target: Path) -> Path:
    """One file of all records, several times, each time with other ids."""
    with target.open("wb") as stream:
        for number in range(COPIES):
            for path in corpus.files():
                for scanned in scan(path, print):
                    record = b"".join([*record_pieces(path, scanned), b"\r\n\r\n"])
                    stream.write(isal_zlib.compress(_with_other_ids(record, number), 2, 31))
    return target


def _with_other_ids(record: bytes, number: int) -> bytes:
    """The first digit of each id, moved on."""
    header, end, block = record.partition(b"\r\n\r\n")
    return _ID.sub(lambda found: found[1] + b"%x" % ((int(found[2], 16) + number) % 16), header) + end + block


def _measured(path: Path, place: Path) -> dict[str, tuple[Usage, Usage]]:
    """Of each program the run with the least CPU, and the one with the least wall time."""
    ours = [sys.executable, "-m", "opilio", "archive", "verify", str(path), "--json"]
    peer = [str(Path(sys.executable).with_name("fastwarc")), "check", "-q", str(path)]
    compiled([*ours[:5], "--help"])
    alone = [*ours, "--workers", "1"]
    commands = {OURS: ours, ALONE: alone, FAST: [*alone, "--fast"], BLOCKS: peer, PAYLOADS: [*peer, "-p"]}
    runs: dict[str, list[Usage]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            used = usage.run(command, folder=place, log=place / "output", env={"OPILIO_HOME": str(place / "home")})
            if used.code:
                raise SystemExit(f"{name} failed:\n{(place / 'output').read_text(errors='replace')[-2000:]}")
            runs[name].append(used)
    return {
        name: (min(used, key=lambda one: one.cpu), min(used, key=lambda one: one.wall)) for name, used in runs.items()
    }


def _table(best: dict[str, tuple[Usage, Usage]], size: int) -> list[str]:
    """The figures as a table, and the promise."""
    lines = [
        f"{size / 1e6:.0f} MB of one WARC file, packed.",
        "",
        "| program | CPU s | wall s | MB/CPU s | MB/s | max RSS MB |",
        "|---|---|---|---|---|---|",
    ]
    for name, (cpu, wall) in best.items():
        lines.append(
            f"| {name} | {cpu.cpu:.1f} | {wall.wall:.1f} | {size / 1e6 / cpu.cpu:.0f} | {size / 1e6 / wall.wall:.0f} "
            f"| {cpu.rss / 1e6:.0f} |"
        )
    by_wall = best[BLOCKS][1].wall / best[OURS][1].wall
    by_cpu = best[PAYLOADS][0].cpu / best[ALONE][0].cpu
    return [
        *lines,
        "",
        f"- {by_wall:.2f} times as fast as `{BLOCKS}` by the clock (wanted: {WANTED}){mark(by_wall >= WANTED)}",
        f"- {by_cpu:.2f} times as fast as `{PAYLOADS}`, which makes the same digests, by the CPU time of one process",
    ]

"""Packing a result as a bag with its description, beside `cp` and `sha512sum` over the same bytes.

The bag has sha256 and sha512 of each file, METS and PREMIS; it is written with copies, and with hard links as agents
do it for depositories. OPILIO_TEST_BENCH_PACKAGING says how many MB of WARC files there are.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import cache, machine
from opilio.archive.mets.document import document
from opilio.archive.mets.values import PackageFacts
from opilio.archive.packing.aside import sync_tree
from opilio.archive.packing.bag import BagInfo, write_bag
from opilio.archive.packing.parcel import Parcel, ParcelFile
from opilio.archive.results.manifest import sha256_of

SIZE = int(os.environ.get("OPILIO_TEST_BENCH_PACKAGING", "1000"))  # MB
FILES = 8
ROUNDS = int(os.environ.get("OPILIO_TEST_BENCH_ROUNDS", "3"))
WANTED = 0.7  # of the speed of cp and sha512sum
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def main() -> None:
    """Measure, and print it in the form of docs/measurements.md."""
    with tempfile.TemporaryDirectory(prefix="packaging-", dir=cache.folder("scratch")) as scratch:
        lines = measured(Path(scratch))
    print(f"\n{machine.line()}\n\n### packaging\n\n" + "\n".join(lines) + "\n", flush=True)


def measured(place: Path) -> list[str]:
    """Each way several times, one after the other; the best of each counts."""
    files = _files(place / "crawl")
    parcel = _parcel(files)
    ways: dict[str, Callable[[Path], object]] = {
        "cp, then sha512sum": lambda target: _by_hand(place / "crawl", target),
        "bag, copied": lambda target: _bag(parcel, target, link=False),
        "bag, with hard links": lambda target: _bag(parcel, target, link=True),
    }
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            took = _timed(way, place / "target")
            best[name] = min(took, best.get(name, took))
    return _table(best, sum(file.size for file in parcel.warcs))


def _files(folder: Path) -> list[Path]:
    folder.mkdir()
    each = SIZE * 1_000_000 // FILES
    for number in range(FILES):
        with (folder / f"{number}.warc.gz").open("wb") as stream:
            for _ in range(each // 1_000_000):
                stream.write(os.urandom(1_000_000))
    return sorted(folder.iterdir())


def _parcel(files: list[Path]) -> Parcel:
    warcs = tuple(
        ParcelFile(name=path.name, path=path, size=path.stat().st_size, sha256=sha256_of(path)) for path in files
    )
    return Parcel(
        name="bench", pages=contextlib.nullcontext, warcs=warcs, documents=(), lines=lambda: iter([b"{}\n"] * 10_000),  # type: ignore[arg-type]  # nobody asks for pages of a bag
        sealed=NOW.isoformat(),
    )  # fmt: skip


def _bag(parcel: Parcel, target: Path, *, link: bool) -> None:
    facts = PackageFacts(
        identifier="info:opilio/harvest/1/result/1", harvest=1, result=1, sections={}, snapshot_digest="",
        frozen_at=NOW, packed_at=NOW, packed_by="bench", software="Opilio",
    )  # fmt: skip
    target.mkdir()
    info = BagInfo(date=NOW.date(), software="Opilio")
    write_bag(target, parcel, info, link=link, describe=lambda packed: document(facts, packed))
    sync_tree(target)


def _by_hand(source: Path, target: Path) -> None:
    subprocess.run(["cp", "-r", source, target], check=True)
    subprocess.run(["sync", "-f", target], check=True)
    sums = subprocess.run(["sha512sum", *sorted(target.iterdir())], check=True, capture_output=True).stdout
    (target / "manifest-sha512.txt").write_bytes(sums)


def _timed(way: Callable[[Path], object], target: Path) -> float:
    shutil.rmtree(target, ignore_errors=True)
    begun = time.perf_counter()
    way(target)
    return time.perf_counter() - begun


def _table(best: dict[str, float], size: int) -> list[str]:
    peer = best["cp, then sha512sum"]
    rows = [f"| {name} | {took:.2f} | {size / 1e6 / took:.0f} | {peer / took:.2f} |" for name, took in best.items()]
    ratio = peer / best["bag, copied"]
    kept = "" if ratio >= WANTED else " **not reached**"
    return [
        f"{size / 1e6:.0f} MB in {FILES} files.", "",
        "| way | s | MB/s | times as fast |", "|---|---|---|---|", *rows, "",
        f"- {ratio:.2f} times as fast as cp and sha512sum, with copies (wanted: {WANTED:g}){kept}",
    ]  # fmt: skip

"""Link rank of a million pages with twenty million links, in a process of its own: seconds and memory.

The graph is made up, always the same: sites of a thousand pages, each page linking to three pages from the menu of its
site; the other links favour a few pages, as real ones do. OPILIO_TEST_BENCH_LINKS makes it smaller.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import cache, machine, usage
from opilio.search.rank.links import Ids, LinkGraph
from opilio.search.rank.pagerank import RankOptions, link_rank

LINKS = int(os.environ.get("OPILIO_TEST_BENCH_LINKS", "20000000"))
MOST_SECONDS = 5.0
MOST_MEMORY = 1e9  # bytes
_MENU = 3
_SITE = 1_000  # pages


def main() -> None:
    """Measure, and print it in the form of docs/measurements.md."""
    lines = run()
    print(f"\n{machine.line()}\n\n### link rank\n\n" + "\n".join(lines))


def run() -> list[str]:
    """Rank the graph over all pages and per site; lines of Markdown."""
    with tempfile.TemporaryDirectory(prefix="rank-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        for name, numbers in zip(("sources", "targets"), _made(), strict=True):
            np.save(place / f"{name}.npy", numbers)
        lines = ["| ranks | CPU s | wall s | rounds | links not counted | max RSS MB |", "|---|---|---|---|---|---|"]
        told = []
        for way in ("overall", "per-site"):
            log = place / "output"
            used = usage.run([sys.executable, "-m", __name__, scratch, way], folder=Path.cwd(), log=log)
            if used.code:
                raise SystemExit(f"The ranks were not worked out:\n{log.read_text(errors='replace')[-2000:]}")
            lines.append(f"| {way} | {log.read_text().strip()} | {used.rss / 1e6:.0f} |")
            told.append((float(log.read_text().split(" | ")[0]), used.rss))
        slowest, largest = max(seconds for seconds, _ in told), max(memory for _, memory in told)
        return [
            *lines, "",
            f"- slowest: {slowest:.1f} s of CPU (at most {MOST_SECONDS:g}){_mark(slowest <= MOST_SECONDS)}",
            f"- memory: {largest / 1e6:.0f} MB (at most 1,000){_mark(largest <= MOST_MEMORY)}",
        ]  # fmt: skip


def measure(place: Path, way: str) -> str:
    """What the measured process does: seconds, rounds, and links of templates, as cells of a table."""
    sources, targets = np.load(place / "sources.npy"), np.load(place / "targets.npy")
    pages = LINKS // 20
    sites = (np.arange(pages) // _SITE).astype(np.int32)
    begun, worked = time.perf_counter(), time.process_time()
    graph = LinkGraph(pages=pages, sources=sources, targets=targets, sites=sites)
    ranks = link_rank(graph, RankOptions(per_site=way == "per-site"))
    worked, begun = time.process_time() - worked, time.perf_counter() - begun
    return f"{worked:.2f} | {begun:.2f} | {ranks.rounds} | {ranks.template_links:,}"


def _made() -> tuple[Ids, Ids]:
    pages = LINKS // 20
    dice = np.random.default_rng(1)
    menu = np.repeat(np.arange(pages, dtype=np.int32), _MENU)
    others = dice.integers(0, pages, LINKS - len(menu), dtype=np.int32)
    favoured = (pages * dice.random(len(others), dtype=np.float32) ** 2.5).astype(np.int32)
    sources = np.concatenate([menu, others])
    targets = np.concatenate([menu // _SITE * _SITE + np.tile(np.arange(_MENU, dtype=np.int32), pages), favoured])
    order = np.argsort(sources, kind="stable")
    return sources[order], np.minimum(targets, pages - 1)[order].astype(np.int32)


def _mark(kept: bool) -> str:
    return "" if kept else " **not reached**"


if __name__ == "__main__":
    print(measure(Path(sys.argv[1]), sys.argv[2]))

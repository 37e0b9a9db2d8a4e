"""The seed views of real pages: what building them takes, and how soon the pages of the commonest word are there.

The links are made up: each page links to fifty others near it. Analysis is told apart, since a build may spread it over
processes.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks import cache, machine, usage
from benchmarks.search_corpus import documents
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.document import SearchDocument
from opilio.search.views.build import ViewsBuild
from opilio.search.views.packing import Page, PagePacker
from opilio.search.views.questions import word
from opilio.search.views.reader import Views

MOST_WAIT = 100.0  # milliseconds
MOST_MEMORY = 500e6  # bytes above those of the pages, which a real build does not hold
MOST_SECONDS = 25.0  # of CPU, without analysis
_LINKS = 50
_TRIES = 50
_COMMON = 2_000  # the first words are among the commonest


def main() -> None:
    """Measure, and print it in the form of docs/measurements.md."""
    lines = run()
    print(f"\n{machine.line()}\n\n### views\n\n" + "\n".join(lines))


def run() -> list[str]:
    """Build whole and again from it, ask; lines of Markdown."""
    with tempfile.TemporaryDirectory(prefix="views-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        log = place / "output"
        used = usage.run([sys.executable, "-m", __name__, scratch], folder=Path.cwd(), log=log)
        if used.code:
            raise SystemExit(f"The views were not built:\n{log.read_text(errors='replace')[-2000:]}")
        told = log.read_text().splitlines()
        size = (place / "views.db").stat().st_size
        return [
            "| build | pages | words | analysis CPU s | the rest CPU s | peak above pages MB |",
            "|---|---|---|---|---|---|", *told,
            "", f"- file: {size / 1e6:,.0f} MB", *_asked(place / "views.db"),
        ]  # fmt: skip


def measure(place: Path) -> Iterator[str]:
    """What the measured process does: two builds, the second with one page in a hundred changed."""
    pages = documents()
    before = _memory()
    yield _built(place / "views.db", None, pages, before)
    changed = [_renewed(page) if number % 100 == 0 else page for number, page in enumerate(pages)]
    yield _built(place / "grown.db", place / "views.db", changed, before)


def _built(path: Path, earlier: Path | None, pages: list[SearchDocument], before: float) -> str:
    analyzer = Analyzer()
    packer = PagePacker(analyzer)
    dice = random.Random(1)
    urls = [page.url for page in pages]
    analysis = total = 0.0
    begun = time.process_time()
    with ViewsBuild(path, analyzer, earlier=earlier) as building:
        for number, page in enumerate(pages):
            digest = f"{number}-{len(page.text)}"
            if building.unchanged(page.url, digest):
                continue
            worked = time.process_time()
            packed = packer(Page(url=page.url, title=page.title, text=page.text, language="en", digest=digest))
            analysis += time.process_time() - worked
            building.add(packed)
            near = range(max(0, number - 500), min(len(urls), number + 500))
            building.link(page.url, [(urls[at], 1) for at in {dice.choice(near) for _ in range(_LINKS)}])
        report = building.finish()
    total = time.process_time() - begun - analysis
    kind = "whole" if earlier is None else "one page in 100 changed"
    memory = _memory() - before
    missed = "" if total <= MOST_SECONDS and memory <= MOST_MEMORY / 1e6 else " **not reached**"
    return f"| {kind} | {report.fetched:,} | {report.words:,} | {analysis:.1f} | {total:.1f} | {memory:.0f}{missed} |"


def _renewed(page: SearchDocument) -> SearchDocument:
    return SearchDocument(url=page.url, title=page.title, text=f"{page.text}\nrenewed", captured=page.captured)


def _memory() -> float:
    """Megabytes that this process has had at most."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1_000


def _asked(path: Path) -> list[str]:
    with Views(path) as views:
        common = max(islice(views.lexicon(), _COMMON), key=lambda row: views.frequency(row.id).distinct)
        times = []
        for _ in range(_TRIES):
            begun = time.perf_counter()
            answer = word(views, common.word, first=100)
            times.append((time.perf_counter() - begun) * 1_000)
        begun = time.perf_counter()
        streamed = sum(len(rows) for rows in views.pages_of(common.id))
        whole = (time.perf_counter() - begun) * 1_000
    slowest = max(times)
    missed = "" if slowest <= MOST_WAIT else " **not reached**"
    return [
        f"- first 100 of the {answer.pages:,} pages of “{common.word}” with positions: p50 "
        f"{sorted(times)[_TRIES // 2]:.1f} ms, slowest {slowest:.1f} ms (at most {MOST_WAIT:g}){missed}",
        f"- all {streamed:,} of them: {whole:.0f} ms",
    ]


if __name__ == "__main__":
    for told in measure(Path(sys.argv[1])):
        print(told, flush=True)

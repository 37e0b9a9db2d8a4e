"""Where the time goes in Opilio's one worker while it crawls the pages of the benchmark `crawl`, sampled by py-spy.

OPILIO_TEST_BENCH_SITES makes it smaller. Shares are of the samples in which a thread
was running; what libcurl, lexbor or SQLite do counts for the function that called them.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks import cache, machine, names
from benchmarks.crawl.documents import sites
from benchmarks.crawl.programs import Task, environment, opilio
from benchmarks.nginx import free_port, serving
from benchmarks.usage import cores, pinned, run

SITES = int(os.environ.get("OPILIO_TEST_BENCH_SITES", "16"))
_RATE = "250"  # samples per second
_TOP = 60
_ENGINE = ("(opilio/crawl/", "(opilio/extract/", "(opilio/archive/", "(opilio/kernel/")
#: Functions in which a thread only waits, though the sampler may take it for running on a busy machine.
_WAITING = ("_worker (concurrent/futures/thread.py)", "Condition.wait (threading.py)", "_run_safe_shutdown_loop (")


def main() -> None:
    """Crawl under the profiler, then print functions by own and by whole time."""
    documents, port, (own, other) = sites(SITES), free_port(), cores()
    py_spy = environment("py-spy", ("py-spy==0.4.3",)) / "bin" / "py-spy"
    with tempfile.TemporaryDirectory(prefix="profile-", dir=cache.folder("scratch")) as scratch:
        place = Path(scratch)
        before = names.prefix(names.hosts_file(place / "hosts", SITES))
        hosts = [names.name(site.number) if before else names.address(site.number) for site in documents]
        starts = [f"http://{host}:{port}{site.start}" for host, site in zip(hosts, documents, strict=True)]
        crawl = opilio(1)(Task(starts=starts, hosts=hosts, into=place))
        stacks = place / "stacks"
        watch = [str(py_spy), "record", "--rate", _RATE, "--format", "raw", "--output", str(stacks), "--threads", "--"]
        with serving(documents, port=port, folder=place / "server", log=place / "visits", core=other):
            run([*before, *watch, *pinned(crawl, own)], folder=place, log=place / "output")
        _tell(stacks.read_text().splitlines())


def _tell(lines: Iterable[str]) -> None:
    own, whole, threads = count(lines)
    total = max(1, sum(own.values()))
    print(f"\n{machine.line()}; {total:,} samples\n")
    print("\n".join(f"- {name}: {number / total:.1%}" for name, number in threads.most_common(6)))
    inside = Counter({name: number for name, number in whole.items() if any(part in name for part in _ENGINE)})
    for title, counted in (("own", own), ("whole", inside)):
        print(f"\n| {title} time | function |\n|---|---|")
        print("\n".join(f"| {number / total:.1%} | {name} |" for name, number in counted.most_common(_TOP)))


def count(lines: Iterable[str]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Samples by the function that ran, by each function on the stack, and by thread, from py-spy's raw form."""
    own: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    threads: Counter[str] = Counter()
    for line in lines:
        stack, _, number = line.rpartition(" ")
        thread, *frames = [_function(frame) for frame in stack.split(";")]
        if frames and any(name in frames[-1] for name in _WAITING):
            continue
        threads[thread] += int(number)
        own[frames[-1] if frames else thread] += int(number)
        for frame in set(frames):
            whole[frame] += int(number)
    return own, whole, threads


def _function(frame: str) -> str:
    """`name (path/file.py:12)` without the line, and with the path from the package on."""
    name, _, place = frame.partition(" (")
    if name == "thread":
        return frame
    path = place.rstrip(")").rpartition(":")[0] or place.rstrip(")")
    for root in ("/src/", "site-packages/"):
        path = path.rpartition(root)[2]
    return f"{name} ({path})" if place else name

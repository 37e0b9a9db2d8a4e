"""From what the crawlers used to what can be said about them: times per page, ratios, the pages each of them missed."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.usage import Usage
from benchmarks.visits import Visits

#: What issue and documentation promise: Opilio's CPU per page, so many times less than the peer's.
WANTED = {"Scrapy, as usual": 15.0, "Scrapy, lean": 4.0, "wget": 2.0}
OURS, OURS_TWICE = "Opilio", "Opilio, 2 workers"
MOST_FOR_TWO = 1.1  # CPU per page of two workers ÷ that of one


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One crawl of all sites by one program."""

    name: str
    does: str
    usage: Usage
    visits: Visits

    @property
    def per_page(self) -> float:
        """CPU milliseconds per HTML page."""
        return self.usage.cpu * 1000 / max(1, len(self.visits.pages))


def best(runs: Sequence[Run]) -> dict[str, Run]:
    """Of each program the run with the least CPU per page, in the order of the programs."""
    found: dict[str, Run] = {}
    for run in runs:
        if run.name not in found or run.per_page < found[run.name].per_page:
            found[run.name] = run
    return found


def table(runs: dict[str, Run]) -> list[str]:
    """The figures as a table."""
    ours = runs.get(OURS)
    lines = [
        "| crawler | does | pages | requests | MB | CPU s | CPU ms/page | ÷ Opilio | wall s | max RSS MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for run in runs.values():
        ratio = f"{run.per_page / ours.per_page:.2f}" if ours else "–"
        lines.append(
            f"| {run.name} | {run.does} | {len(run.visits.pages):,} | {run.visits.requests:,} "
            f"| {run.visits.bytes / 1e6:.0f} | {run.usage.cpu:.1f} | {run.per_page:.2f} | {ratio} "
            f"| {run.usage.wall:.1f} | {run.usage.rss / 1e6:.0f} |"
        )
    return lines


def promises(runs: dict[str, Run]) -> list[str]:
    """What was promised, what came of it."""
    ours = runs.get(OURS)
    if ours is None:
        return []
    lines = []
    for name, wanted in WANTED.items():
        if name in runs:
            ratio = runs[name].per_page / ours.per_page
            lines.append(
                f"- {name}: {ratio:.1f} times Opilio's CPU per page (wanted: {wanted:g}){_mark(ratio >= wanted)}"
            )
    if OURS_TWICE in runs:
        twice = runs[OURS_TWICE]
        ratio, wall = twice.per_page / ours.per_page, ours.usage.wall / twice.usage.wall
        lines.append(
            f"- two workers: {ratio:.2f} times the CPU per page of one (at most {MOST_FOR_TWO})"
            f"{_mark(ratio <= MOST_FOR_TWO)}; {wall:.2f} times as fast on two cores that they share with the server"
        )
    return lines


def differences(runs: dict[str, Run], examples: int = 3) -> list[str]:
    """For each program how many pages it missed that another one fetched, with examples."""
    union = frozenset().union(*(run.visits.pages for run in runs.values()))
    lines = [f"All together fetched {len(union):,} different HTML pages."]
    for run in runs.values():
        missed = sorted(union - run.visits.pages)
        if missed:
            lines.append(f"- {run.name} did not fetch {len(missed):,}, as {', '.join(missed[:examples])}")
    return lines


def _mark(kept: bool) -> str:
    return "" if kept else " **not reached**"

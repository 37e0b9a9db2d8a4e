"""Which limits a crawl has, how far it came under each, and when it will reach them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits, Seed, limit
from opilio.crawl.report.source import ReportSource, Section
from opilio.crawl.report.wording import fit
from opilio.kernel.hosts import host_key

_MOST = 200  # seeds or hosts that are listed


@dataclass(frozen=True, kw_only=True, slots=True)
class Eta:
    """When a limit will be reached at the present pace."""

    limit: str
    seconds: float


def limits_of(source: ReportSource, limits: Limits, counts: Counts) -> list[Section]:
    """Every limit that is set, with what counts under it; those of seeds and hosts where they were reached."""
    found = [
        {"limit": name, "most": most, "reached": round(reached), "hit": reached >= most}
        for name, most, reached in _whole(limits, counts)
    ]
    return found + _seeds(source.plan.seeds, counts.seeds) + _hosts(source, limits)


def etas(limits: Limits, counts: Counts, pace: Mapping[str, float]) -> list[Eta]:
    """Seconds to each limit of the whole crawl, the nearest first; `pace` is what is added per second, by name."""
    found = [
        Eta(limit=name, seconds=max(most - reached, 0) / pace[name])
        for name, most, reached in _whole(limits, counts)
        if pace.get(name, 0) > 0
    ]
    return sorted(found, key=lambda eta: eta.seconds)


def _whole(limits: Limits, counts: Counts) -> list[tuple[str, int, float]]:
    values = (
        ("pages", limit(limits.pages), float(counts.counted)),
        ("bytes", limit(limits.bytes), float(counts.bytes)),
        ("seconds", limit(limits.seconds), counts.seconds),
    )
    return [(name, most, reached) for name, most, reached in values if most is not None]


def _seeds(seeds: Sequence[Seed], counted: Mapping[int, int]) -> list[Section]:
    found: list[Section] = []
    for number, seed in enumerate(seeds):
        most = limit(seed.max_pages)
        if most is not None and counted.get(number, 0) >= most and len(found) < _MOST:
            name = f"pages of the seed {fit(seed.url)}"
            found.append({"limit": name, "most": most, "reached": counted[number], "hit": True})
    return found


def _hosts(source: ReportSource, limits: Limits) -> list[Section]:
    found: list[Section] = []
    for name, column, most in (
        ("pages", "sum(counted)", limit(limits.pages_per_host)),
        ("bytes", "sum(size)", limit(limits.bytes_per_host)),
    ):
        if most is None:
            continue
        words = f"SELECT min(url), {column} FROM {{page}} GROUP BY host HAVING {column} >= ? ORDER BY 2 DESC LIMIT ?"  # noqa: S608 - ours
        found += [
            {"limit": f"{name} of the host {host_key(url)}", "most": most, "reached": int(reached), "hit": True}
            for url, reached in source.ask(words, (most, _MOST))
        ]
    return found

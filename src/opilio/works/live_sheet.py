"""The sheet of a running harvest, which everybody who watches it reads: made of a look at its crawl, bounded.

Texts that others chose (URLs, reasons, lines of the log) are cut, and what could not be seen in them is spelt out.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from opilio.crawl.frontier.rows import Counts
from opilio.crawl.outcomes import NOT_ASKED
from opilio.crawl.report.limits import etas
from opilio.crawl.report.live import HostLook, Look, UrlLook
from opilio.crawl.report.wording import fit
from opilio.works import live_plot
from opilio.works.live_plot import Mark, Point

MOST_BYTES = 64 * 1024
MOST_LINES = 50
_MOST_KINDS = 12
_URL, _REASON, _HOST, _LINE = 300, 200, 120, 300  # characters
#: What is made shorter when a sheet is too long, in this order.
_SHORTENED = ("log", "recent", "hosts", "pictures", "points")


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """What lies beside the crawl store."""

    log: Sequence[str] = ()  # last lines, oldest first
    pictures: Sequence[tuple[str, float]] = ()  # pages of which a picture was taken, and when


@dataclass(kw_only=True)
class LiveSheet:
    """Makes the sheets of one harvest, one after the other; goes on from the points of an earlier agent."""

    points: tuple[Point, ...] = ()
    _before: Mark | None = field(default=None)

    def taken(self, look: Look, beside: Beside) -> str:
        """The sheet of this moment, as JSON."""
        mark = Mark(at=look.at, urls=_asked(look.counts), bytes=look.counts.bytes)
        self.points = live_plot.grown(self.points, self._before, mark)
        self._before = mark
        return written(_sheet(look, self.points, beside))


def points_of(text: str) -> tuple[Point, ...]:
    """The points of a sheet that was stored; none when it cannot be read."""
    return live_plot.unpacked(read(text).get("points"))


def read(text: str) -> dict[str, Any]:
    """A sheet that was stored; empty when it cannot be read."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def closed(text: str) -> str:
    """What stays of the last sheet when the harvest has ended: how it went, not what it did last."""
    kept = {**read(text), "rates": {"urls": 0, "bytes": 0}, "hosts": [], "recent": [], "log": [], "etas": []}
    return written(kept)


def written(sheet: Mapping[str, Any]) -> str:
    """As JSON of a bounded length; what is too long loses its oldest half, again and again."""
    found = dict(sheet)
    text = _dumped(found)
    for name in _SHORTENED:
        while len(text.encode()) > MOST_BYTES and found.get(name):
            kept = found[name]
            half = len(kept) // 2
            found[name] = kept[len(kept) - half :] if name in ("log", "points") else kept[:half]
            text = _dumped(found)
    return text


def _dumped(sheet: Mapping[str, Any]) -> str:
    return json.dumps(sheet, ensure_ascii=False, separators=(",", ":"))


def _sheet(look: Look, points: Sequence[Point], beside: Beside) -> dict[str, Any]:
    counts = look.counts
    urls, size = live_plot.pace(points)
    counting = urls * counts.counted / max(_asked(counts), 1)  # not every URL counts under the limit of pages
    return {
        "at": round(look.at, 1),
        "rates": {"urls": round(urls, 2), "bytes": round(size)},
        "counts": {
            "waiting": counts.waiting, "pages": counts.pages, "bytes": counts.bytes, "seconds": round(counts.seconds),
            "hosts": counts.hosts, "workers": counts.workers,
        },
        "outcomes": _largest(counts.outcomes),
        "statuses": _largest({str(status): number for status, number in counts.statuses.items()}),
        "types": _largest(counts.types),
        "etas": [
            {"limit": eta.limit, "seconds": round(eta.seconds)}
            for eta in etas(look.limits, counts, {"pages": counting, "bytes": size, "seconds": 1.0})
        ],
        "hosts": [_host(host) for host in look.hosts],
        "recent": [_url(one) for one in look.recent],
        "log": [fit(line, _LINE) for line in beside.log[-MOST_LINES:]],
        "pictures": [{"url": url, "at": round(at, 3)} for url, at in beside.pictures if fit(url, _URL) == url],
        "points": live_plot.packed(points),
    }  # fmt: skip


def _asked(counts: Counts) -> int:
    """URLs for which the server was asked; those that were left out are recorded by the hundred at once."""
    return counts.pages - sum(counts.outcomes.get(name, 0) for name in NOT_ASKED)


def _largest(counts: Mapping[str, int]) -> dict[str, int]:
    rows = sorted(((name, number) for name, number in counts.items() if number), key=lambda row: (-row[1], row[0]))
    return {fit(name, _HOST): number for name, number in rows[:_MOST_KINDS]}


def _host(host: HostLook) -> dict[str, Any]:
    """One host; seconds count from the moment of the sheet."""
    return {
        "name": fit(host.name, _HOST), "due": round(host.due, 1), "resting": round(host.resting, 1),
        "delay": round(host.delay, 1), "failures": host.failures, "errors": host.errors, "pages": host.pages,
    }  # fmt: skip


def _url(one: UrlLook) -> dict[str, Any]:
    return {
        "url": fit(one.url, _URL), "whole": len(one.url) <= _URL, "outcome": fit(one.outcome, _HOST),
        "reason": fit(one.reason, _REASON), "status": one.status, "bytes": one.size, "ms": one.ms,
        "at": round(one.at, 1),
    }  # fmt: skip

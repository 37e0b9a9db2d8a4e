"""What a crawl looks like while it runs, cheap enough to be asked every second."""

from collections.abc import Sequence
from dataclasses import dataclass

from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits
from opilio.crawl.report.source import ReportSource

_MOST_HOSTS = 20
_MOST_RECENT = 30
_TOO_MANY = 50_000  # hosts; sorting more every second would slow the crawl down
_HOSTS = """
    SELECT name, next_due, block_until, broken_until, delay, failures, errors, pages FROM {host}
    ORDER BY CASE WHEN block_until > ? OR broken_until > ? THEN 0 ELSE 1 END, errors DESC, pages DESC, id LIMIT ?
"""
# Numbers of pages rise with each commit, so this reads the end of their key.
_RECENT = "SELECT url, outcome, reason, status, size, ms, at FROM {page} ORDER BY id DESC LIMIT ?"


@dataclass(frozen=True, kw_only=True, slots=True)
class HostLook:
    """One host; times are seconds from now."""

    name: str
    due: float  # until it may be asked again; 0: now
    resting: float  # of which because the server asked for it, or the circuit breaker did; 0: not at all
    delay: float
    failures: int  # in a row
    errors: int
    pages: int


@dataclass(frozen=True, kw_only=True, slots=True)
class UrlLook:
    """A URL that was recorded a moment ago."""

    url: str
    outcome: str
    reason: str
    status: int | None  # None: there was no answer
    size: int  # bytes
    ms: int
    at: float  # 0: it was not asked for


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """The state of a crawl at one moment."""

    at: float
    counts: Counts
    limits: Limits
    hosts: Sequence[HostLook] = ()  # resting ones first, then those with the most errors and pages
    recent: Sequence[UrlLook] = ()  # the last ones that were recorded, newest first


def look_at(source: ReportSource, limits: Limits, now: float) -> Look:
    """Counts, the hosts that matter most, and the last URLs."""
    counts = source.counts(now)
    rows = source.ask(_HOSTS, (now, now, _MOST_HOSTS)) if counts.hosts <= _TOO_MANY else []
    hosts = [
        HostLook(
            name=name,
            due=max(next_due, block, broken, now) - now,
            resting=max(block, broken, now) - now,
            delay=delay,
            failures=failures,
            errors=errors,
            pages=pages,
        )
        for name, next_due, block, broken, delay, failures, errors, pages in rows
    ]
    return Look(at=now, counts=counts, limits=limits, hosts=hosts, recent=_recent(source))


def _recent(source: ReportSource) -> list[UrlLook]:
    return [
        UrlLook(url=url, outcome=outcome, reason=reason or "", status=status, size=size, ms=ms, at=at)
        for url, outcome, reason, status, size, ms, at in source.ask(_RECENT, (_MOST_RECENT,))
    ]

"""What a crawl came to, as one document: numbers, broken links with the pages that link to them, denials, limits."""

import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

from opilio.crawl.engine.ending import Ended
from opilio.crawl.frontier.rows import Page
from opilio.crawl.frontier.store import CrawlStore
from opilio.crawl.outcomes import Outcome

REPORT_VERSION = 1
_MOST_BROKEN = 10_000  # links
_MOST_HOSTS = 1_000
_MOST_LISTED = 200


def report_of(store: CrawlStore, *, now: float, ended: Ended | None = None) -> dict[str, Any]:
    """The report, made from committed rows; it may be asked for while the crawl runs."""
    counts = store.counts(now)
    return {
        "version": REPORT_VERSION,
        "ended": ended.ending.value if ended else None,
        "limit": ended.limit if ended else "",
        "seconds": round(counts.seconds, 3),
        "pages": counts.pages,
        "counted": counts.counted,
        "bytes": counts.bytes,
        "waiting": counts.waiting,
        "hosts": counts.hosts,
        "pages_per_second": round(counts.pages / counts.seconds, 2) if counts.seconds else None,
        "outcomes": dict(counts.outcomes),
        "statuses": {str(status): number for status, number in counts.statuses.items()},
        "types": dict(counts.types),
        "seeds": [
            {"url": seed.url, "pages": counts.seeds.get(number, 0)} for number, seed in enumerate(store.plan.seeds)
        ],
        "by_host": _hosts(store),
        "denials": _denials(store, dict(counts.denials)),
        "broken_links": [
            {"parent": parent, "url": url} for parent, url in itertools.islice(store.broken_links(), _MOST_BROKEN)
        ],
        "largest": _largest(store.pages()),
        "troubles": _troubles(store),
        "counters": dict(counts.others),
    }


def _hosts(store: CrawlStore) -> list[dict[str, Any]]:
    hosts = itertools.islice(store.hosts(), _MOST_HOSTS)
    return [
        {"host": host.name, "pages": host.pages, "bytes": host.bytes, "errors": host.errors, "delay": host.delay}
        for host in hosts
    ]


def _denials(store: CrawlStore, counts: dict[str, int]) -> list[dict[str, Any]]:
    examples: dict[str, list[dict[str, str]]] = {}
    for denial in store.denials():
        examples.setdefault(denial.rule, []).append({"url": denial.url, "parent": denial.parent})
    rules = sorted({*counts, *examples})
    return [{"rule": rule, "count": counts.get(rule, 0), "examples": examples.get(rule, [])} for rule in rules]


def _largest(pages: Iterable[Page]) -> list[dict[str, Any]]:
    largest: Counter[str] = Counter()
    for page in pages:
        largest[page.url] = page.size
        if len(largest) > 1_000:
            largest = Counter(dict(largest.most_common(20)))
    return [{"url": url, "bytes": size} for url, size in largest.most_common(20)]


def _troubles(store: CrawlStore) -> list[dict[str, Any]]:
    """URLs with an outcome that somebody should look at, each outcome up to a limit."""
    wanted = (outcome for outcome in Outcome if outcome not in (Outcome.FETCHED, Outcome.REDIRECTED, Outcome.UNCHANGED))
    return [
        {"url": page.url, "outcome": outcome.value, "reason": page.reason, "status": page.status}
        for outcome in wanted
        for page in itertools.islice(store.pages(outcome=outcome), _MOST_LISTED)
    ]

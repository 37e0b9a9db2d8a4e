"""What a crawl's store tells afterwards, or while it runs: the report, and the story of one URL."""

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from opilio.crawl.frontier.rows import Page, Story
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.report import report_of
from opilio.crawl.robots_cache import from_store
from opilio.crawl.scope.chain import ScopeChain
from opilio.crawl.scope.verdict import Candidate
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.urls import canonical
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.sealed_crawl import SealedCrawl, results_of


def report(folder: Path, address: StoreAddress | None = None, clock: Clock = SYSTEM) -> dict[str, Any]:
    """The report as of now; of a sealed crawl, as it was sealed."""
    with contextlib.closing(records_of(folder, address)) as store:
        if isinstance(store, SealedCrawl):
            return store.report()
        return report_of(store, now=clock.now().timestamp(), limits=store.control().limits)


def explain(folder: Path, url: str, address: StoreAddress | None = None, clock: Clock = SYSTEM) -> dict[str, Any]:
    """All that is known about a URL; for one that was never accepted, what the scope says of it."""
    with contextlib.closing(records_of(folder, address)) as store:
        key = canonical(url, store.plan.scope.query)
        story = store.story(key)
        told: dict[str, Any] = {"url": key, "state": _state(story)}
        told |= _way(story, store.plan)
        if story.page is not None:
            told |= _page(story.page)
        elif story.waiting is not None:
            told |= {"tries": story.waiting.tries, "not_before": _time(story.waiting.not_before)}
        else:
            told["scope"] = _verdicts(key, store.plan, clock)
        if story.robots:
            told["robots_txt"] = _robots(story.robots)
        return told


def records_of(folder: Path, address: StoreAddress | None) -> SqlStore | SealedCrawl:
    """The result of a sealed crawl, else its store."""
    place = CrawlFolder(folder)
    results = results_of(place)
    return SealedCrawl(results.result) if results.whole else place.open(address or StoreAddress(), read_only=True)


def _state(story: Story) -> str:
    if story.page is not None:
        return "recorded" if story.waiting is None else "recorded, and waiting again"
    return "waiting" if story.waiting is not None else "never accepted, or never found"


def _way(story: Story, plan: CrawlPlan) -> dict[str, Any]:
    ways = [
        {"seed": plan.seeds[label.seed].url, "depth": label.depth, "embed_hops": label.hops} for label in story.labels
    ]
    return {"ways": ways, "parents": list(story.parents)} if ways else {}


def _page(page: Page) -> dict[str, Any]:
    place = page.place
    found = {
        "outcome": page.outcome.value if page.outcome else None,
        "meaning": page.outcome.sentence if page.outcome else "Its record was lost; it is to be fetched again.",
        "reason": page.reason,
        "status": page.status,
        "type": page.type,
        "extension": page.extension,
        "title": page.title,
        "language": page.language,
        "size": page.size,
        "last_modified": page.last_modified,
        "digest": page.digest,
        "fetched": _time(page.at),
        "milliseconds": page.ms,
        "tries": page.tries,
        "path": page.path,
        "robots_line": page.robots,
        "record": f"{place.file} at {place.offset}, {place.length} bytes" if place else "",
        "body": f"in the capture of {page.original.url}, {_time(page.original.at)}" if page.original else "",
    }
    return {name: value for name, value in found.items() if value not in ("", None)}


def _robots(evidence: str) -> str:
    """How the host's robots.txt came about, with times for people."""
    record = from_store(evidence, b"", 0.0)
    if record is None:
        return evidence
    failing = f", failing since {_time(record.since)}" if record.since else ""
    return f"{record.found}: {record.sentence}, fetched {_time(record.fetched)}{failing}"


def _verdicts(url: str, plan: CrawlPlan, clock: Clock) -> list[dict[str, Any]]:
    """What the scope says of a link to it from a page one link below each seed's limit."""
    chain = ScopeChain(plan, today=clock.now().date())
    found = []
    for number, seed in enumerate(plan.seeds[:100]):
        candidate = Candidate(url=url, seed=number, depth=min(1, seed.depth or 0))
        verdict = chain.judge(candidate)
        found.append({"seed": seed.url, "accepted": verdict.accepted, "rule": verdict.rule, "reason": verdict.reason})
    return found


def _time(seconds: float) -> str | None:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds") if seconds else None

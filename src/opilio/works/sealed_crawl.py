"""A sealed crawl, read from its result: it answers what its crawl store answered, in the same words."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio.archive.results.reader import ResultReader
from opilio.archive.results.values import Resource, ResultHost
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.rows import Page, Story
from opilio.crawl.frontier.values import Host, Kept
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import from_json
from opilio.kernel.files import mapped, sync_folder
from opilio.kernel.hosts import host_key
from opilio.kernel.page_text import PageText
from opilio.kernel.urls import canonical
from opilio.works.crawl_folder import CrawlFolder


@dataclass(frozen=True, kw_only=True, slots=True)
class Results:
    """Where the first result of a crawl lies."""

    result: Path
    manifest: Path

    @property
    def whole(self) -> bool:
        """Whether it was written to its end; the manifest comes last."""
        return self.result.is_file() and self.manifest.is_file()

    def discard(self) -> None:
        """Remove what a sealing left that did not come to its end, before the crawl goes on."""
        with mapped(self.result):
            for path in (self.manifest, self.result):
                if path.exists():
                    path.unlink()
                    sync_folder(path.parent)


def results_of(place: CrawlFolder) -> Results:
    """The places of result 1."""
    folder = place.path / "results"
    return Results(result=folder / "result-1.db", manifest=folder / "result-1.sha256")


class SealedCrawl:
    """The records of a sealed crawl."""

    sealed = True

    def __init__(self, path: Path) -> None:
        self._result = ResultReader(path)
        self._plan = from_json(self._result.head.plan)

    @property
    def plan(self) -> CrawlPlan:
        """What was asked for."""
        return self._plan

    def report(self) -> dict[str, Any]:
        """The report that was sealed."""
        return dict(self._result.head.report)

    def pages(self, *, after: int = -1) -> Iterator[Page]:
        """Pages by number; those behind a number, if one is named."""
        return map(_page, self._result.resources(after=after))

    def page_text(self, digest: str) -> PageText | None:
        """The text of a payload with what is known about it."""
        return self._result.page_text(digest)

    def page(self, url: str) -> Page | None:
        """The page of one URL."""
        found = self._result.resource(canonical(url, self._plan.scope.query))
        return _page(found) if found else None

    def story(self, url: str) -> Story:
        """All that is known about one URL."""
        key = canonical(url, self._plan.scope.query)
        found, host = self._result.resource(key), self._result.host_named(host_key(key))
        told = Story(url=key, host=_host(host) if host else None, robots=host.robots if host else "")
        if found is None:
            return told
        return Story(
            url=key,
            labels=tuple(Label(*way) for way in self._result.ways(found)),
            page=_page(found),
            host=told.host,
            robots=told.robots,
            parents=self._result.parents(found),
        )

    def close(self) -> None:
        """Let go of the file."""
        self._result.close()


def _host(host: ResultHost) -> Host:
    return Host(
        id=host.id, name=host.name, delay=host.delay, pages=host.pages, bytes=host.bytes, errors=host.errors
    )  # fmt: skip


def _page(found: Resource) -> Page:
    return Page(
        id=found.id, host=found.key[0], hash64=found.key[1], url=found.url, seed=found.seed,
        outcome=Outcome(found.outcome), reason=found.reason, status=found.status, type=found.type,
        extension=found.extension, size=found.size, digest=found.digest, title=found.title, language=found.language,
        meta=found.meta, last_modified=found.last_modified, etag=found.etag, depth=found.depth, hops=found.hops,
        parent_key=found.parent, path=found.path, place=found.place, epoch=0, ms=found.ms, tries=found.tries,
        robots=found.robots, at=found.at, counted=found.counted,
        original=Kept(found.original_at, found.original_url) if found.original_at is not None else None,
    )  # fmt: skip

"""A page of a crawl store as a resource of a result. Pure."""

from opilio.archive.results.values import Resource
from opilio.crawl.frontier.rows import Page
from opilio.crawl.outcomes import Outcome


def resource_of(page: Page, reason: str = "") -> Resource:
    """The resource; `reason` is told of a page whose record was lost and that was not fetched again."""
    lost = page.outcome is None
    return Resource(
        id=page.id, key=(page.host, page.hash64), url=page.url, seed=page.seed,
        outcome=(page.outcome or Outcome.OVER_LIMIT).value, reason=reason if lost else page.reason, status=page.status,
        type=page.type, extension=page.extension, size=page.size, digest=page.digest, title=page.title,
        language=page.language, meta=page.meta, last_modified=page.last_modified, etag=page.etag, depth=page.depth,
        hops=page.hops, parent=page.parent_key, path=page.path, place=page.place, ms=page.ms, tries=page.tries,
        robots=page.robots, at=page.at, counted=page.counted,
        original_url=page.original.url if page.original else "",
        original_at=page.original.at if page.original else None,
    )  # fmt: skip

"""The pages of a result in parts, by number: what readers open, not what pages are made of."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.values import Resource
from opilio.archive.results.view import ResultView
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan_json import from_json

_WINDOW = 50_000  # resources that one look goes through
_TYPES = frozenset({"html", "pdf", "office", "text"})
_SHOWN = frozenset(outcome.value for outcome in Outcome if outcome.captured) - {Outcome.REDIRECTED.value}


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultPage:
    """A page of a result."""

    number: int
    url: str
    title: str
    type: str
    status: int | None
    outcome: str
    reason: str
    size: int
    at: float  # seconds since 1970
    depth: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PagePart:
    """A part of the pages."""

    pages: list[ResultPage]
    next: int | None  # where the list goes on; None: it ends here
    whole: bool = True  # False: the look ended before the part was full


@contextlib.contextmanager
def opened(folder: Path, number: int) -> Iterator[ResultView]:
    """A result for the length of a block."""
    with ResultView(ResultsFolder(folder), number) as view:
        yield view


def seeds_of(view: ResultView) -> list[str]:
    """Where its crawl began."""
    return [seed.url for seed in from_json(view.plan).seeds if seed.active]


def pages(view: ResultView, *, text: str = "", after: int = -1, most: int = 50) -> PagePart:
    """Pages behind a number, those with a text in their URL or title; a look ends after some thousand resources."""
    found: list[ResultPage] = []
    last = after
    for looked, resource in enumerate(view.resources(after=after)):
        if looked >= _WINDOW or len(found) > most:
            break
        last = resource.id
        if is_page(resource) and _fits(resource, text.casefold()):
            found.append(_page(resource))
    else:
        return PagePart(pages=found, next=None) if len(found) <= most else _cut(found, most)
    return _cut(found, most) if len(found) > most else PagePart(pages=found, next=last, whole=False)


def page(view: ResultView, url: str) -> ResultPage | None:
    """One page by its canonical URL; None when the result has no such page."""
    found = view.resource(url)
    return _page(found) if found is not None and is_page(found) else None


def all_pages(view: ResultView, *, text: str = "") -> Iterator[ResultPage]:
    """Every page, for files that are kept."""
    needle = text.casefold()
    return (_page(one) for one in view.resources() if is_page(one) and _fits(one, needle))


def is_page(resource: Resource) -> bool:
    """Whether readers may open it."""
    return resource.place is not None and resource.type in _TYPES and resource.outcome in _SHOWN


def _fits(resource: Resource, needle: str) -> bool:
    return not needle or needle in resource.url.casefold() or needle in resource.title.casefold()


def _cut(found: list[ResultPage], most: int) -> PagePart:
    return PagePart(pages=found[:most], next=found[most - 1].number)


def _page(one: Resource) -> ResultPage:
    return ResultPage(
        number=one.id, url=one.url, title=one.title, type=one.type, status=one.status, outcome=one.outcome,
        reason=one.reason, size=one.size, at=one.at, depth=one.depth,
    )  # fmt: skip

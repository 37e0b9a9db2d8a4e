"""The pages of a result with what reviewers said about them, from its files on this machine."""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from opilio.archive.results.view import ResultView
from opilio.curation.harvest_folders import folder_of
from opilio.curation.missing_urls import key_of
from opilio.curation.models import PageVerdict, Result
from opilio.curation.queries.page_verdicts import of_result
from opilio.curation.result_places import require_here
from opilio.curation.result_workflow import WHOLE
from opilio.people.actor import Actor
from opilio.works import result_pages
from opilio.works.harvest_records import NothingHere
from opilio.works.result_pages import ResultPage

#: Columns of exports, in their order.
COLUMNS = ("number", "url", "title", "type", "status", "outcome", "size", "fetched", "verdicts", "notes")
_PORTION = 500  # verdicts that are looked up at a time


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A page, and what was said about it."""

    page: ResultPage
    verdicts: Sequence[PageVerdict] = ()

    @property
    def fetched(self) -> datetime.datetime | None:
        """When it was fetched."""
        return datetime.datetime.fromtimestamp(self.page.at, datetime.UTC) if self.page.at else None


@dataclass(frozen=True, kw_only=True)
class JudgedPart:
    """A part of the pages of a result."""

    rows: list[Judged]
    next: int | None
    whole: bool


@contextmanager
def opened(row: Result) -> Iterator[ResultView]:
    """The files of a result for the length of a block; `NothingHere` with why where there are none."""
    if row.state not in WHOLE:
        remedy = "Wait until it is made; the page of the result says how far it is."
        raise NothingHere(f"The files of {row} are not there", where=f"result {row.number}", remedy=remedy)
    require_here(row)
    with result_pages.opened(folder_of(row.harvest_id, captures=False).path, row.number) as view:
        yield view


def seeds(row: Result) -> list[str]:
    """Where the crawl of a result began."""
    with opened(row) as view:
        return result_pages.seeds_of(view)


def part(actor: Actor, row: Result, *, text: str = "", after: int = -1, most: int = 50) -> JudgedPart:
    """Pages behind a number."""
    with opened(row) as view:
        found = result_pages.pages(view, text=text, after=after, most=most)
    return JudgedPart(rows=_judged(actor, row, found.pages), next=found.next, whole=found.whole)


def with_verdict(actor: Actor, row: Result, verdict: str, *, most: int = 500) -> JudgedPart:
    """Pages about which somebody said this."""
    said = of_result(actor, row).filter(verdict=verdict).order_by("id")
    urls = list(dict.fromkeys(said.values_list("url", flat=True)[: most + 1]))
    with opened(row) as view:
        found = [page for url in urls[:most] if (page := result_pages.page(view, url)) is not None]
    return JudgedPart(rows=_judged(actor, row, found), next=None, whole=len(urls) <= most)


def one(actor: Actor, row: Result, url: str) -> Judged | None:
    """One page by its URL."""
    with opened(row) as view:
        found = result_pages.page(view, url)
    return _judged(actor, row, [found])[0] if found is not None else None


def exported(actor: Actor, row: Result, *, text: str = "") -> Iterator[dict[str, Any]]:
    """All pages, for a file."""
    with opened(row) as view:
        held: list[ResultPage] = []
        for page in result_pages.all_pages(view, text=text):
            held.append(page)
            if len(held) >= _PORTION:
                yield from map(told, _judged(actor, row, held))
                held = []
        yield from map(told, _judged(actor, row, held))


def told(one: Judged) -> dict[str, Any]:
    """A page as exports and the API tell it."""
    page = one.page
    return {
        "number": page.number, "url": page.url, "title": page.title, "type": page.type, "status": page.status,
        "outcome": page.outcome, "size": page.size, "fetched": one.fetched.isoformat() if one.fetched else "",
        "verdicts": " ".join(f"{said.by.username}:{said.verdict or 'note'}" for said in one.verdicts),
        "notes": " | ".join(said.note for said in one.verdicts if said.note),
    }  # fmt: skip


def _judged(actor: Actor, row: Result, pages: Iterable[ResultPage]) -> list[Judged]:
    wanted = list(pages)
    said: dict[str, list[PageVerdict]] = {}
    keys = [key_of(page.url) for page in wanted]
    for start in range(0, len(keys), _PORTION):
        for verdict in of_result(actor, row).filter(key__in=keys[start : start + _PORTION]).order_by("id"):
            said.setdefault(verdict.key, []).append(verdict)
    return [Judged(page=page, verdicts=said.get(key, ())) for page, key in zip(wanted, keys, strict=True)]

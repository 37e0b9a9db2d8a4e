"""How the seeds of a sealed harvest were answered: redirects step by step, the last answer, and what its page says."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from opilio.crawl.frontier.rows import Page
from opilio.crawl.outcomes import Outcome
from opilio.kernel.urls import canonical
from opilio.works.run_harvest import HarvestFolder
from opilio.works.sealed_crawl import SealedCrawl, results_of

MOST_SEEDS = 500  # of one harvest that are looked at
_MOST_STEPS = 20
_WORDS = 6_000  # characters of a page's text
_TO = "to "


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """A redirect."""

    status: int
    to: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SeedFacts:
    """What became of one seed."""

    url: str
    outcome: str = ""  # of the last URL that was asked for; empty: it was not met
    reason: str = ""
    status: int | None = None
    steps: tuple[Step, ...] = ()
    title: str = ""
    text: str = ""

    @property
    def last(self) -> str:
        """Where the seed leads."""
        return self.steps[-1].to if self.steps else self.url


def seed_facts(folder: HarvestFolder) -> list[SeedFacts]:
    """The active seeds of a sealed harvest."""
    with contextlib.closing(SealedCrawl(results_of(folder.crawl).result)) as sealed:
        active = [seed.url for seed in sealed.plan.seeds if seed.active]
        return [_facts(sealed, url) for url in active[:MOST_SEEDS]]


def _facts(sealed: SealedCrawl, url: str) -> SeedFacts:
    start = canonical(url, sealed.plan.scope.query)
    way = list(_way(sealed, start))
    steps = tuple(Step(status=page.status or 0, to=_to(page)) for page in way if page.outcome is Outcome.REDIRECTED)
    last = way[-1] if way else None
    if last is None or last.outcome is None or last.outcome is Outcome.REDIRECTED:
        return SeedFacts(url=url, steps=steps)
    text = sealed.page_text(last.digest) if last.digest else None
    return SeedFacts(
        url=url, outcome=last.outcome.value, reason=last.reason, status=last.status, steps=steps, title=last.title,
        text=text.text[:_WORDS] if text else "",
    )  # fmt: skip


def _way(sealed: SealedCrawl, url: str) -> Iterator[Page]:
    passed: set[str] = set()
    while url not in passed and len(passed) <= _MOST_STEPS and (page := sealed.page(url)) is not None:
        passed.add(url)
        yield page
        if page.outcome is not Outcome.REDIRECTED:
            return
        url = _to(page)


def _to(page: Page) -> str:
    return page.reason.partition(";")[0].removeprefix(_TO)

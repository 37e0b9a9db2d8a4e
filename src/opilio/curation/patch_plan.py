"""The plan of a patch: only the URLs that are missing, within the scope, manners and rights of the harvest. Pure."""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from opilio.crawl.plan import CrawlPlan, ScopeKind, Seed
from opilio.crawl.scope.chain import ScopeChain
from opilio.crawl.scope.verdict import Candidate
from opilio.kernel.capture import Hop
from opilio.kernel.hosts import registrable_domain
from opilio.kernel.urls import parse

_MOST_SEEDS = 50  # of the harvest that are asked about one URL


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A URL that is to be fetched."""

    url: str  # canonical
    embedded: bool = False  # whether a page asks for it as a part of itself


@dataclass(frozen=True, kw_only=True)
class PatchPlan:
    """What is fetched, and what may not be."""

    plan: CrawlPlan | None  # None: nothing of it may be fetched
    refused: dict[str, str]  # URL → why


def patch_plan(
    frozen: CrawlPlan, urls: Iterable[Asked], *, embeds: bool, today: datetime.date, forbidden: Sequence[str] = ()
) -> PatchPlan:
    """The plan of the harvest cut down to some URLs; `forbidden` is what permissions exclude by now."""
    scope = replace(frozen.scope, forbidden=tuple(dict.fromkeys((*frozen.scope.forbidden, *forbidden))))
    within = _Within(replace(frozen, scope=scope), today)
    seeds: dict[str, Seed] = {}
    refused: dict[str, str] = {}
    for asked in urls:
        seed, reason = within.seed_of(asked)
        if seed is None:
            refused[asked.url] = reason
        else:
            seeds.setdefault(asked.url, _as_seed(asked.url, seed))
    made = _cut(replace(frozen, scope=scope), tuple(seeds.values()), embeds=embeds) if seeds else None
    return PatchPlan(plan=made, refused=refused)


class _Within:
    """The scope of the harvest, asked about single URLs."""

    def __init__(self, plan: CrawlPlan, today: datetime.date) -> None:
        self._plan = plan
        self._chain = ScopeChain(plan, today=today)
        self._by_domain: dict[str, list[int]] = {}
        for number, seed in enumerate(plan.seeds):
            if seed.active:
                self._by_domain.setdefault(_domain(seed.url), []).append(number)
        self._first = next(number for number, seed in enumerate(plan.seeds) if seed.active)

    def seed_of(self, asked: Asked) -> tuple[Seed | None, str]:
        """The seed of the harvest to which a URL belongs, or why it belongs to none."""
        reason = ""
        for candidate in self._candidates(asked):
            verdict = self._chain.judge(candidate)
            if verdict.accepted:
                return self._plan.seeds[candidate.seed], ""
            reason = reason or verdict.reason or verdict.rule
        return None, f"It is not in the scope of the harvest: {reason}."

    def _candidates(self, asked: Asked) -> Iterator[Candidate]:
        numbers = [*self._by_domain.get(_domain(asked.url), ())[:_MOST_SEEDS], self._first]
        for number in dict.fromkeys(numbers):
            yield Candidate(url=asked.url, seed=number, depth=0)
        if asked.embedded:
            yield Candidate(url=asked.url, seed=numbers[0], depth=0, embed_hops=1, hop=Hop.EMBED)


def _as_seed(url: str, of: Seed) -> Seed:
    same = _domain(url) == _domain(of.url)  # what is secret or odd goes to the site that it was made for
    return Seed(
        url=url, depth=0, append=of.append if same else "", credential=of.credential if same else "",
        logout=of.logout if same else "",
    )  # fmt: skip


def _cut(frozen: CrawlPlan, seeds: tuple[Seed, ...], *, embeds: bool) -> CrawlPlan:
    hops = frozen.scope.max_embed_hops if embeds else 0
    return replace(
        frozen,
        seeds=seeds,
        scope=replace(frozen.scope, kind=ScopeKind.PAGE, surts=(), max_embed_hops=hops, widen_by_redirect=True),
        limits=replace(frozen.limits, pages=None, pages_per_host=None),
        fetch=replace(frozen.fetch, since=""),
        extract=replace(frozen.extract, sitemaps=False, forms=False),
        warc=replace(frozen.warc, revisits=False, duplicates=False),
    )


def _domain(url: str) -> str:
    host = parse(url).host
    return registrable_domain(host) or host

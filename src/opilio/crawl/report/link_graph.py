"""What one walk through all links of a crawl shows: broken links with the pages that hold them, orphans, hosts outside.

URLs are kept as hashes of eight bytes, some 70 bytes each in memory; beyond a million of a kind the walk stops counting
and says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from opilio.crawl.frontier.packing import outlink_lines
from opilio.crawl.outcomes import Outcome
from opilio.crawl.report.outside import Outside
from opilio.crawl.report.questions import MOST_LISTED
from opilio.crawl.report.source import ReportSource, Section, listed
from opilio.crawl.report.wording import fit

MOST_KEPT = 1_000_000  # URLs of one kind
MOST_BROKEN = 1_000  # that are listed
MOST_PARENTS = 10  # pages that are listed for each
_PORTION = 500  # URLs read at a time
_PACKED = 50  # pages whose outlinks are read at a time; one may hold megabytes
_BROKEN = ", ".join(f"'{outcome.value}'" for outcome in Outcome if outcome.broken)
#: Pages that a sitemap led to; whoever else links to them is found by the walk.
_FROM_SITEMAPS = """
    FROM {page} AS p JOIN {page} AS s ON s.host = p.parent_host AND s.hash64 = p.parent_hash
    WHERE s.type = 'sitemap' AND p.type <> 'sitemap' AND p.hops = 0
        AND p.outcome IN ('fetched', 'unchanged', 'duplicate')
"""
_LINKS = """
    SELECT o.page, p.url, p.type, o.body FROM {outlinks} AS o JOIN {page} AS p ON p.id = o.page
    WHERE o.page > ? ORDER BY o.page LIMIT ?
"""


@dataclass(slots=True)
class _Broken:
    """A broken URL that is listed."""

    section: Section
    pages: int = 0
    parents: list[str] = field(default_factory=list)

    def told(self) -> Section:
        return {**self.section, "pages": self.pages, "linked_from": self.parents}


@dataclass(slots=True)
class _Walk:
    """What is looked for, and what was found so far."""

    broken: set[int]
    listed: dict[str, _Broken]
    lonely: set[int]  # pages from sitemaps that no page was seen to link to
    seeds: set[int]  # seeds that failed, and that no page was seen to link to: no broken links
    outside: Outside
    links: int = 0  # that are broken


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkGraph:
    """What the walk found."""

    broken: Section
    orphans: Section  # pages that only sitemaps lead to
    outside: Section  # hosts that pages link to, and of which nothing was asked for


def link_graph(source: ReportSource) -> LinkGraph:
    """Walk through all links once."""
    walk = _Walk(
        broken=_broken(source), listed=_listed(source), lonely=_lonely(source), seeds=_failed(source),
        outside=Outside.of(source),
    )  # fmt: skip
    for page, kind, urls in _links(source):
        _pass(walk, page, kind, urls)
        walk.outside.add(page, urls)
    linked = [each.told() for url, each in walk.listed.items() if hash(url) not in walk.seeds]
    told = sorted(linked, key=lambda each: -int(each["pages"]))
    ((total,),) = source.ask(f"SELECT count(*) FROM {{page}} WHERE outcome IN ({_BROKEN})")  # noqa: S608 - ours
    broken = {
        **listed(int(total) - len(walk.seeds), told),
        "links": walk.links,
        "counted_to": MOST_KEPT if total > MOST_KEPT else None,
    }
    return LinkGraph(broken=broken, orphans=_orphans(source, walk.lonely), outside=walk.outside.told())


def walked(source: ReportSource, where: str = "") -> Iterator[tuple[str, str, bytes]]:
    """URL, type and packed outlinks of each page that has any."""
    last = -1
    question = _LINKS.replace("ORDER", f"{where} ORDER")
    while rows := source.ask(question, (last, _PACKED)):
        last = rows[-1][0]
        for _, url, kind, body in rows:
            yield url, kind or "", bytes(body)


def _links(source: ReportSource) -> Iterator[tuple[str, str, set[str]]]:
    for url, kind, body in walked(source):
        yield url, kind, {line.split(" ", 2)[1] for line in outlink_lines(body)}  # as `url_of_line` does


def _pass(walk: _Walk, page: str, kind: str, urls: set[str]) -> None:
    keys = set(map(hash, urls))
    walk.seeds.difference_update(keys)
    if not walk.broken.isdisjoint(keys):
        for url in urls:
            if hash(url) in walk.broken:
                _broken_link(walk, page, url)
    if kind != "sitemap" and walk.lonely:
        walk.lonely.difference_update(keys - {hash(page)})


def _broken_link(walk: _Walk, page: str, url: str) -> None:
    walk.links += 1
    found = walk.listed.get(url)
    if found is not None:
        found.pages += 1
        if len(found.parents) < MOST_PARENTS:
            found.parents.append(fit(page))


def _broken(source: ReportSource) -> set[int]:
    return _hashes(source, f"SELECT p.id, p.url FROM {{page}} AS p WHERE p.outcome IN ({_BROKEN})")  # noqa: S608 - ours


def _failed(source: ReportSource) -> set[int]:
    where = f"p.outcome IN ({_BROKEN}) AND p.path = ''"
    return _hashes(source, f"SELECT p.id, p.url FROM {{page}} AS p WHERE {where}")  # noqa: S608 - ours


def failed_seeds(source: ReportSource) -> Section:
    """Seeds from which nothing came."""
    where = f"outcome IN ({_BROKEN}) AND path = ''"
    ((total,),) = source.ask(f"SELECT count(*) FROM {{page}} WHERE {where}")  # noqa: S608 - ours
    rows = source.ask(
        f"SELECT url, outcome, reason, status FROM {{page}} WHERE {where} ORDER BY id LIMIT ?",  # noqa: S608 - ours
        (MOST_LISTED,),
    )
    told = [
        {"url": fit(url), "outcome": outcome, "reason": fit(reason or ""), "status": status}
        for url, outcome, reason, status in rows
    ]
    return listed(int(total), told)


def _lonely(source: ReportSource) -> set[int]:
    return _hashes(source, f"SELECT p.id, p.url {_FROM_SITEMAPS}")


def _hashes(source: ReportSource, question: str) -> set[int]:
    """Hashes of this process, for this walk only."""
    found: set[int] = set()
    last = -1
    while len(found) < MOST_KEPT:
        rows = source.ask(f"{question} AND p.id > ? ORDER BY p.id LIMIT ?", (last, _PORTION))
        if not rows:
            break
        last = rows[-1][0]
        found.update(hash(url) for _, url in rows)
    return found


def _listed(source: ReportSource) -> dict[str, _Broken]:
    rows = source.ask(
        f"SELECT url, outcome, reason, status FROM {{page}} WHERE outcome IN ({_BROKEN}) ORDER BY id LIMIT ?",  # noqa: S608 - ours
        (MOST_BROKEN,),
    )
    return {
        url: _Broken({"url": fit(url), "outcome": outcome, "reason": fit(reason or ""), "status": status})
        for url, outcome, reason, status in rows
    }


def _orphans(source: ReportSource, lonely: set[int]) -> Section:
    shown: list[Section] = []
    last = -1
    while len(shown) < min(MOST_LISTED, len(lonely)):
        rows = source.ask(
            f"SELECT p.id, p.url {_FROM_SITEMAPS} AND p.id > ? ORDER BY p.id LIMIT ?",
            (last, _PORTION),
        )
        if not rows:
            break
        last = rows[-1][0]
        shown += [{"url": fit(url)} for _, url in rows if hash(url) in lonely]
    return listed(len(lonely), shown[:MOST_LISTED])

"""How much of what is known was fetched: held against the sitemaps of the site, and against its links."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from opilio.crawl.frontier.packing import outlink_lines
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.frontier.urls import restored
from opilio.crawl.report.link_graph import MOST_KEPT, walked
from opilio.crawl.report.questions import MOST_LISTED
from opilio.crawl.report.source import ReportSource, Section, listed
from opilio.crawl.report.wording import fit
from opilio.kernel.page_links import url_of_line

_PORTION = 2_000  # rows read at a time
_ENTRY = "Lsitemap "  # how a link of a sitemap to a page is packed: hop, kind
_KEPT = frozenset({"fetched", "unchanged", "duplicate"})
_PAGES = "SELECT id, url, outcome, type, hops FROM {page} WHERE id > ? ORDER BY id LIMIT ?"
_WAITING = """
    SELECT q.id, q.url, h.name FROM {queue} AS q JOIN {host} AS h ON h.id = q.host
    WHERE q.id > ? ORDER BY q.id LIMIT ?
"""


@dataclass(slots=True)
class _Held:
    """The pages of a crawl, held against what its sitemaps list."""

    left: set[int]  # listed, and not met yet
    outcomes: Counter[str] = field(default_factory=Counter)
    missing: list[Section] = field(default_factory=list)
    unlisted: list[Section] = field(default_factory=list)
    unlisted_total: int = 0


def of_links(source: ReportSource, counts: Counts, orphans: Section) -> Section:
    """Known URLs against those that have an outcome."""
    ((seen,),) = source.ask("SELECT count(*) FROM {seen}")
    known = max(int(seen), counts.pages)
    return {"known": known, "recorded": counts.pages, "waiting": counts.waiting, "orphans": orphans}


def of_sitemaps(source: ReportSource) -> Section | None:
    """What became of the URLs that sitemaps list; None where no sitemap was read."""
    files = source.ask(
        "SELECT count(*) FROM {page} WHERE type = 'sitemap' AND outcome IN ('fetched', 'unchanged', 'duplicate')"
    )
    if not files[0][0]:
        return None
    keys = _listed_keys(source)
    held = _Held(left=set(keys))
    _hold_pages(source, held, keys)
    accounted = sum(held.outcomes.values())
    waiting = _waiting(source, held)
    outside = len(held.left)
    if outside:
        held.missing += _outside(source, held.left, MOST_LISTED - len(held.missing))
    fetched = sum(number for outcome, number in held.outcomes.items() if outcome in _KEPT)
    return {
        "files": int(files[0][0]),
        "urls": len(keys),
        "counted_to": MOST_KEPT if len(keys) >= MOST_KEPT else None,
        "fetched": fetched,
        "outcomes": dict(sorted(held.outcomes.items())),
        "waiting": waiting,
        "out_of_scope": outside,
        "not_fetched": listed(accounted - fetched + waiting + outside, held.missing[:MOST_LISTED]),
        "in_no_sitemap": listed(held.unlisted_total, held.unlisted),
    }


def _listed_keys(source: ReportSource) -> frozenset[int]:
    found: set[int] = set()
    for url in _entries(source):
        found.add(hash(url))
        if len(found) >= MOST_KEPT:
            break
    return frozenset(found)


def _entries(source: ReportSource) -> Iterator[str]:
    """The URLs that sitemaps list, some perhaps twice."""
    for _, _, body in walked(source, "AND p.type = 'sitemap'"):
        for line in outlink_lines(body):
            if line.startswith(_ENTRY):
                yield url_of_line(line)


def _hold_pages(source: ReportSource, held: _Held, keys: frozenset[int]) -> None:
    last = -1
    while rows := source.ask(_PAGES, (last, _PORTION)):
        last = rows[-1][0]
        for _, url, outcome, kind, hops in rows:
            key = hash(url)
            if key in keys:
                held.left.discard(key)
                held.outcomes[outcome or "waiting"] += 1
                if outcome not in _KEPT and len(held.missing) < MOST_LISTED:
                    held.missing.append({"url": fit(url), "why": outcome or "waiting"})
            elif outcome in _KEPT and kind == "html" and not hops:
                held.unlisted_total += 1
                if len(held.unlisted) < MOST_LISTED:
                    held.unlisted.append({"url": fit(url)})


def _waiting(source: ReportSource, held: _Held) -> int:
    """How many of those without an outcome wait in the queue."""
    count, last = 0, 0
    while held.left and (rows := source.ask(_WAITING, (last, _PORTION))):
        last = rows[-1][0]
        for _, short, name in rows:
            url = restored(short, name)
            if hash(url) in held.left:
                held.left.discard(hash(url))
                count += 1
                if len(held.missing) < MOST_LISTED:
                    held.missing.append({"url": fit(url), "why": "waiting"})
    return count


def _outside(source: ReportSource, left: set[int], most: int) -> list[Section]:
    """Examples of listed URLs that the scope did not accept."""
    found: dict[str, Section] = {}
    for url in _entries(source):
        if len(found) >= most:
            break
        if hash(url) in left:
            found[url] = {"url": fit(url), "why": "out of scope"}
    return list(found.values())

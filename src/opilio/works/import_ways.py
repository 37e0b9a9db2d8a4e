"""Finds the way to every imported page: from the seeds along the links, the fewest links first, embeds after them.

An archive of others does not tell how its pages were reached; what no link leads to is marked as guessed.
"""

from collections.abc import Sequence

from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.packing import unpack_outlinks
from opilio.crawl.linking import after
from opilio.kernel.capture import Hop
from opilio.works.import_staging import Staging

_LONGEST = 200  # letters of a path that are kept
_ROOT = -1
_WAYS = """
    CREATE TABLE way (page INTEGER PRIMARY KEY, depth INTEGER, seed INTEGER, hops INTEGER, path TEXT, up INTEGER)
"""
_LEVEL = tuple[int, int]  # links, and embeds since the last one


def find_ways(staging: Staging, seeds: Sequence[str]) -> None:
    """Give every page its depth, its path and the page that led to it."""
    staging.run(_WAYS)
    _walk(staging, _begun(staging, seeds))
    staging.run("""
        UPDATE page SET depth = w.depth, seed = w.seed, hops = w.hops, path = w.path,
            parent_host = (SELECT host FROM page AS p WHERE p.id = w.up),
            parent_hash = (SELECT hash64 FROM page AS p WHERE p.id = w.up)
        FROM way AS w WHERE w.page = page.id
    """)
    _guess(staging)
    staging.run("UPDATE page SET counted = 1 WHERE hops = 0 AND status IS NOT NULL")


def _begun(staging: Staging, seeds: Sequence[str]) -> dict[_LEVEL, list[int]]:
    levels: dict[_LEVEL, list[int]] = {(0, 0): []}
    for number, url in enumerate(seeds):
        page = staging.number_of(url)
        if page is not None and _reached(staging, page, Label(0, number, 0), "", _ROOT):
            levels[0, 0].append(page)
    return levels


def _walk(staging: Staging, levels: dict[_LEVEL, list[int]]) -> None:
    """Level by level, the smallest first; a page is passed once, by the first way that reaches it."""
    while levels:
        level = min(levels)
        pages = levels.pop(level)
        for page in pages:  # grows while redirects are followed
            ((depth, seed, hops, path),) = staging.rows(
                "SELECT depth, seed, hops, path FROM way WHERE page = ?", (page,)
            )
            if (depth, hops) != level:
                continue
            for hop, target, label in _links(staging, page, Label(depth, seed, hops)):
                if _reached(staging, target, label, path + hop, page):
                    place = pages if (label.depth, label.hops) == level else None
                    (levels.setdefault((label.depth, label.hops), []) if place is None else place).append(target)


def _links(staging: Staging, page: int, label: Label) -> list[tuple[str, int, Label]]:
    """The pages that a page leads to, each with the label of that way."""
    rows = staging.rows("SELECT body FROM outlinks WHERE page = ?", (page,))
    found = []
    for hop, kind, url, _, _ in unpack_outlinks(rows[0][0]) if rows else []:
        target = staging.number_of(url)
        if target is not None and target != page:
            found.append((hop.value, target, after(label, hop, kind)))
    return found


def _reached(staging: Staging, page: int, label: Label, path: str, parent: int) -> bool:
    """Note a way; whether it is better than the one that is known."""
    known = staging.rows("SELECT depth, hops FROM way WHERE page = ?", (page,))
    if known and tuple(known[0]) <= (label.depth, label.hops):
        return False
    values = (page, label.depth, label.seed, label.hops, path[:_LONGEST], parent)
    staging.run("INSERT OR REPLACE INTO way VALUES (?, ?, ?, ?, ?, ?)", values)
    return True


def _guess(staging: Staging) -> None:
    """Pages that no link leads to: what readers open stands one link from nowhere, the rest is a part of something."""
    unreached = "id NOT IN (SELECT page FROM way)"
    staging.run(
        f"UPDATE page SET depth = 1, hops = CASE WHEN type IN ('html', 'pdf', 'office') THEN 0 ELSE 1 END, "  # noqa: S608 - ours
        f"path = '{Hop.SPECULATIVE.value}' WHERE {unreached}"
    )
    robots = "url LIKE '%/robots.txt' AND length(url) - length(replace(url, '/', '')) = 3"
    staging.run(
        f"UPDATE page SET depth = 0, hops = 1, path = '{Hop.PREREQUISITE.value}' WHERE {unreached} AND {robots}"  # noqa: S608 - ours
    )

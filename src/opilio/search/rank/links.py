"""The links of many pages as arrays, and which of them stand in a site's template.

Menus and footers link from every page of a site to the same few targets; such links say nothing about their target. The
rule: a link is a template link when, by what the pages of its site show, more than half of the pages of such a site
link to its target: the lower bound of Wilson's 95 % interval of that share is above one half. A site with three pages
or fewer has none, since so few pages prove nothing.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from opilio.search.rank.errors import BadLinks
from opilio.search.views.rows import Rows

Ids = NDArray[np.int32]
Flags = NDArray[np.bool_]
_Z = 1.96  # of 95 %
_HALF = 0.5


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LinkGraph:
    """Pages by number and the links between them, each pair once."""

    pages: int
    sources: Ids
    targets: Ids
    sites: Ids  # of each page; pages of one site have one number

    def __post_init__(self) -> None:
        if self.pages < 0 or len(self.sources) != len(self.targets) or len(self.sites) != self.pages:
            raise BadLinks("the arrays of links and pages do not fit together", remedy="Give one site per page.")
        for name, values, limit in (("sources", self.sources, self.pages), ("targets", self.targets, self.pages)):
            if len(values) and not 0 <= int(values.min()) <= int(values.max()) < limit:
                raise BadLinks(f"{name} name pages that there are not", remedy="Number pages from 0 on.")
        if self.pages and int(self.sites.min()) < 0:
            raise BadLinks("sites have numbers from 0 on", remedy="Number sites from 0 on.")

    def without(self, dropped: Flags) -> "LinkGraph":
        """The same pages without some links."""
        if not dropped.any():
            return self
        kept = ~dropped
        return LinkGraph(pages=self.pages, sources=self.sources[kept], targets=self.targets[kept], sites=self.sites)


def gathered(children: Iterable[Rows]) -> tuple[Ids, Ids]:
    """Sources and targets of all links of the views (`Views.all_children`)."""
    sources: list[Ids] = []
    targets: list[Ids] = []
    for rows in children:
        sources.append(rows.keys.astype(np.int32))
        targets.append(rows.items.astype(np.int32))
    nothing = np.zeros(0, dtype=np.int32)
    return np.concatenate([nothing, *sources]), np.concatenate([nothing, *targets])


def numbered(names: Iterable[str]) -> Ids:
    """A number for each name, equal names alike: for the sites of pages."""
    known: dict[str, int] = {}
    return np.fromiter((known.setdefault(name, len(known)) for name in names), dtype=np.int32)


def template_links(graph: LinkGraph) -> Flags:
    """Which links stand in the template of their site."""
    dropped = np.zeros(len(graph.sources), dtype=np.bool_)
    if not len(dropped):
        return dropped
    linking = np.zeros(graph.pages, dtype=np.bool_)
    linking[graph.sources] = True
    sizes = np.bincount(graph.sites[linking])  # pages of each site that have links
    needed = _needed(sizes).astype(np.int32)
    site = graph.sites[graph.sources]
    backlinks = np.bincount(graph.targets, minlength=graph.pages).astype(np.int32)
    among = np.flatnonzero(backlinks[graph.targets] >= needed[site])
    pairs = site[among].astype(np.int64) * graph.pages + graph.targets[among]
    _, which, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    dropped[among] = counts[which] >= needed[site[among]]
    return dropped


def _needed(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """From how many pages of a site of each size a target must be linked to be of its template."""
    largest = int(sizes.max(initial=0))
    needed: NDArray[np.int64] = np.array([_threshold(size) for size in range(min(largest, 1_000) + 1)], dtype=np.int64)
    if largest <= 1_000:
        return needed[sizes]
    return np.where(sizes <= 1_000, needed[np.minimum(sizes, 1_000)], _threshold_of_many(sizes))


def _threshold(size: int) -> int:
    """The least number of pages whose share is surely above one half; more than there are where none is."""
    return next((count for count in range(size // 2, size + 1) if _lower_bound(count, size) > _HALF), size + 1)


def _threshold_of_many(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same for large sites, where Wilson's bound is solved for the count: n/2 + z/2 · √(n + z²)."""
    found: NDArray[np.int64] = np.floor(sizes / 2 + _Z / 2 * np.sqrt(sizes + _Z * _Z)).astype(np.int64) + 1
    return found


def _lower_bound(count: int, size: int) -> float:
    """Of Wilson's interval for a share."""
    if size == 0:
        return 0.0
    share, z2 = count / size, _Z * _Z
    middle = share + z2 / (2 * size)
    spread = _Z * math.sqrt((share * (1 - share) + z2 / (4 * size)) / size)
    return (middle - spread) / (1 + z2 / size)

"""PageRank (Brin and Page, 1998) over all pages or within each site, without template links.

A reader follows links, and with one step in seven goes to any page (of the site, where ranks are per site); from a page
without links always so. The rank of a page is the share of steps that end there. Links to oneself do not count.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from opilio.search.rank.links import Ids, LinkGraph, template_links

Shares = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class RankOptions:
    """How ranks are worked out."""

    damping: float = 0.85  # share of the steps that follow a link
    per_site: bool = False
    keep_template_links: bool = False
    tolerance: float = 1e-6  # change of all ranks together at which the work ends
    most_rounds: int = 100


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Ranks:
    """The rank of each page."""

    shares: Shares  # sum to 1, or to 1 in each site
    scale: Shares  # from 0 (the lowest) to 1 (the highest), by the logarithm of the share; for the index
    rounds: int
    template_links: int  # links that did not count


def link_rank(graph: LinkGraph, options: RankOptions | None = None) -> Ranks:
    """The rank of each page of a graph."""
    options = options or RankOptions()
    groups = graph.sites if options.per_site else np.zeros(graph.pages, dtype=np.int32)
    dropped = graph.sources == graph.targets
    templates = 0
    if not options.keep_template_links:
        found = template_links(graph)
        templates = int(found.sum())
        dropped |= found
    if options.per_site:
        dropped |= graph.sites[graph.sources] != graph.sites[graph.targets]
    shares, rounds = _iterated(graph.without(dropped), groups, options)
    return Ranks(shares=shares, scale=_scaled(shares, groups), rounds=rounds, template_links=templates)


def _iterated(graph: LinkGraph, groups: Ids, options: RankOptions) -> tuple[Shares, int]:
    if not graph.pages:
        return np.zeros(0), 0
    outgoing = np.bincount(graph.sources, minlength=graph.pages)
    steps = _steps(graph, outgoing)
    ends = outgoing == 0
    weights = 1.0 / np.maximum(outgoing, 1)
    sizes = np.bincount(groups)
    evenly = 1.0 / sizes[groups]
    shares = evenly.copy()
    for rounds in range(1, options.most_rounds + 1):
        lost = np.bincount(groups[ends], weights=shares[ends], minlength=len(sizes))
        jumps = (1 - options.damping + options.damping * lost)[groups] * evenly
        following = options.damping * (steps @ (shares * weights)) + jumps
        change = float(np.abs(following - shares).sum())
        shares = following
        if change < options.tolerance * np.count_nonzero(sizes):
            return shares, rounds
    return shares, options.most_rounds


def _steps(graph: LinkGraph, outgoing: NDArray[np.int64]) -> sparse.csc_array:
    """Target by source, 1 for a link. Links that are sorted by source, as the views give them, need no sorting."""
    targets = graph.targets
    if len(targets) and not (graph.sources[1:] >= graph.sources[:-1]).all():
        targets = targets[np.argsort(graph.sources, kind="stable")]
    bounds = np.zeros(graph.pages + 1, dtype=np.int64)
    np.cumsum(outgoing, out=bounds[1:])
    ones = np.ones(len(targets), dtype=np.float64)
    return sparse.csc_array((ones, targets, bounds), shape=(graph.pages, graph.pages))


def _scaled(shares: Shares, groups: Ids) -> Shares:
    """From 0 to 1 by logarithm, in each group; 0 where all are equal."""
    if not len(shares):
        return shares
    logs = np.log(shares)
    count = int(groups.max()) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, groups, logs)
    np.maximum.at(high, groups, logs)
    width = (high - low)[groups]
    equal = width < 1e-9
    scaled: Shares = np.where(equal, 0.0, (logs - low[groups]) / np.where(equal, 1.0, width))
    return scaled

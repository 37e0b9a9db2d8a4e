"""The link rank of every page that views know: worked out per site, links of its template left out."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from opilio.kernel.hosts import registrable_domain
from opilio.search.rank.links import LinkGraph, gathered, numbered
from opilio.search.rank.pagerank import RankOptions, link_rank
from opilio.search.views.reader import Views


def link_ranks(path: Path) -> NDArray[np.float64]:
    """For each page number the rank within its site, from 0 to 1."""
    with Views(path) as views:
        pages = views.page_count()
        sources, targets = gathered(views.all_children())
        sites = numbered(_sites(views, pages))
    graph = LinkGraph(pages=pages, sources=sources, targets=targets, sites=sites)
    return link_rank(graph, RankOptions(per_site=True)).scale


def _sites(views: Views, pages: int) -> Iterator[str]:
    """The site of each page number; those that are gone have none."""
    at = 0
    for row in views.pages():
        yield from ("" for _ in range(row.id - at))
        at = row.id + 1
        host = urlsplit(row.url).hostname or ""
        yield registrable_domain(host) or host
    yield from ("" for _ in range(pages - at))

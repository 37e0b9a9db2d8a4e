"""Small indexes for tests: pages in, an open index out."""

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.document import SearchDocument
from opilio.search.index.build import IndexBuild
from opilio.search.search_index import SearchIndex

CAPTURED = 1_700_000_000.0  # 14 November 2023
MEMORY = 30_000_000


def document(text="", **values):
    """A page in English; every value can be chosen."""
    values = {"url": "https://example.org/", "captured": CAPTURED, "language": "en", "type": "text/html"} | values
    return SearchDocument(text=text, **values)


def made_index(folder, documents, *, analyzer=None, **values):
    """An index of some pages, with ids from 0; `ranks`, `groups` and `visible` are lists of one value per page."""
    analyzer = analyzer or Analyzer()
    ranks, groups, visible = (values.get(name, {}) for name in ("ranks", "groups", "visible"))
    with IndexBuild(folder, analyzer, threads=1, memory=MEMORY) as build:
        for page, each in enumerate(documents):
            build.add(
                page, each, rank=ranks.get(page, 0.0), group=groups.get(page), visible_from=visible.get(page, 0.0)
            )
    return SearchIndex(folder, analyzer)

"""What a crawl committed as rows of an index: from its result or, before it is sealed, from its store."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from opilio.archive.cdxj import CdxRow
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_index import index_rows
from opilio.works.sealed_crawl import SealedCrawl, results_of


def rows_of(path: Path) -> Iterator[CdxRow]:
    """The captures of the crawl in a folder."""
    folder = CrawlFolder(path)
    results = results_of(folder)
    opened = SealedCrawl(results.result) if results.whole else folder.open(StoreAddress(), read_only=True)
    with contextlib.closing(opened):
        yield from index_rows(opened)

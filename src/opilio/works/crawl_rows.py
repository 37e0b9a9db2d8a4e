"""What a crawl committed as rows of an index: from a result or, before it is sealed, from its store."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from opilio.archive.cdxj import CdxRow
from opilio.archive.results.cdx_rows import cdx_rows
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_index import index_rows


def rows_of(path: Path, number: int | None = None) -> Iterator[CdxRow]:
    """The captures of a result of the crawl in a folder; of the newest if none is named."""
    results = ResultsFolder(path)
    if number is not None or results.numbers():
        with ResultView(results, results.require(number)) as view:
            yield from cdx_rows(view)
        return
    with contextlib.closing(CrawlFolder(path).open(StoreAddress(), read_only=True)) as store:
        yield from index_rows(store)

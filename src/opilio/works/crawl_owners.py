"""Who held leases of a crawl when it fell. The folder is locked by the caller: whoever wrote into it before is dead."""

from collections.abc import Sequence

from opilio.archive.warc.names import find
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.works.crawl_folder import CrawlFolder


def owners_of_folder(place: CrawlFolder, store: SqlStore, *, shared: bool) -> Sequence[str | None]:
    """The owners whose leases may be ended; None stands for all, where nobody else can have the store."""
    if not shared:
        return [None]
    return sorted({file.owner for file in store.warcs() if find(place.warcs, file.file) is not None})

"""Who held leases of a crawl when it fell. The folder is locked by the caller: whoever wrote into it before is dead."""

from collections.abc import Sequence

from opilio.crawl.frontier.sql_store import SqlStore
from opilio.works.crawl_folder import CrawlFolder


def owners_of_folder(place: CrawlFolder, store: SqlStore, *, shared: bool) -> Sequence[str | None]:
    """The owners whose leases may be ended; None stands for all, where nobody else can have the store."""
    if not shared:
        return [None]
    ours = f"{place.mark()}-"
    return [
        owner for (owner,) in store.ask("SELECT w.owner FROM {worker} AS w ORDER BY w.owner") if owner.startswith(ours)
    ]

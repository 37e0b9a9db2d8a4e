"""Takes up which URLs of a host the store knows: a worker that goes on with a large crawl need not ask for each."""

from array import array
from functools import partial

from opilio.crawl.engine.worker_store import StoreDoor, WorkerStore
from opilio.crawl.frontier.labels import Label
from opilio.crawl.frontier.seen_cache import SeenCache
from opilio.crawl.frontier.values import FIRST_HASH, Host


async def recall(host: Host, cache: SeenCache, store: WorkerStore, door: StoreDoor) -> None:
    """Let a worker's memory know what the store knows of a host, as far as there is room."""
    known: dict[Label, array[int]] = {}
    last = FIRST_HASH
    while cache.wants(host.name, sum(map(len, known.values()))):
        told = await door(partial(store.known, host.id, last))
        if not told:
            break
        for label, hashes in told.items():
            known.setdefault(label, array("q")).extend(hashes)
        last = max(hashes[-1] for hashes in told.values())
    if known:
        cache.recall(host.name, known)

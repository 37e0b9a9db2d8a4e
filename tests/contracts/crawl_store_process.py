"""A worker in a process of its own: `python -m tests.contracts.crawl_store_process KIND PLACE FOLDER OWNER MODE`.

It writes a line per page into its "WARC" file, fsyncs, commits, and says so; in mode `stop` it stops between the two.
"""

import os
import sys
import time
from pathlib import Path

from opilio.crawl.frontier.postgres import PostgresStore
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.kernel.capture import Hop, Position
from tests.contracts.crawl_stores import NOW, Worker

PAGES = 400
LINE = 64  # bytes of a record
SITE = {
    f"https://h{number % 5}.example/{number}": [
        (Hop.LINK, f"https://h{(2 * number + add) % 5}.example/{2 * number + add}")
        for add in (1, 2)
        if 2 * number + add < PAGES
    ]
    for number in range(PAGES)
}
SEED = "https://h0.example/0"


def opened(kind, place):
    """The store that the test made."""
    return SqliteStore.open(Path(place)) if kind == "sqlite" else PostgresStore.open(os.environ["CRAWL_URL"], place)


def record(url):
    """What stands for a WARC record."""
    return f"{url:<{LINE - 1}}\n".encode()


def main(kind, place, folder, owner, mode):
    """Crawl until nothing is left, or until the test kills us."""
    store = opened(kind, place)
    if kind == "sqlite":
        store.evict(None)  # the test sees to it that there is one process
    worker = Worker(store, SITE, owner=owner, now=NOW if kind == "sqlite" else time.time(), ttl=2.0)
    file = Path(folder) / worker.file
    with file.open("ab", buffering=0) as stream:
        print("ready", flush=True)
        while True:
            worker.now = worker.now if kind == "sqlite" else time.time()
            worker.claim(want=3)
            taken = worker.take(max_hosts=3, per_host=4)
            if not taken.entries and taken.due is None and store.counts(NOW).waiting == 0:
                return
            if taken.entries:
                _fetch(worker, stream, mode)


def _fetch(worker, stream, mode):
    pages = []
    for entry in worker.inflight:
        place = Position(file=worker.file, offset=stream.tell(), length=LINE)
        stream.write(record(entry.url))
        pages.append(worker.result(entry, place=place))
    os.fsync(stream.fileno())
    if mode == "stop":
        print("written", flush=True)
        sys.stdin.readline()
    done = worker.store.commit(worker.batch(pages=tuple(pages), warcs={worker.file: stream.tell()}))
    worker.inflight = []
    if done.fenced:
        known = {file.file: file.committed for file in worker.store.warcs()}
        stream.truncate(known.get(worker.file, 0))
        stream.seek(known.get(worker.file, 0))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Starts workers of `crawl_store_process`, cuts their files as a start does, and looks at what they left."""

import os
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from tests import nursery
from tests.contracts.crawl_store_process import LINE, PAGES, SITE, record
from tests.contracts.crawl_stores import urls

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds; for a busy machine


@contextmanager
def processes(stores, store, folder):
    """A function that starts a worker as a process; all of them are gone at the end."""
    running = []

    def start(owner, mode="run"):
        command = [sys.executable, "-m", "tests.contracts.crawl_store_process", stores.kind, str(stores.place(store))]
        process = nursery.Process(
            [*command, str(folder), owner, mode],
            cwd=ROOT,
            env={**os.environ, "CRAWL_URL": stores.url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    try:
        yield start
    finally:
        for process in running:
            process.kill()
            process.wait(PATIENCE)
            process.stdin.close()
            process.stdout.close()


def go_on(process):
    """Let a process that stops before each commit go on."""
    process.stdin.write("\n")
    process.stdin.flush()


def cut(store, folder):
    """What every start does: cut each file to its committed length."""
    for file in store.warcs():
        path = folder / file.file
        assert path.stat().st_size >= file.committed, "something that counts was lost"
        with path.open("r+b") as stream:
            stream.truncate(file.committed)


def records(folder):
    return Counter(path.read_bytes()[at : at + LINE] for path in folder.glob("*.warc") for at in _places(path))


def _places(path):
    return range(0, path.stat().st_size, LINE)


def require_complete(store, folder):
    assert set(urls(store.pages())) == set(SITE)
    assert records(folder) == Counter(record(url) for url in SITE)
    assert [page.id for page in store.pages()] == list(range(PAGES))
    for page in store.pages():
        stored = (folder / page.place.file).read_bytes()[page.place.offset :][: page.place.length]
        assert stored == record(page.url)

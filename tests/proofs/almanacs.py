"""Generated sites on several hosts, and what must hold of a crawl of them however it came to its end."""

import itertools
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.reader import ResultReader
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.sealed_crawl import results_of
from tests.acceptance.crawl.crawls import CAPTURED, fetched, responses
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.request_log import LogEntry

_PROGRAMS = Path(sys.executable).parent
_READ_LATE = 0.5  # seconds


@dataclass(frozen=True, kw_only=True)
class Almanacs:
    """The same site on every two hosts, so that some bodies are kept by reference; others on the next two."""

    server: HttpServer
    hosts: int
    pages: int  # of each host

    def site(self, host: int) -> LargeSite:
        return LargeSite(pages=self.pages, seed=1 + host // 2)

    def starts(self) -> list[str]:
        return [self._url(host, f"{self.site(host).base}/") for host in range(self.hosts)]

    def everything(self) -> set[str]:
        """Every URL of every host."""
        return {
            self._url(host, path)
            for host in range(self.hosts)
            for path in itertools.chain(self.site(host).page_paths(), self.site(host).asset_paths())
        }

    def _url(self, host: int, path: str) -> str:
        return self.server.url(path, host=f"h{host}.localhost")


def require_once(folder, address, urls):
    """Every URL has one row and one record, nothing else has any, robots.txt apart."""
    rows = fetched(folder, address)
    assert set(rows) == urls
    assert set(rows.values()) == {1}
    records = {url: count for url, count in responses(folder).items() if not url.endswith("/robots.txt")}
    odd = {url: records.get(url, 0) for url in records.keys() | urls if url not in urls or records.get(url) != 1}
    assert odd == {}, f"records that are missing, foreign or there more than once: {odd}"


def require_sealed(folder, urls):
    """The result has every URL once, and the digests of all files are right."""
    results = results_of(CrawlFolder(folder))
    assert list(wrong_files(folder, results.manifest)) == []
    with ResultReader(results.result) as reader:
        kept = [resource.url for resource in reader.resources() if resource.outcome in CAPTURED]
    assert len(kept) == len(urls)
    assert set(kept) == urls


def require_sound_warcs(folder):
    """Two foreign programs find every digest of every record right."""
    for file in sorted((folder / "warcs").iterdir()):
        for check in (["fastwarc", "check", "--quiet"], ["warcio", "check"]):
            done = subprocess.run(
                [str(_PROGRAMS / check[0]), *check[1:], str(file)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{check[0]} {file.name}: {done.stdout[-2000:]}{done.stderr[-2000:]}"


class Closest(NamedTuple):
    """The two requests to one host that were closest, as the server saw them."""

    seconds: float
    host: str
    first: LogEntry
    second: LogEntry


def closest(server, kills=()):
    """What politeness is held to. A busy server may read the last request of a killed worker after its death."""
    entries = sorted(server.log(), key=lambda entry: (entry.host, entry.at))
    return min(
        Closest(second.at - _sent(first, second, kills), first.host, first, second)
        for first, second in itertools.pairwise(entries)
        if first.host == second.host
    )


def _sent(first, second, kills):
    """By when a request was sent; another worker has a connection of its own."""
    if first.connection == second.connection:
        return first.at
    return min([first.at, *(kill for kill in kills if first.at - _READ_LATE < kill < first.at)])

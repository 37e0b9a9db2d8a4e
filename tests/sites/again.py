"""Crawls a site that a test writes, again and again, into folders with WARC files; reads rows and records back."""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.warc.fast import ArchiveIterator
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.crawl.plan import Seed, Warc
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.seal_at_end import Sealing
from opilio.works.sealed_crawl import SealedCrawl, results_of
from tests.sites.crawling import QUICK, Sites

LONG = "<p>" + "A long and quiet text. " * 100


@dataclass
class Again:
    """A site in a folder of the test, and the crawls of it."""

    sites: Sites
    site: Path
    folder: Path

    def write(self, **pages):
        """Write pages: `index="…"` becomes index.html."""
        for name, text in pages.items():
            (self.site / f"{name}.html").write_text(f"<title>{name}</title>{text}")

    def crawl(self, name, *, start="", since="", workers=1, sealed=False, fetch=None, warc=None, **parts):
        """Crawl into a folder of this name; `since` names an earlier one."""
        earlier = str(self.folder / since) if since else ""
        start = start if isinstance(start, Seed) else f"{self.site.name}/{start}"
        plan = self.sites.plan(start, fetch={"since": earlier, **(fetch or {})}, warc=Warc(**(warc or {})), **parts)
        crew = Crew(workers=workers, settings=QUICK, sealing=Sealing(keep_open=not sealed))
        crawl(plan, self.folder / name, crew)
        return Folder(self.folder / name)


@dataclass
class Folder:
    """The folder of a crawl that ended."""

    path: Path

    @property
    def pages(self):
        """The rows by the paths of their URLs, without the leading slash."""
        results = results_of(CrawlFolder(self.path))
        store = (
            SealedCrawl(results.result) if results.whole else SqliteStore.open(self.path / "crawl.db", read_only=True)
        )
        with contextlib.closing(store):
            return {page.url.split("/", 3)[3]: page for page in store.pages()}

    @property
    def outcomes(self):
        """What became of each."""
        return {path: page.outcome.value for path, page in self.pages.items()}

    @property
    def texts(self):
        """The digests whose text is kept."""
        with contextlib.closing(SqliteStore.open(self.path / "crawl.db", read_only=True)) as store:
            return {digest for digest, _, _ in store.texts()}

    @property
    def index(self):
        """The fields of the CDXJ lines, by path."""
        lines = (self.path / "index.cdxj").read_text().splitlines()
        return {each["url"].split("/", 3)[3]: each for each in (json.loads(line.split(" ", 2)[2]) for line in lines)}

    def records(self, kind):
        """The records of one kind, by path, read and verified by another program: headers with the block."""
        found = {}
        for file in sorted((self.path / "warcs").iterdir()):
            with file.open("rb") as stream:
                for record in ArchiveIterator(stream, verify_digests=True, parse_http=False):
                    if record.headers.get("WARC-Type") == kind:
                        path = record.headers["WARC-Target-URI"].split("/", 3)[3]
                        found[path] = {**dict(record.headers), "block": record.reader.read()}
        return found

"""What tests of derived results share: a first result, pages to add, and a plain model of what a chain holds."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from opilio.archive.results.deriving import AddedPage, Change, Existing, derive
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.results.packing import pack_links, packed
from opilio.archive.results.selection import Selection
from opilio.archive.results.values import Head, Resource, ResultHost, ResultWarc
from opilio.archive.results.writer import ResultWriter
from opilio.kernel.capture import Hop, Position
from opilio.kernel.digests import digest_of
from opilio.kernel.hosts import host_key
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText
from opilio.kernel.urls import url_hash64

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Page:
    """A page as a model knows it."""

    url: str
    title: str
    links: tuple[str, ...] = ()
    text: str = ""
    status: int = 200
    outcome: str = "fetched"

    @property
    def digest(self):
        return digest_of(self.text.encode() or self.url.encode()).base32


def resource(page, number=0, host=0, file="one.warc.gz"):
    return Resource(
        id=number, key=(host, url_hash64(page.url)), url=page.url, seed=0, outcome=page.outcome, status=page.status,
        type="html", extension="html", digest=page.digest, title=page.title, at=1_000.0 + number,
        place=Position(file=file, offset=number, length=1),
    )  # fmt: skip


def links_of(page):
    return [PageLink(Hop.LINK, "a", url) for url in page.links]


def first_result(folder, pages, plan="{}"):
    """A crawl's folder with result 1."""
    results = ResultsFolder(folder)
    results.warcs.mkdir(parents=True)
    (results.warcs / "one.warc.gz").write_bytes(b"one")
    hosts = {name: number for number, name in enumerate(dict.fromkeys(host_key(page.url) for page in pages))}
    with ResultWriter(results.file(1)) as writer:
        writer.warcs([ResultWarc(file="one.warc.gz", size=3, sha256=sha256_of(results.warcs / "one.warc.gz"))])
        writer.hosts(ResultHost(id=number, name=name) for name, number in hosts.items())
        writer.resources(resource(page, n, hosts[host_key(page.url)]) for n, page in enumerate(pages))
        writer.links((n, pack_links(links_of(page))) for n, page in enumerate(pages) if page.links)
        texts = {page.digest: page.text for page in pages if page.text}
        writer.texts((digest, "2", packed(text)) for digest, text in texts.items())
        writer.arrange()
        writer.finish(Head(number=1, sealed=AT.isoformat(), software="test", plan=plan))
    write_manifest(results.manifest(1), {"results/result-1.db": sha256_of(results.file(1))})
    return results


def reader_of(pages):
    """Reads the pages of added files without looking into them."""

    def read(files, view):
        for number, page in enumerate(pages):
            found = replace(resource(page, number, file=files[0].name), at=5_000.0 + number)
            yield AddedPage(resource=found, links=links_of(page), text=PageText(text=page.text), extractor="2")

    return read


def derived(results, *, pages=(), note="a reason", parent=None, name="new.warc.gz", existing="replace", **remove):
    """Derive with pages that a WARC file is said to hold."""
    files = ()
    if pages:
        file = results.crawl.parent / name
        file.write_bytes(name.encode())
        files = (file,)
    change = Change(remove=Selection(**remove), add=files, note=note, by="curator", existing=Existing(existing))
    return derive(results, change, reader_of(pages), at=AT, software="test", parent=parent)


@dataclass
class Model:
    """What a result holds, without any cleverness."""

    pages: dict[str, Page] = field(default_factory=dict)

    def removed(self, keep):
        return Model({url: page for url, page in self.pages.items() if keep(url)})

    def added(self, pages):
        return Model({**self.pages, **{page.url: page for page in pages}})

    def inlinks(self, url):
        return {page.url for page in self.pages.values() if url in page.links}

    def texts(self):
        return {page.digest: page.text for page in self.pages.values() if page.text}

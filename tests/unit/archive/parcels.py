"""A small sealed crawl without a crawl: a WARC file, its index and a result, for tests of packing."""

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.archive.dedup.needs import IndexedCrawl
from opilio.archive.packing.parcel import Parcel, ParcelFile
from opilio.archive.results.manifest import sha256_of
from opilio.archive.results.packing import packed
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.values import Head, Resource, ResultHost, ResultWarc
from opilio.archive.results.writer import ResultWriter
from opilio.archive.warc.sink import WarcSink
from opilio.kernel.capture import Original, Revisit, RevisitProfile
from opilio.kernel.digests import digest_of
from opilio.kernel.urls import url_hash64
from tests.unit.archive.warcs import START, capture

SEALED = "2026-01-02T00:00:00+00:00"


@dataclass(frozen=True)
class Kept:
    """One page that a small crawl has."""

    url: str
    body: bytes
    title: str = ""
    depth: int = 0
    type: str = "html"
    original: Original | None = None
    later: int = 0  # seconds


def page(name: str = "", **changes) -> Kept:
    """A page of example.com."""
    given = {"url": f"http://example.com/{name}", "body": f"<title>{name}</title>".encode(), "title": f"Page {name}"}
    return Kept(**{**given, **changes})


PAGES = (page(), page("barn", depth=1), page("owl.png", depth=0, type="image", title=""))


def small_crawl(folder: Path, pages=PAGES) -> Parcel:
    """Write it; the parcel."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, resources = _captured(folder, pages)
    index = folder / "index.cdxj"
    write_cdxj(index, rows)
    warcs = [ResultWarc(file=path.name, size=path.stat().st_size, sha256=sha256_of(path)) for path in _warcs(folder)]
    result = folder / "results" / "result-1.db"
    with ResultWriter(result) as writer:
        writer.warcs(warcs)
        writer.hosts([ResultHost(id=0, name="example.com")])
        writer.resources(resources)
        bodies = {each.body: each for each in reversed(pages)}
        writer.texts((digest_of(body).base32, "2", packed(f"text of {each.url}")) for body, each in bodies.items())
        writer.arrange()
        writer.finish(Head(number=1, sealed=SEALED, software="test", plan="{}", report={}))
    return Parcel(
        name=folder.name,
        pages=lambda: ResultReader(result),
        warcs=tuple(
            ParcelFile(name=each.file, path=folder / "warcs" / each.file, size=each.size, sha256=each.sha256)
            for each in warcs
        ),
        documents=(ParcelFile(name="results/result-1.db", path=result, size=result.stat().st_size),),
        lines=lambda: iter(index.read_bytes().splitlines(keepends=True)),
        sealed=SEALED,
    )


def indexed(folder: Path) -> IndexedCrawl:
    """The same as others look for captures in it."""
    return IndexedCrawl(str(folder), folder / "warcs", folder / "index.cdxj")


def _warcs(folder: Path) -> list[Path]:
    return sorted((folder / "warcs").iterdir())


def _captured(folder, pages):
    sink = WarcSink(folder / "warcs", worker="w0")
    rows, resources = [], []
    for number, each in enumerate(pages):
        at = START + timedelta(seconds=number + each.later)
        made = capture(url=each.url, body=each.body, started=at, finished=at)
        if each.original is None:
            place = sink.append(made)
        else:
            place = sink.append_revisit(Revisit(capture=made, profile=RevisitProfile.IDENTICAL, original=each.original))
        row = CdxRow(
            url=each.url, at=at, mime="text/html", status=200, digest=made.payload_digest, file=place.file,
            offset=place.offset, length=place.length,
        )  # fmt: skip
        if each.original is not None:
            row = replace(row, revisit=True, original_url=each.original.url, original_at=each.original.captured)
        rows.append(row)
        resources.append(
            Resource(
                id=number, key=(0, url_hash64(each.url)), url=each.url, seed=0, outcome="fetched", status=200,
                type=each.type, size=len(each.body), digest=made.payload_digest.base32, title=each.title,
                depth=each.depth, hops=int(each.type == "image"), place=place, at=at.timestamp(),
                original_url=each.original.url if each.original else "",
                original_at=each.original.captured.timestamp() if each.original else None,
            )
        )  # fmt: skip
    sink.close()
    return rows, resources

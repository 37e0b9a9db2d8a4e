"""Real pages for the benchmark of search: documentation of Debian, read once by our own extraction and kept as text."""

import os
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks import cache
from benchmarks.crawl.documents import PACKAGES, _unpacked, sites
from opilio.extract.reading import Resource, helper_needed, read_here
from opilio.search.document import SearchDocument

PAGES = int(os.environ.get("OPILIO_TEST_BENCH_PAGES", "35000"))
SHORTEST = 200  # characters; what is shorter only sends the reader elsewhere
#: More packages than the crawlers need: package, folder in it.
_MORE = (
    ("libboost1.74-doc", "usr/share/doc/libboost1.74-doc"),
    ("libstdc++-12-doc", "usr/share/doc/libstdc++-12-doc"),
    ("openjdk-17-doc", "usr/share/doc/openjdk-17-doc"),
    ("rust-doc", "usr/share/doc/rust-doc/html"),
)
_CAPTURED = 1_790_000_000.0  # seconds since 1970


def documents() -> list[SearchDocument]:
    """The pages, with text already extracted."""
    place = cache.folder("search") / f"pages-{PAGES}-{len(PACKAGES) + len(_MORE)}.db"
    if not place.exists():
        _keep(place)
    with sqlite3.connect(place) as store:
        rows = store.execute("SELECT url, title, headings, description, text, boilerplate, language FROM page")
        return [_document(number, *row) for number, row in enumerate(rows)]


def _document(
    number: int, url: str, title: str, headings: str, description: str, text: str, boilerplate: int, language: str
) -> SearchDocument:
    return SearchDocument(
        url=url, title=title, headings=tuple(headings.split("\n")), description=description, text=text,
        boilerplate_from=boilerplate, language=language, type="text/html", captured=_CAPTURED - 3600 * number,
    )  # fmt: skip


def _keep(place: Path) -> None:
    print(f"Reading {PAGES:,} pages …", flush=True)
    beside = place.with_suffix(".part")
    beside.unlink(missing_ok=True)
    with sqlite3.connect(beside) as store, ProcessPoolExecutor() as pool:
        store.execute("CREATE TABLE page (url, title, headings, description, text, boilerplate, language)")
        kept = 0
        for row in pool.map(_row, *zip(*_files(), strict=True), chunksize=50):
            if row is None:
                continue
            store.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            kept += 1
            if kept == PAGES:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    beside.rename(place)


def _files() -> Iterator[tuple[str, Path]]:
    roots = [(f"docs{site.number}.example.org", site.root) for site in sites()]
    roots += [(f"{package.partition('-')[0]}.example.net", _unpacked(package) / inside) for package, inside in _MORE]
    for host, root in roots:
        for path in sorted(root.rglob("*.html")):
            yield f"https://{host}/{path.relative_to(root)}", path


def _row(url: str, path: Path) -> tuple[object, ...] | None:
    """What is kept of a page; nothing of one that is hardly any text."""
    if not path.is_file():
        return None
    resource = Resource(body=path.read_bytes(), url=url, content_type="text/html")
    if helper_needed(resource):
        return None
    found = read_here(resource)
    if len(found.text) < SHORTEST:
        return None
    main = found.main_text
    aside = "\n".join(found.text[start:end] for start, end in found.boilerplate)
    about = next((meta.content for meta in found.metas if meta.name == "description"), "")
    headings = "\n".join(heading.text for heading in found.headings)
    return url, found.title, headings, about, f"{main}\n{aside}", len(main), found.language

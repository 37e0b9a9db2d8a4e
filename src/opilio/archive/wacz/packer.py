"""Packs a result as WACZ: WARC files as they are, compressed index, lists of pages, digests, a signature on wish."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from opilio.archive.packing.parcel import Pages, Parcel, ParcelFile, Told, changed, silent
from opilio.archive.results.values import Resource
from opilio.archive.wacz import layout
from opilio.archive.wacz.compressed_index import blocks, header
from opilio.archive.wacz.layout import About
from opilio.archive.wacz.pages import is_page, is_seed, page_lines
from opilio.archive.wacz.signing import Signer
from opilio.archive.wacz.zip_entries import ZipEntries

_PORTION = 256  # lines of a list that are written at a time


@dataclass(frozen=True, kw_only=True, slots=True)
class Packed:
    """What a package came to."""

    warcs: int
    captures: int  # lines of the index
    pages: int
    signed: bool
    digest: str  # of datapackage.json, sha256:…


def pack(
    stream: BinaryIO, parcel: Parcel, about: About, *, text: bool = False, signer: Signer | None = None,
    beside: Sequence[ParcelFile] = (), told: Told = silent,
) -> Packed:  # fmt: skip
    """Write a whole WACZ; the stream must allow to go back. Files `beside` are listed, and go into no folder of it."""
    with ZipEntries(stream) as entries:
        told("pages", 0, 0)
        with parcel.pages() as result:
            pages = _pages(entries, result, text=text)
        told("index", 0, 0)
        captures = _index(entries, parcel.lines())
        _archive(entries, parcel, told)
        for file in beside:
            entries.add_file(file.name, file.path)
        document = layout.datapackage(about, entries.written)
        digest = entries.add(layout.DATAPACKAGE, [document], size=len(document)).sha256
        signed = None
        if signer is not None:
            signed = signer.sign(f"sha256:{digest}", created=about.created, software=about.software)
        closing = layout.package_digest(digest, signed)
        entries.add(layout.DIGEST, [closing], size=len(closing))
    return Packed(
        warcs=len(parcel.warcs), captures=captures, pages=pages, signed=signed is not None, digest=f"sha256:{digest}"
    )


def main_page(result: Pages) -> Resource | None:
    """The page to open first: the first seed that is one, else the first page."""
    first: Resource | None = None
    for resource in filter(is_page, result.resources()):
        if is_seed(resource):
            return resource
        first = first or resource
    return first


def _pages(entries: ZipEntries, result: Pages, *, text: bool) -> int:
    """Both lists; how many pages they hold. The second is left out where it would be empty."""
    count = 0

    def counted(pages: Iterable[Resource]) -> Iterator[Resource]:
        nonlocal count
        for page in pages:
            count += 1
            yield page

    def listed(name: str, title: str, pages: Iterable[Resource]) -> Iterator[bytes]:
        return _joined(page_lines(result, counted(pages), name=name, title=title, text=text))

    seeds = (page for page in result.resources() if is_page(page) and is_seed(page))
    others = (page for page in result.resources() if is_page(page) and not is_seed(page))
    entries.add(layout.PAGES, listed("pages", "Seeds", seeds))
    if any(not is_seed(page) for page in filter(is_page, result.resources())):
        entries.add(layout.EXTRA_PAGES, listed("extra-pages", "Other pages", others))
    return count


def _index(entries: ZipEntries, lines: Iterator[bytes]) -> int:
    """The index and the list of its members; how many lines it has."""
    keys, count = [header()], 0

    def members() -> Iterator[bytes]:
        for block in blocks(_counted(lines)):
            keys.append(block.key)
            yield block.data

    def _counted(each: Iterator[bytes]) -> Iterator[bytes]:
        nonlocal count
        for line in each:
            count += 1
            yield line

    entries.add(layout.INDEX, members())
    entries.add(layout.INDEX_KEYS, [b"".join(keys)])
    return count


def _archive(entries: ZipEntries, parcel: Parcel, told: Told) -> None:
    done = 0
    for warc in parcel.warcs:
        told("WARC files", done, parcel.size)
        entry = entries.add_file(f"{layout.ARCHIVE}{warc.name}", warc.path)
        if warc.sha256 and entry.sha256 != warc.sha256:
            raise changed(warc)
        done += warc.size
    told("WARC files", done, parcel.size)


def _joined(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Lines in larger pieces: an entry takes each for its own."""
    held: list[bytes] = []
    for line in lines:
        held.append(line)
        if len(held) >= _PORTION:
            yield b"".join(held)
            held.clear()
    yield b"".join(held)

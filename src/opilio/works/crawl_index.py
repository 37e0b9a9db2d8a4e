"""The CDXJ index of a crawl, from its committed rows or, once it is sealed, from its result."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.crawl.frontier.rows import Page
from opilio.extract.page_types import EXTENSIONS
from opilio.kernel.digests import parse_digest


class Pages(Protocol):
    """A crawl store, or a sealed crawl."""

    def pages(self) -> Iterator[Page]:
        """Pages by number."""
        ...


def write_index(path: Path, store: Pages) -> int:
    """Write the index; the number of its lines."""
    return write_cdxj(path, index_rows(store))


def index_rows(store: Pages) -> Iterator[CdxRow]:
    """The captures of a crawl, in the order of their pages."""
    for page in store.pages():
        if page.place is None:
            continue
        yield CdxRow(
            url=page.url,
            at=datetime.fromtimestamp(page.at, UTC),
            mime=_mime(page.extension),
            status=page.status,
            digest=parse_digest(page.digest) if page.digest else None,
            file=page.place.file,
            offset=page.place.offset,
            length=page.place.length,
            revisit=page.original is not None,
            original_url=page.original.url if page.original else "",
            original_at=datetime.fromtimestamp(page.original.at, UTC) if page.original else None,
        )


def _mime(extension: str) -> str:
    """The usual type of what was found; the page's row keeps the kind, not the header."""
    found = EXTENSIONS.get(extension)
    return found[1][0] if found and found[1] else "unk"

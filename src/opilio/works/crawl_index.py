"""The CDXJ index of a crawl, from its committed rows."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.crawl.frontier.store import Records
from opilio.extract.page_types import EXTENSIONS
from opilio.kernel.digests import parse_digest


def write_index(path: Path, store: Records) -> int:
    """Write the index; the number of its lines."""
    return write_cdxj(path, _rows(store))


def _rows(store: Records) -> Iterator[CdxRow]:
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
        )


def _mime(extension: str) -> str:
    """The usual type of what was found; the page's row keeps the kind, not the header."""
    found = EXTENSIONS.get(extension)
    return found[1][0] if found and found[1] else "unk"

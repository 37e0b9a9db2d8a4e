"""The captures of a result as rows of an index."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Protocol

from opilio.archive.cdxj import CdxRow
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.values import EarlierCapture, Resource
from opilio.archive.results.view import ResultView
from opilio.extract.page_types import EXTENSIONS
from opilio.kernel.digests import Digest, parse_digest
from opilio.kernel.errors import InvalidInput

_PORTION = 500
_CAPTURES = f"""
    SELECT r.id, r.url, r.at, r.extension, r.status, r.digest, w.file, r.start, r.length, r.original_url, r.original_at
    FROM resource AS r JOIN warc AS w ON w.id = r.warc WHERE r.id > ? ORDER BY r.id LIMIT {_PORTION}
"""  # noqa: S608 - ours


class Captures(Protocol):
    """A result, or one file of it, as far as its captures are told."""

    def resources(self) -> Iterator[Resource]:
        """All resources."""
        ...

    def earlier(self) -> Iterator[EarlierCapture]:
        """Further captures of them."""
        ...

    def numbered(self, number: int) -> Resource | None:
        """One resource."""
        ...


def cdx_rows(view: ResultView) -> Iterator[CdxRow]:
    """Every capture that the result still has, in no order."""
    return rows_of_resources(view)


def rows_of_resources(view: Captures) -> Iterator[CdxRow]:
    """The same of one file of a result."""
    for resource in view.resources():
        if resource.place is not None:
            yield _of_resource(resource)
    earlier = view.earlier()
    while part := list(islice(earlier, _PORTION)):
        owners = {number: view.numbered(number) for number in {capture.resource for capture in part}}
        for capture in part:
            owner = owners[capture.resource]
            if owner is not None:
                yield _of_earlier(capture, owner.url)


def rows_of_sealed(reader: ResultReader) -> Iterator[CdxRow]:
    """Every capture of a result that is not derived, by number: only the columns that an index needs."""
    last = -1
    while rows := reader.ask(_CAPTURES, (last,)):
        last = rows[-1][0]
        for _, url, at, extension, status, digest, file, offset, length, original_url, original_at in rows:
            yield CdxRow(
                url=url, at=datetime.fromtimestamp(at, UTC), mime=_mime(extension), status=status,
                digest=_digest(digest), file=file, offset=offset, length=length, revisit=original_at is not None,
                original_url=original_url or "", original_at=_time(original_at),
            )  # fmt: skip


def _mime(extension: str) -> str:
    """The usual type of what was found."""
    found = EXTENSIONS.get(extension)
    return found[1][0] if found and found[1] else "unk"


def _of_resource(resource: Resource) -> CdxRow:
    assert resource.place is not None  # noqa: S101 - asked by the caller
    return CdxRow(
        url=resource.url,
        at=datetime.fromtimestamp(resource.at, UTC),
        mime=_mime(resource.extension),
        status=resource.status,
        digest=_digest(resource.digest),
        file=resource.place.file,
        offset=resource.place.offset,
        length=resource.place.length,
        revisit=resource.original_at is not None,
        original_url=resource.original_url,
        original_at=_time(resource.original_at),
    )


def _of_earlier(capture: EarlierCapture, url: str) -> CdxRow:
    return CdxRow(
        url=url,
        at=datetime.fromtimestamp(capture.at, UTC),
        mime=capture.mime,
        status=capture.status,
        digest=_digest(capture.digest),
        file=capture.place.file,
        offset=capture.place.offset,
        length=capture.place.length,
        revisit=capture.revisit,
        original_url=capture.original_url,
        original_at=_time(capture.original_at),
    )


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _digest(text: str) -> Digest | None:
    try:
        return parse_digest(text) if text else None
    except InvalidInput:
        return None

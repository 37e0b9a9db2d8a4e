"""The captures of a result as rows of an index."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

from opilio.archive.cdxj import CdxRow
from opilio.archive.results.values import EarlierCapture, Resource
from opilio.archive.results.view import ResultView
from opilio.extract.page_types import EXTENSIONS
from opilio.kernel.digests import Digest, parse_digest
from opilio.kernel.errors import InvalidInput

_PORTION = 500


def cdx_rows(view: ResultView) -> Iterator[CdxRow]:
    """Every capture that the result still has, in no order."""
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


def _of_resource(resource: Resource) -> CdxRow:
    assert resource.place is not None  # noqa: S101 - asked by the caller
    found = EXTENSIONS.get(resource.extension)
    return CdxRow(
        url=resource.url,
        at=datetime.fromtimestamp(resource.at, UTC),
        mime=found[1][0] if found and found[1] else "unk",
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

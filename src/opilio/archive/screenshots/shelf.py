"""The pictures of a crawl: WARC files with an index of their own in `screenshots/`, beside the results.

Results are sealed and their manifests name their files, so pictures lie apart and may come at any time. A new picture
stands beside the older ones of its page; nothing is overwritten.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.archive.screenshots.errors import NoPicture
from opilio.archive.screenshots.pictures import Picture, PictureKind, page_of, urn_of
from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.reader import read_at
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.kernel.capture import MetadataFields, Position, Resource
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.digests import digest_of
from opilio.kernel.files import ensure_folder
from opilio.kernel.locks import locked

_SERIES = "screenshots"
_DIGITS = 17  # of times in the index: two pictures of a page may be taken within a second


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A picture as the index knows it."""

    url: str
    kind: PictureKind
    at: datetime
    place: Position


class PictureShelf:
    """The pictures in the folder of a crawl."""

    def __init__(self, crawl: Path, clock: Clock = SYSTEM) -> None:
        self._folder = crawl / "screenshots"
        self._clock = clock

    @property
    def index(self) -> Path:
        """The pictures by page and time."""
        return self._folder / "index.cdxj"

    def add(self, taken: Iterable[tuple[Sequence[Picture], MetadataFields]], *, info: WarcInfo | None = None) -> int:
        """Keep pictures, each page's with what is known about them, durable on return; how many.

        `Conflict` while somebody else adds some.
        """
        ensure_folder(self._folder)
        with locked(self._folder / "lock", purpose="keeping screenshots", clock=self._clock):
            sink = WarcSink(
                self._folder, worker="camera", options=WarcOptions(prefix=_SERIES), info=info, clock=self._clock
            )
            new: list[CdxRow] = []
            try:
                for pictures, fields in taken:
                    new += _written(sink, pictures, fields)
            finally:
                sink.close()
                write_cdxj(self.index, [*self._rows(), *new], digits=_DIGITS)
        return len(new)

    def all(self, kind: PictureKind | None = None) -> Iterator[Shown]:
        """The pictures, page by page, older ones first."""
        for row in self._rows():
            found = page_of(row.url)
            if found is not None and kind in (None, found[0]):
                place = Position(file=row.file, offset=row.offset, length=row.length)
                yield Shown(kind=found[0], url=found[1], at=row.at, place=place)

    def newest(self, url: str, kind: PictureKind = PictureKind.VIEW) -> Picture:
        """The newest picture of a page; `NoPicture` when there is none."""
        found = [shown for shown in self._of(url, kind) if shown.url == url]
        if not found:
            remedy = "Take it: opilio archive screenshots take DIR --url URL."
            raise NoPicture(f"there is no picture of {url[:200]}", where=str(self._folder), remedy=remedy)
        return self.picture(max(found, key=lambda shown: shown.at))

    def picture(self, shown: Shown) -> Picture:
        """The file of a picture."""
        record = read_at(self._folder, shown.place)
        return Picture(url=shown.url, kind=shown.kind, at=shown.at, data=record.block)

    def _of(self, url: str, kind: PictureKind) -> Iterator[Shown]:
        if not self.index.is_file():
            return
        for row in CdxFile(self.index).exact(urn_of(kind, url)):
            place = Position(file=row.file, offset=row.offset, length=row.length)
            found = page_of(row.url)
            if found is not None:
                yield Shown(kind=kind, url=found[1], at=row.at, place=place)

    def _rows(self) -> Iterator[CdxRow]:
        if self.index.is_file():
            yield from CdxFile(self.index).prefix("")


def _written(sink: WarcSink, pictures: Sequence[Picture], fields: MetadataFields) -> Iterator[CdxRow]:
    for picture in pictures:
        kind = picture.kind.content_type
        resource = Resource(url=picture.urn, content_type=kind, content=picture.data, at=picture.at)
        place = sink.append_resource(resource)
        sink.append_metadata(place, fields)
        yield CdxRow(
            url=picture.urn, at=picture.at, mime=kind, status=200, digest=digest_of(picture.data),
            file=place.file, offset=place.offset, length=place.length,
        )  # fmt: skip
